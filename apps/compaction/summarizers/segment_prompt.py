"""Prompt for a segment summary: the instructions, and the messages or shorter segments as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.engine.messages.message import Message
from apps.engine.policy import Policy
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN
from apps.llm.providers.base import Prompt
from apps.llm.structured.data_blocks import quoted, refusal, serialized_message
from apps.llm.structured.templates import prompt_file

_FILE = prompt_file(Path(__file__).with_suffix(".md"))
PROMPT_VERSION = _FILE.version
"""Changes with the prompt file, and with the extractive algorithm."""


@dataclass(frozen=True, slots=True)
class SegmentRequest:
    """The input of a summary of about `target` tokens: messages, or the texts of shorter segments."""

    messages: Sequence[Message]
    texts: Sequence[str]
    target: int
    policy: Policy


def segment_prompt(stretch: SegmentRequest, boundary: str, problem: str = "") -> Prompt:
    """`boundary` is a word that no message can know; `problem` is why an earlier answer was not accepted."""
    sections = [
        quoted("messages", boundary, (serialized_message(message, stretch.policy) for message in stretch.messages))
        if stretch.messages
        else quoted("stretches", boundary, ({"text": text} for text in stretch.texts)),
        _FILE.part("ask"),
    ]
    if problem:
        sections.append(refusal(problem))
    return Prompt(_instructions(stretch), "\n\n".join(sections))


def _instructions(stretch: SegmentRequest) -> str:
    length = _FILE.part("length", characters=stretch.target * CHARACTERS_PER_TOKEN)
    return "\n\n".join([_FILE.part("role"), length, _FILE.part("form")])
