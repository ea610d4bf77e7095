"""Reasoning that a service sends as a part of its answer, however the answer is cut into chunks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.llm.errors import ModelError
from apps.llm.providers.base import Finished, Reasoning, StreamEvent, TextDelta
from apps.llm.providers.openai_protocol import ChunkReader
from apps.llm.providers.thinking import LONGEST_REASONING, ThinkingFilter

ANSWERS = [
    ("<think>The user asks.</think>\n\nHello", "The user asks.", "Hello"),
    ("\n <THINK>\nHm, a < b.\n</think> Hello </think>", "Hm, a < b.", "Hello </think>"),
    ("<thinking>Hm. </think> Hm.</thinking>Hello", "Hm. </think> Hm.", "Hello"),
    ("<think></think>Hello", "", "Hello"),
    ("<think>\n\n</think>\n\nHello", "", "Hello"),
    ("<think>Never closed, İ</thin", "Never closed, İ</thin", ""),
    ("Hello <think>no</think>", "", "Hello <think>no</think>"),
    ("<thinker>Rodin</thinker>", "", "<thinker>Rodin</thinker>"),
    ("  indented", "", "  indented"),
    ("<th", "", "<th"),
    ("< think>", "", "< think>"),
    (" " * 200 + "<think>", "", " " * 200 + "<think>"),
    ("", "", ""),
]


def chunk(**delta: Any) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n"


CLOSING = b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


def read(*pieces: bytes) -> list[StreamEvent]:
    reader = ChunkReader()
    return [event for piece in pieces for event in reader.read(piece)]


@pytest.mark.parametrize(("answer", "reasoning", "text"), ANSWERS)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1_000])
def test_reasoning_is_told_from_the_text_in_chunks_of_any_size(
    size: int, answer: str, reasoning: str, text: str
) -> None:
    thinking = ThinkingFilter()
    pieces = [thinking.feed(answer[start : start + size]) for start in range(0, len(answer), size)]
    assert "".join([*pieces, thinking.end()]) == text
    assert thinking.reasoning == reasoning


def test_reasoning_comes_once_before_the_text() -> None:
    events = read(*(chunk(content=piece) for piece in ("<thi", "nk>Hm", ".</thi", "nk>\nHel", "lo")), CLOSING)
    assert events == [Reasoning("Hm."), TextDelta("Hel"), TextDelta("lo"), Finished("end_turn")]


def test_a_content_in_blocks_is_read() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    blocks = [
        {"type": "text", "text": "Hel"},
        {"type": "reference", "reference_ids": [1]},
        {"type": "text", "text": "lo"},
    ]
    events = read(chunk(content=[thought]), chunk(content=blocks), chunk(content=[]), chunk(content=None), CLOSING)
    assert events == [Reasoning("Hm."), TextDelta("Hello"), Finished("end_turn")]


@pytest.mark.parametrize("content", [[{"type": "text", "text": 5}], [{"thinking": {}}], {"text": "Hello"}, 5])
def test_a_content_of_another_form_is_an_error(content: Any) -> None:
    with pytest.raises(ModelError) as raised:
        read(chunk(content=content))
    assert raised.value.code == "malformed"


def test_an_answer_of_reasoning_alone_is_empty_and_its_reasoning_is_passed_on() -> None:
    reader, events = ChunkReader(), list[StreamEvent]()
    with pytest.raises(ModelError) as raised:
        for piece in (chunk(content="<think>Hm."), CLOSING):
            for event in reader.read(piece):
                events.append(event)
    assert (raised.value.code, events) == ("malformed", [Reasoning("Hm.")])


def test_endless_reasoning_is_stored_up_to_a_limit() -> None:
    thinking = ThinkingFilter()
    assert {thinking.feed(piece) for piece in ["<think>", *["word " * 1_000] * 100]} == {""}
    assert len(thinking.reasoning) <= LONGEST_REASONING < 500_000
