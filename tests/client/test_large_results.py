"""Hooks: a tool result of any size is recorded, cut in the middle, and no private part of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from continuity_client.hook.recording import envelope_of
from tests.client.events import pause, spool_only, tool
from tests.client.machine import Machine
from tests.linear_time.timing import LARGER, is_linear


def test_a_long_tool_result_is_cut_in_the_middle() -> None:
    result = {"stdout": "first\n" + "word " * 400_000 + "\nlast"}
    payload = envelope_of({}, "claude-code", {**tool(1), "tool_response": result})["payload"]

    text = payload["tool_response"]["stdout"]
    assert text.startswith("first") and text.endswith("last") and "characters omitted" in text
    assert len(text) < 210_000


def short_lines(number: int) -> list[str]:
    return [f"{place}: a short line" for place in range(number)]


RESULTS: tuple[Callable[[int], Any], ...] = (
    lambda number: {"stdout": short_lines(number)},
    short_lines,
    lambda number: {f"key {place}": "a short text" for place in range(number)},
    lambda number: [[["line"] * 60 for _ in range(60)] for _ in range(number // 750)],
    lambda number: [(f"{place} words " * 2_000)[:15_000] for place in range(number // 500)],
    lambda number: ["я" * 15_000 for _ in range(number // 500)],
)
LARGE = 45_000
LARGE_RESULTS = [of_size(LARGE) for of_size in RESULTS]


def recorded(result: Any) -> dict[str, Any]:
    payload: dict[str, Any] = envelope_of({}, "claude-code", {**tool(1), "tool_response": result})["payload"]
    return payload


@pytest.mark.parametrize("result", LARGE_RESULTS, ids=[*"abcdef"])
def test_a_large_result_keeps_its_beginning_and_end(result: Any) -> None:
    payload = recorded(result)
    text, whole = json.dumps(payload["tool_response"]), json.dumps(result)
    assert len(json.dumps(payload)) < 1_000_000
    assert "omitted" in text and (text[:10], text[-10:]) == (whole[:10], whole[-10:])


@pytest.mark.parametrize("of_size", RESULTS, ids=[*"abcdef"])
def test_a_large_result_is_shortened_in_linear_time(of_size: Callable[[int], Any]) -> None:
    assert is_linear(recorded, of_size(LARGE), of_size(LARGER * LARGE))


@pytest.mark.parametrize("result", LARGE_RESULTS, ids=[*"abcdef"])
def test_a_large_result_is_recorded(paired: Machine, result: Any) -> None:
    """On a busy machine without its texts: the agent does not wait."""
    pause(paired)

    paired.hook("tool", {**tool(1), "tool_response": result})

    (file,) = paired.spooled
    assert file.stat().st_size < 1_000_000
    payload = json.loads(file.read_text())["payload"]
    assert (payload["session_id"], payload["tool_use_id"]) == ("s-1", "t-1")
    assert "omitted" in json.dumps(payload["tool_response"])
    assert not (paired.home / "lost").exists()


def test_a_private_part_of_a_large_result_is_removed_although_its_tags_are_omitted(paired: Machine) -> None:
    spool_only(paired, {**tool(1), "tool_response": [*short_lines(LARGE), "<private>", *["of Sam"] * 9_000]})

    assert "Sam" not in paired.spooled[0].read_text()
