"""Hooks: a tool result of any size is recorded, cut in the middle, and no private part of it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from continuity_client.hook.recording import envelope_of
from tests.client.events import pause, spool_only, tool
from tests.client.machine import Machine


def test_a_long_tool_result_is_cut_in_the_middle() -> None:
    result = {"stdout": "first\n" + "word " * 400_000 + "\nlast"}
    payload = envelope_of({}, "claude-code", {**tool(1), "tool_response": result})["payload"]

    text = payload["tool_response"]["stdout"]
    assert text.startswith("first") and text.endswith("last") and "characters omitted" in text
    assert len(text) < 210_000


SHORT_STRINGS = [f"{number}: a short line" for number in range(45_000)]
LARGE_RESULTS = [
    {"stdout": SHORT_STRINGS},
    SHORT_STRINGS,
    {f"key {number}": "a short text" for number in range(45_000)},
    [[["line"] * 60 for _ in range(60)] for _ in range(60)],
    [(f"{number} words " * 2_000)[:15_000] for number in range(90)],
    ["я" * 15_000 for _ in range(90)],
]


@pytest.mark.parametrize("result", LARGE_RESULTS, ids=[*"abcdef"])
def test_a_large_result_keeps_its_beginning_and_end_at_little_cost(result: Any) -> None:
    begin = time.process_time()
    payload = envelope_of({}, "claude-code", {**tool(1), "tool_response": result})["payload"]

    assert time.process_time() - begin < 1.8
    text, whole = json.dumps(payload["tool_response"]), json.dumps(result)
    assert len(json.dumps(payload)) < 1_000_000
    assert "omitted" in text and (text[:10], text[-10:]) == (whole[:10], whole[-10:])


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
    spool_only(paired, {**tool(1), "tool_response": [*SHORT_STRINGS, "<private>", *["of Sam"] * 9_000]})

    assert "Sam" not in paired.spooled[0].read_text()
