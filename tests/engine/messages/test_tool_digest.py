"""Digests of tools' inputs and results: bounded, readable, and with what matters."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.tool_digest import (
    LONGEST_RESULT,
    files_in,
    input_digest,
    result_digest,
    result_text,
    tool_title,
)

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=200),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=20), inner, max_size=6),
    max_leaves=40,
)


@given(st.text(max_size=20_000), st.integers(min_value=1, max_value=8_000))
def test_a_digest_is_never_longer_than_it_may_be(text: str, most: int) -> None:
    assert len(result_digest(text, most)) <= most


@given(st.text(max_size=LONGEST_RESULT))
def test_a_short_result_is_its_own_digest(text: str) -> None:
    assert result_digest(text) == text


@given(ANY_JSON)
def test_any_json_has_a_text_a_title_files_and_a_digest_that_is_json(value: Any) -> None:
    assert isinstance(result_text(value), str)
    assert 0 < len(tool_title("Bash", value)) <= 160
    assert "\n" not in tool_title("Bash", value)
    assert len(files_in(value)) <= 20
    json.loads(input_digest(value))


@pytest.mark.parametrize("error", ["AssertionError: 3 != 4", "E   assert 3 == 4", "fatal: not a git repository"])
def test_an_error_in_the_middle_of_a_log_is_in_the_digest(error: str) -> None:
    noise = "".join(f"step {number} of build 7 in /usr/lib/x{number}.so\n" for number in range(3_000))
    digest = result_digest(f"first line\n{noise}{error}\n{noise}last line", 2_000)
    for part in ("first line", error, "last line", "shortened"):
        assert part in digest


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        (None, ""),
        ({"stdout": "out", "stderr": "err"}, "out\nerr"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ([{"type": "tool_reference", "tool_name": "x"}], "[tool_reference]"),
        ({"success": True}, '{"success": true}'),
        (7, "7"),
    ],
)
def test_the_text_of_a_result_is_what_a_person_would_read(value: Any, text: str) -> None:
    assert result_text(value) == text


def test_a_huge_input_is_a_small_valid_value() -> None:
    edits = [{"file_path": f"src/{number}.py", "content": "x" * 20_000} for number in range(200)]
    digest = input_digest({"edits": edits})
    assert len(digest) < 10_000
    assert json.loads(digest)


def test_files_are_named_once_in_order() -> None:
    value = {"file_path": "a.py", "edits": [{"path": "b.py"}, {"file_path": "a.py"}], "files": ["c.py", 7]}
    assert files_in(value) == ("a.py", "c.py", "b.py")
