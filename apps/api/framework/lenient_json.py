"""Request bodies of programs that we cannot correct: all but what is no JSON object is read, as far as possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import JSONParser

from apps.api.framework.parsers import limited_body, noted
from apps.common.errors import Invalid
from apps.engine.json_input.clean_json import CleanJson
from apps.engine.json_input.lenient import lenient_json


class LenientJSONParser(JSONParser):
    """Parse a JSON object. Only what is no JSON at all is refused."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        clean = lenient_object(limited_body(stream, parser_context))
        return noted(clean, (parser_context or {}).get("request"))


def lenient_object(body: bytes) -> CleanJson:
    """Parse a JSON object; its texts are cleaned, and what is nested too deeply is left out.

    >>> lenient_object(b'{"a": "x\\\\u0000y", "b": 1e999}').value
    {'a': 'x�y', 'b': None}
    """
    try:
        clean = lenient_json(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise Invalid(
            "The body is not valid JSON.", extra=_pointed("not_json", "The body is not valid JSON.")
        ) from error
    if not isinstance(clean.value, dict):
        detail = "The body must be a JSON object."
        raise Invalid(detail, extra=_pointed("not_an_object", detail))
    return clean


def _pointed(code: str, detail: str) -> dict[str, Any]:
    return {"errors": [{"pointer": "", "code": code, "detail": detail}]}
