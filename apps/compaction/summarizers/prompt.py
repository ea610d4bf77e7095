"""Asking for the rolling summary: the instructions, and the current summary and messages as quoted data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apps.engine.messages.message import Message
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import FIELDS, Entry, RollingSummary
from apps.engine.tokens.estimate import estimate_text
from apps.llm.providers.base import Prompt
from apps.llm.structured.data_blocks import label, quoted, refusal, serialized_message, shown
from apps.llm.structured.templates import prompt_file

_FILE = prompt_file(Path(__file__).with_suffix(".md"))


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What one run of a compaction works on."""

    current: RollingSummary
    messages: Sequence[Message]
    level: Level
    policy: Policy


def compaction_prompt(fold: SummaryRequest, boundary: str, problem: str = "") -> Prompt:
    """`boundary` is a word that no message can know; `problem` is why an earlier answer was not accepted."""
    sections = [
        quoted("notes", boundary, _notes(fold.current)),
        quoted("messages", boundary, (serialized_message(message, fold.policy) for message in fold.messages)),
        _FILE.part("ask"),
    ]
    if problem:
        sections.append(refusal(problem))
    return Prompt(_instructions(fold), "\n\n".join(sections))


def source_labels(fold: SummaryRequest) -> dict[str, tuple[str, ...]]:
    """The message ids behind each label that the model may cite, the oldest first."""
    lines = {name: entry.sources for name, (_, entry) in note_labels(fold.current).items()}
    return lines | {name: (message_id,) for name, message_id in message_labels(fold).items()}


def message_labels(fold: SummaryRequest) -> dict[str, str]:
    """The ids of the compacted messages by their labels in the prompt."""
    return {label(message): message.id for message in fold.messages}


def note_labels(summary: RollingSummary) -> dict[str, tuple[str, Entry]]:
    """The lines of the present notes, with their fields, by the labels under which the model sees them."""
    return {f"s{number}": line for number, line in enumerate(summary.entries(), 1)}


def input_tokens(fold: SummaryRequest) -> int:
    """How much text of messages the model is shown."""
    return sum(estimate_text(shown(message, fold.policy)) for message in fold.messages)


def _instructions(fold: SummaryRequest) -> str:
    limits = ", ".join(f"{field} {fold.policy.field_limit(field)}" for field in FIELDS)
    level = f"level {fold.level.value}"
    return "\n\n".join([*map(_FILE.part, ("role", level)), _FILE.part("limits", limits=limits), _FILE.part("form")])


def _notes(summary: RollingSummary) -> Iterator[dict[str, Any]]:
    for name, (field, entry) in note_labels(summary).items():
        line = {key: value for key, value in asdict(entry).items() if value and key != "sources"}
        yield {"label": name, "field": field, **line}
