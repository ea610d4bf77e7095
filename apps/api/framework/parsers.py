"""Read request bodies as JSON that PostgreSQL can store: the door for every text that comes by the API."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any

import orjson
from django.conf import settings
from rest_framework.parsers import JSONParser

from apps.api.framework.requests import ApiRequest
from apps.common.errors import Invalid, TooLarge
from apps.engine.json_input.clean_json import CleanJson, clean_json, pointer_segment
from apps.engine.json_input.limits import DEEPEST, MOST_NAMES

LARGEST_WHOLE = 2**53
_VERBATIM = frozenset({"password"})
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class StrictJSONParser(JSONParser):
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        body = limited_body(stream, parser_context)
        value = json_value(body)
        if not isinstance(value, dict):
            raise _invalid("", "The body must be a JSON object.", "not_an_object")
        return value if _needs_no_cleaning(body) else cleaned_body(value, parser_context)


def cleaned_body(value: dict[str, Any], parser_context: Mapping[str, Any] | None) -> dict[str, Any]:
    """Clean the texts of a body, but passwords; what people send shows hidden characters."""
    request = (parser_context or {}).get("request")
    by_browser = isinstance(request, ApiRequest) and request.is_by_browser
    return noted(clean_json(value, show_hidden=by_browser, verbatim=_VERBATIM), request)


def noted(clean: CleanJson, request: Any) -> dict[str, Any]:
    """Return the object, and note on the request what was changed in its texts, for the header of the response."""
    if isinstance(request, ApiRequest):
        request.text_changes = clean.changes
    value: dict[str, Any] = clean.value
    return value


def limited_body(stream: IO[Any], parser_context: Mapping[str, Any] | None) -> bytes:
    """Read a body; raise `TooLarge` if it is longer than the view takes."""
    limit = body_limit(parser_context)
    body: bytes = stream.read(limit + 1)
    if len(body) > limit:
        raise TooLarge(f"A request body can have at most {limit} bytes.")
    return body


def body_limit(parser_context: Mapping[str, Any] | None) -> int:
    """Return the most bytes that the view takes; by default those that any request may have."""
    view = (parser_context or {}).get("view")
    return int(getattr(view, "largest_body", None) or settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def json_value(body: bytes) -> Any:
    """Parse a JSON text; raise `Invalid` with a pointer to a value that cannot be stored.

    orjson refuses NaN, infinities and nesting beyond 1,024 levels by itself. It also refuses unpaired surrogates, which
    are cleaned like any text; a body with them is parsed by the slower library.
    """
    try:
        text = body.decode("utf-8-sig")
        value = _parsed(text)
    except UnicodeDecodeError as error:
        raise _invalid("", "The body is not valid UTF-8.", "not_utf8") from error
    except (ValueError, RecursionError) as error:
        raise _invalid("", f"The body is not valid JSON: {error}.", "not_json") from error
    _require_storable(value, "", depth=1)
    return value


def _parsed(text: str) -> Any:
    """Parse by orjson, and a text with escaped surrogates that it refuses by the slower library."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        if not _SURROGATE.search(text):
            raise
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _needs_no_cleaning(body: bytes) -> bool:
    return body.isascii() and b"\\u" not in body


def _require_storable(value: Any, pointer: str, depth: int) -> None:
    if isinstance(value, (int, float)):
        # orjson reads a whole number beyond 64 bits as a float: floats have the same bound, so that none is rounded.
        if abs(value) > LARGEST_WHOLE:
            raise _invalid(pointer, "The number is beyond 2^53.", "not_storable")
    elif isinstance(value, (dict, list)):
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
        _require_storable(item, f"{pointer}/{pointer_segment(name)}", depth + 1)


def _invalid(pointer: str, detail: str, code: str) -> Invalid:
    return Invalid(detail, extra={"errors": [{"pointer": pointer, "code": code, "detail": detail}]})
