"""The parser of request bodies: accepted and refused bodies, at little cost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.api.framework.parsers import LARGEST_WHOLE, json_value
from apps.common.errors import Invalid
from apps.engine.json_input.limits import DEEPEST
from tests.linear_time.timing import LARGER, is_linear


def pointer_of(body: bytes) -> str:
    with pytest.raises(Invalid) as refusal:
        json_value(body)
    pointer: str = refusal.value.extra["errors"][0]["pointer"]
    return pointer


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"\xef\xbb\xbf{}", {}),
        (rb'{"a": "\ud83d\ude00"}', {"a": "😀"}),
        ('{"ä": "\u2028"}'.encode(), {"ä": "\u2028"}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'{"a": 9007199254740992}', {"a": LARGEST_WHOLE}),
        (rb'{"a": "\\u0000 NaN 1e99"}', {"a": r"\u0000 NaN 1e99"}),
        (b'{"a": -1.5e-300}', {"a": -1.5e-300}),
        (b'{"a": "' + b"[" * 5_000 + b'"}', {"a": "[" * 5_000}),
        (rb'{"a": "\"[[[\\"}', {"a": '"[[[\\'}),
    ],
)
def test_what_can_be_stored_is_read(body: bytes, value: Any) -> None:
    assert json_value(body) == value


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (rb'{"a/b~c": 9007199254740993}', "/a~1b~0c"),
        (b'{"a": [1, 9007199254740993]}', "/a/1"),
        (b'{"a": -9007199254740993}', "/a"),
        (b'{"a": 18446744073709551616}', "/a"),
        (b'{"a": -' + b"9" * 300 + b"}", "/a"),
        (b'{"a": 1.5e300}', "/a"),
    ],
)
def test_what_can_not_be_stored_is_pointed_at(body: bytes, pointer: str) -> None:
    assert pointer_of(body) == pointer


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"a": 1e400}', "not_json"),
        (b'{"a": Infinity}', "not_json"),
        (b'{"a": NaN}', "not_json"),
        (b'{"a": -' + b"9" * 5_000 + b"}", "not_json"),
        (rb'{"a": "\ud800", "b": NaN}', "not_json"),
        (rb'{"a": "\ud800"', "not_json"),
        (rb'{"a": "\ud800", "b": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not_json"),
        (b'{"a": "\xff"}', "not_utf8"),
        (b"[" * 2_000 + b"]" * 2_000, "not_json"),
        (b"[" * 65 + b"]" * 65, "too_deep"),
    ],
)
def test_what_is_no_json_is_refused_as_a_whole(body: bytes, code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        json_value(body)
    (error,) = refusal.value.extra["errors"]
    assert (error["pointer"], error["code"]) == ("", code)


def test_the_depth_is_bounded_exactly() -> None:
    def nested(depth: int) -> bytes:
        return b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"

    assert json_value(nested(DEEPEST))
    assert pointer_of(nested(DEEPEST + 1)) == ""


@pytest.mark.parametrize(
    "body",
    [
        b'{"a": "' + b'\\"' * 2_000_000,
        b'{"' * 2_000_000,
        b'"' * 4_000_000,
        b"[" * 4_000_000,
        b"[]" * 2_000_000,
        b'{"a": "' + b"\\" * 4_000_001,
    ],
    ids=["escaped quotes", "open keys", "quotes", "brackets", "pairs", "backslashes"],
)
def test_a_body_is_refused_in_linear_time(body: bytes) -> None:
    assert is_linear(pointer_of, body[: len(body) // LARGER], body)


def test_an_honest_body_is_read_in_linear_time() -> None:
    def body(messages: int) -> bytes:
        return json.dumps({"messages": [{"content": "if (a[0]) { return; } " * 10}] * messages}).encode()

    assert is_linear(json_value, body(2_500), body(LARGER * 2_500))
