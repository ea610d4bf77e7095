"""Read request bodies as JSON that PostgreSQL can store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import orjson
from django.conf import settings
from rest_framework.parsers import JSONParser

from apps.common.errors import Invalid, TooLarge
from apps.engine.json_input.limits import DEEPEST, MOST_NAMES

LARGEST_WHOLE = 2**53


class StrictJSONParser(JSONParser):
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        limit = body_limit(parser_context)
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge(f"A request body can have at most {limit} bytes.")
        value = json_value(body)
        if not isinstance(value, dict):
            raise _invalid("", "The body must be a JSON object.", "not_an_object")
        return value


def body_limit(parser_context: Mapping[str, Any] | None) -> int:
    """Return the most bytes that the view takes; by default those that any request may have."""
    view = (parser_context or {}).get("view")
    return int(getattr(view, "largest_body", None) or settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def json_value(body: bytes) -> Any:
    """Parse a JSON text; raise `Invalid` with a pointer to a value that cannot be stored.

    orjson refuses NaN, infinities, unpaired surrogates and nesting beyond 1,024 levels by itself.
    """
    try:
        value = orjson.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _invalid("", "The body is not valid UTF-8.", "not_utf8") from error
    except orjson.JSONDecodeError as error:
        raise _invalid("", f"The body is not valid JSON: {error}.", "not_json") from error
    _require_storable(value, "", depth=1)
    return value


def _require_storable(value: Any, pointer: str, depth: int) -> None:
    if isinstance(value, str):
        if "\x00" in value:
            raise _invalid(pointer, "The text contains a NUL character.", "not_storable")
    elif isinstance(value, (int, float)):
        # orjson reads a whole number beyond 64 bits as a float: floats have the same bound, so that none is rounded.
        if abs(value) > LARGEST_WHOLE:
            raise _invalid(pointer, "The number is beyond 2^53.", "not_storable")
    elif value is not None:
        _require_storable_items(value, pointer, depth)


def _require_storable_items(container: dict[str, Any] | list[Any], pointer: str, depth: int) -> None:
    if depth > DEEPEST:
        raise _invalid("", f"The body is nested more than {DEEPEST} deep.", "too_deep")
    if isinstance(container, list):
        for index, item in enumerate(container):
            _require_storable(item, f"{pointer}/{index}", depth + 1)
        return
    if len(container) > MOST_NAMES:
        raise _invalid(pointer, f"An object has at most {MOST_NAMES} names.", "too_many_names")
    for name, item in container.items():
        place = f"{pointer}/{_escaped(name)}"
        if "\x00" in name:
            raise _invalid(place, "The name contains a NUL character.", "not_storable")
        _require_storable(item, place, depth + 1)


def _escaped(name: str) -> str:
    """A name as a segment of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1").replace("\x00", "\\u0000")


def _invalid(pointer: str, detail: str, code: str) -> Invalid:
    return Invalid(detail, extra={"errors": [{"pointer": pointer, "code": code, "detail": detail}]})
