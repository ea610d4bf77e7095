"""JSON as the database can keep it: bounded, shallow, finite, and free of characters that no text column takes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import JSONParser

from apps.common.errors import Invalid, TooLarge

DEEPEST = 64
LARGEST_WHOLE = 2**53
_MANY_DIGITS = 20
_OUT_OF_RANGE = 2**64
# One match a string, also where the last one never ends: a pattern that can fail would start again at every quote.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
# Where none of these stands, nothing in the body can be unfit to store.
_SUSPICIOUS = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])|NaN|Infinity|[eE]\+?\d{2}|\d{16}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class StrictJSONParser(JSONParser):
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge(f"A request body holds at most {limit} bytes.")
        value = json_value(body)
        if not isinstance(value, dict):
            raise _invalid("", "The body must be a JSON object.", "not_an_object")
        return value


def json_value(body: bytes) -> Any:
    """The value of a JSON text, or `Invalid` with a pointer to what no row can hold."""
    if _depth(body) > DEEPEST:
        raise _invalid("", f"The body is nested more than {DEEPEST} deep.", "too_deep")
    try:
        value = json.loads(body.decode("utf-8-sig"), parse_int=_whole_number)
    except UnicodeDecodeError as error:
        raise _invalid("", "The body is not valid UTF-8.", "not_utf8") from error
    except ValueError as error:
        raise _invalid("", f"The body is not valid JSON: {error}.", "not_json") from error
    if _SUSPICIOUS.search(body):
        _require_storable(value)
    return value


def _depth(body: bytes) -> int:
    """How deep brackets nest outside strings; counted before parsing, which recurses."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return 0
    brackets = _STRING.sub(b"", body).translate(None, _NOT_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0)


def _whole_number(digits: str) -> int:
    """Python refuses to read numbers of thousands of digits; any number out of range does as well as the real one."""
    return int(digits) if len(digits) < _MANY_DIGITS else _OUT_OF_RANGE


def _require_storable(value: Any) -> None:
    for pointer, fault in _faults(value, ""):
        raise _invalid(pointer, fault, "not_storable")


def _faults(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{pointer}/{_printable(key)}"
            yield from ((place, f"The name {fault}.") for fault in _text_faults(key))
            yield from _faults(inner, place)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _faults(inner, f"{pointer}/{index}")
    elif isinstance(value, str):
        yield from ((pointer, f"The text {fault}.") for fault in _text_faults(value))
    elif isinstance(value, (int, float)) and not _is_storable_number(value):
        yield pointer, "The number is not finite or is beyond 2^53."


def _text_faults(text: str) -> Iterator[str]:
    if "\x00" in text:
        yield "holds a NUL character"
    if _SURROGATE.search(text):
        yield "holds half of a surrogate pair"


def _is_storable_number(value: float) -> bool:
    if isinstance(value, int):
        return abs(value) <= LARGEST_WHOLE
    return math.isfinite(value)


def _printable(key: str) -> str:
    readable = key.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\u0000")
    return readable.replace("~", "~0").replace("/", "~1")


def _invalid(pointer: str, detail: str, code: str) -> Invalid:
    return Invalid(detail, extra={"errors": [{"pointer": pointer, "code": code, "detail": detail}]})
