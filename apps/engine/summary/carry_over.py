"""Fate of a summary's lines in its successor: carried over, removed for a reason, or lost.

Decisions and lines with identifiers must not be lost: they are restored as far as their field has space.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as data_field
from enum import StrEnum
from typing import Any

from apps.engine.language.similarity import means_the_same, stems
from apps.engine.policy import Policy
from apps.engine.summary.corrections import without_corrected
from apps.engine.summary.rendering import entry_key, entry_text
from apps.engine.summary.rolling_summary import Decision, Entry, Reference, ReferenceType, RollingSummary
from apps.engine.summary.trust.prompt_injection import orders_the_model, without_orders

_TOKEN = re.compile(r"[\w./:@#%+-]+")
_LOOKS_LIKE_NAME = re.compile(r"\d|_|/|\w\.\w|[a-z][A-Z]")
_NAMED_TYPES = frozenset({ReferenceType.FILE, ReferenceType.URL, ReferenceType.ID})
# Of a line's words so many come back in one that was written from it.
_SHARED_AT_LEAST = 1 / 3


class RemovalReason(StrEnum):
    """Why a line left: a message replaced, answered or finished it; its field was full; it read like an order to the
    model; or the reason is unknown."""

    SUPERSEDED = "superseded"
    ANSWERED = "answered"
    DONE = "done"
    LIMIT = "limit"
    INSTRUCTION = "instruction"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RemovedLine:
    """A line that left the summary, as it stood. `by` are the ids of the messages that ended it, if some did.

    `key` identifies the line in its field, so that no client has to take `text` apart.
    """

    field: str
    text: str
    reason: RemovalReason
    by: tuple[str, ...] = ()
    key: str = data_field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Notes:
    """A new summary, and its writer's reasons for the removed lines of the old one."""

    summary: RollingSummary
    removed: tuple[RemovedLine, ...] = ()


ReportedRemovals = Mapping[Entry, RemovedLine]
"""The reasons that the writer of a new summary reports for removed lines, by line."""


def names_of(entry: Entry) -> tuple[str, ...]:
    """Names and numbers by which a decision or reference is found again.

    >>> names_of(Decision("Use psycopg3 with a pool of 20", "it is quick", ("m1",)))
    ('psycopg3', '20')
    """
    if isinstance(entry, Reference):
        return (entry.value,) if entry.type in _NAMED_TYPES else ()
    if not isinstance(entry, Decision):
        return ()
    tokens = (token.strip("./:@#%+-") for token in _TOKEN.findall(entry.text))
    return tuple(token for token in tokens if len(token) > 1 and _LOOKS_LIKE_NAME.search(token))


def lost_lines(
    current: RollingSummary, proposed: RollingSummary, reported: ReportedRemovals
) -> tuple[tuple[str, Entry], ...]:
    """The decisions and lines with identifiers that are neither carried over nor reported removed, with their fields.

    One that gives orders to the model is no loss.
    """
    heir = _Heir(proposed)
    return tuple(
        (field, entry)
        for field, entry in without_orders(without_corrected(current)).entries()
        if (field == "decisions" or names_of(entry)) and entry not in reported and not heir.keeps(entry)
    )


def with_lost(proposed: RollingSummary, lost: Sequence[tuple[str, Entry]], policy: Policy) -> RollingSummary:
    """The proposed summary with the lost lines before the newer ones; each field drops its oldest beyond its limit."""
    kept: dict[str, Any] = {}
    for field in dict.fromkeys(field for field, _ in lost):
        back = tuple(entry for name, entry in lost if name == field)
        kept[field] = (*back, *getattr(proposed, field))[-policy.field_limit(field) :]
    return replace(proposed, **kept)


def credible_removals(reported: ReportedRemovals, proposed: RollingSummary, policy: Policy) -> dict[Entry, RemovedLine]:
    """Drop reports that are not credible: a full field that is not full, or an ending that names no message."""

    def is_true(removed: RemovedLine) -> bool:
        return _is_full(proposed, removed.field, policy) if removed.reason is RemovalReason.LIMIT else bool(removed.by)

    return {entry: removed for entry, removed in reported.items() if is_true(removed)}


def removed_line(field: str, entry: Entry, reason: RemovalReason, by: tuple[str, ...] = ()) -> RemovedLine:
    return RemovedLine(field, entry_text(entry), reason, by, key=entry_key(entry))


def missing_lines(
    current: RollingSummary, proposed: RollingSummary, reported: ReportedRemovals, policy: Policy
) -> tuple[RemovedLine, ...]:
    """Every line that is not in the new summary, and why."""
    heir = _Heir(proposed)

    def unsaid(field: str, entry: Entry) -> RemovalReason:
        if orders_the_model(entry_text(entry)):
            return RemovalReason.INSTRUCTION
        return RemovalReason.LIMIT if _is_full(proposed, field, policy) else RemovalReason.UNKNOWN

    left = [(field, entry) for field, entry in without_corrected(current).entries() if not heir.keeps(entry)]
    return tuple(reported.get(entry) or removed_line(field, entry, unsaid(field, entry)) for field, entry in left)


def reported_removals(current: RollingSummary, removed: Sequence[RemovedLine]) -> dict[Entry, RemovedLine]:
    """The reported removals by the lines of the current summary."""
    said = {(one.field, one.text): one for one in removed}
    reported = ((entry, said.get((field, entry_text(entry)))) for field, entry in current.entries())
    return {entry: one for entry, one in reported if one}


def removed_to_json(removed: Sequence[RemovedLine]) -> list[dict[str, Any]]:
    return [
        {"field": g.field, "key": g.key, "text": g.text, "reason": g.reason.value, "by": list(g.by)} for g in removed
    ]


def removed_from_json(stored: Sequence[Mapping[str, Any]]) -> tuple[RemovedLine, ...]:
    return tuple(
        RemovedLine(one["field"], one["text"], RemovalReason(one["reason"]), tuple(one["by"]), one.get("key", ""))
        for one in stored
    )


def contains_name(text: str, name: str) -> bool:
    """Whether the text contains the name as a whole word, ignoring case.

    >>> contains_name("See BILLING/jobs.py.", "billing/jobs.py"), contains_name("pool of 200", "20")
    (True, False)
    """
    return re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", text, re.IGNORECASE) is not None


class _Heir:
    """The lines of a new summary, prepared for matching with the old one's."""

    def __init__(self, summary: RollingSummary) -> None:
        self._lines = [_Known.of(entry) for _, entry in summary.entries()]

    def keeps(self, entry: Entry) -> bool:
        """Match a line with all of its names on the same topic, if it has names; else one that means the same, or was
        written from it."""
        old, names = _Known.of(entry), names_of(entry)
        if names:
            return any(
                all(contains_name(line.text, name) for name in names) and line.is_on(old) for line in self._lines
            )
        return any(means_the_same(old.topic, line.topic) or line.is_written_from(old) for line in self._lines)


@dataclass(frozen=True, slots=True)
class _Known:
    """A line: its words, its topic and its sources. A file or link is its own topic."""

    text: str
    topic: frozenset[str]
    sources: frozenset[str]
    is_itself: bool

    @classmethod
    def of(cls, entry: Entry) -> _Known:
        text = entry_text(entry)
        return cls(text, stems(text), frozenset(entry.sources), isinstance(entry, Reference))

    def is_on(self, old: _Known) -> bool:
        """Numbers alone do not identify a topic: the lines must also share a source or a word."""
        words = {stem for stem in self.topic & old.topic if not stem[0].isdigit()}
        return old.is_itself or bool(words) or not self.sources.isdisjoint(old.sources)

    def is_written_from(self, old: _Known) -> bool:
        shared = len(self.topic & old.topic)
        return self.sources.issuperset(old.sources) and shared >= len(old.topic) * _SHARED_AT_LEAST


def _is_full(summary: RollingSummary, field: str, policy: Policy) -> bool:
    return len(getattr(summary, field)) >= policy.field_limit(field)
