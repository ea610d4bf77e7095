"""A model's notes as a rolling summary: only lines with a known source, clean, of one length, within the limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from apps.compaction.summarizers.prompt import SummaryRequest, message_labels, note_labels
from apps.compaction.summarizers.schema import LineAnswer, SummaryAnswer
from apps.engine.messages.parsing import clipped
from apps.engine.policy import Policy
from apps.engine.summary.carry_over import RemovalReason, RemovedLine, removed_line
from apps.engine.summary.quality_gate import without_placeholders
from apps.engine.summary.rolling_summary import (
    Decision,
    Definition,
    Entry,
    Line,
    Reference,
    ReferenceType,
    RollingSummary,
)
from apps.llm.structured.text import clean

LONGEST_TEXT = 400
LONGEST_TERM = 80
LONGEST_VALUE = 500
_LABEL = re.compile(r"([ms]?)(\d+)")

AnyEntry = TypeVar("AnyEntry", bound=Entry)


@dataclass(frozen=True, slots=True)
class Sources:
    """The labels that a model may cite, with the message ids behind them, the oldest first."""

    labels: Mapping[str, tuple[str, ...]]
    places: Mapping[str, int]

    @classmethod
    def of(cls, labels: Mapping[str, tuple[str, ...]]) -> Sources:
        known = dict.fromkeys(source for sources in labels.values() for source in sources)
        return cls(labels, {source: place for place, source in enumerate(known)})

    def behind(self, cited: Iterable[str]) -> tuple[str, ...]:
        """The ids behind the labels, in order; unknown labels are skipped."""
        found = {source for label in cited for source in self.labels.get(_label(label), ())}
        return tuple(sorted(found, key=self.places.__getitem__))

    def newest(self, entry: Entry) -> int:
        return max(self.places[source] for source in entry.sources)


def summary_of(answer: SummaryAnswer, sources: Sources, policy: Policy) -> RollingSummary:
    """The acceptable part of the answer."""

    def cut(field: str, entries: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
        return _standing(entries, sources, policy.field_limit(field))

    return without_placeholders(
        RollingSummary(
            goals=cut("goals", _lines(answer.goals, sources)),
            decisions=cut(
                "decisions",
                (Decision(_text(d.text), _text(d.reason), sources.behind(d.sources)) for d in answer.decisions),
            ),
            requirements=cut("requirements", _lines(answer.requirements, sources)),
            current_plan=cut("current_plan", _lines(answer.current_plan, sources)),
            open_questions=cut("open_questions", _lines(answer.open_questions, sources)),
            definitions=cut("definitions", _definitions(answer, sources)),
            references=cut("references", _references(answer, sources)),
        )
    )


def removed_lines(answer: SummaryAnswer, fold: SummaryRequest) -> dict[Entry, RemovedLine]:
    """The reported removals that name a line of the current notes and messages that are compacted
    now: an older message cannot be the cause."""
    notes, messages = note_labels(fold.current), message_labels(fold)
    serialized_message: dict[Entry, RemovedLine] = {}
    for item in answer.removed:
        if line := notes.get(_label(item.line)):
            field, entry = line
            by = dict.fromkeys(messages[name] for name in map(_label, item.by) if name in messages)
            serialized_message[entry] = removed_line(field, entry, RemovalReason(item.reason), tuple(by))
    return serialized_message


def _lines(answers: Iterable[LineAnswer], sources: Sources) -> Iterable[Line]:
    return (Line(_text(line.text), sources.behind(line.sources)) for line in answers)


def _definitions(answer: SummaryAnswer, sources: Sources) -> Iterable[Definition]:
    """One for each term: the stored form knows them by it."""
    by_term = {_text(item.term, LONGEST_TERM): item for item in answer.definitions}
    return (Definition(term, _text(item.text), sources.behind(item.sources)) for term, item in by_term.items() if term)


def _references(answer: SummaryAnswer, sources: Sources) -> Iterable[Reference]:
    """A value is no use when cut: one that is too long is left out."""
    for item in answer.references:
        value = clean(item.value)
        if len(value) <= LONGEST_VALUE:
            yield Reference(ReferenceType(item.type), value, _text(item.note), sources.behind(item.sources))


def _standing(entries: Iterable[AnyEntry], sources: Sources, limit: int) -> tuple[AnyEntry, ...]:
    """Distinct lines with text and a source, oldest first; the oldest beyond the limit are dropped."""
    serialized_message = {_identity(entry): entry for entry in entries if entry.sources and _identity(entry)[1]}
    return tuple(sorted(serialized_message.values(), key=sources.newest)[-limit:])


def _identity(entry: Entry) -> tuple[str, str]:
    if isinstance(entry, Reference):
        return entry.type, entry.value
    return getattr(entry, "term", ""), entry.text.casefold()


def _text(text: str, length: int = LONGEST_TEXT) -> str:
    return clipped(clean(text), length)


def _label(cited: str) -> str:
    """Parse a label, ignoring what surrounds it; a bare number is a message's."""
    found = _LABEL.search(cited.lower())
    return f"{found[1] or 'm'}{found[2]}" if found else ""
