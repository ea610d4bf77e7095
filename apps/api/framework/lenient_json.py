"""Request bodies of programs that we cannot correct: text that PostgreSQL cannot store is replaced, not refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import JSONParser

from apps.api.framework.parsers import body_limit
from apps.common.errors import Invalid, TooLarge
from apps.engine.json_input.lenient import lenient_value


class LenientJSONParser(JSONParser):
    """Parse a JSON object. Only what is no JSON at all is refused."""

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
        return lenient_object(body)


def lenient_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object; without NUL characters and unpaired surrogates, and without what is nested too deeply.

    >>> lenient_object(b'{"a": "x\\\\u0000y", "b": 1e999}')
    {'a': 'xy', 'b': None}
    """
    try:
        value = lenient_value(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise Invalid(
            "The body is not valid JSON.", extra=_pointed("not_json", "The body is not valid JSON.")
        ) from error
    if not isinstance(value, dict):
        detail = "The body must be a JSON object."
        raise Invalid(detail, extra=_pointed("not_an_object", detail))
    return value


def _pointed(code: str, detail: str) -> dict[str, Any]:
    return {"errors": [{"pointer": "", "code": code, "detail": detail}]}
