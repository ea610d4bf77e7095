"""Corrections of the summary by a person, which survive every later summary.

A corrected line stays verbatim in its position; a dismissed or replaced line does not return.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.engine.language.similarity import means_the_same, stems
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import FIELDS, Definition, Entry, Reference, RollingSummary

MOST_DISMISSED = 50


class CorrectionRefused(ValueError):
    """`code` is no_such_line, field_full or line_exists."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Correction:
    """Write `line` in the place of a field's line; without a place add it, without a line take the old one out."""

    field: str
    place: int | None
    line: Entry | None


def corrected(summary: RollingSummary, correction: Correction, limit: int) -> RollingSummary:
    """Apply a correction; raise `CorrectionRefused`. `limit` is the field's maximum number of lines.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> summary = RollingSummary(goals=(Line("Ship on Friday", ("a",)),))
    >>> corrected(summary, Correction("goals", 0, Line("Ship on Monday", ())), 5).goals
    (Line(text='Ship on Monday', sources=('a',), corrected=True, reported=False),)
    """
    lines: list[Entry] = list(getattr(summary, correction.field))
    place = len(lines) if correction.place is None else correction.place
    old = lines[place : place + 1]
    if correction.place is not None and not old:
        raise CorrectionRefused("no_such_line")
    if not old and len(lines) >= limit:
        raise CorrectionRefused("field_full")
    new = [_written(correction.line, old)] if correction.line else []
    lines[place : place + 1] = []
    if new and _key(new[0]) in {_key(line) for line in lines}:
        raise CorrectionRefused("line_exists")
    lines[place:place] = new
    kept: dict[str, Any] = {correction.field: tuple(lines), "dismissed": _dismissed(summary, old, new)}
    return replace(summary, **kept)


def with_corrections(proposed: RollingSummary, current: RollingSummary, policy: Policy) -> RollingSummary:
    """The proposed summary with the corrections of the current one: they count within a field's limit first."""
    kept: dict[str, Any] = {
        field: _with_own(getattr(proposed, field), getattr(current, field), CorrectedLines.of(current, field), limit)
        for field, limit in ((field, policy.field_limit(field)) for field in FIELDS)
    }
    return replace(proposed, **kept, dismissed=current.dismissed)


def without_corrected(summary: RollingSummary) -> RollingSummary:
    """Only what came from messages."""
    kept: dict[str, Any] = {
        field: tuple(entry for entry in getattr(summary, field) if not entry.corrected) for field in FIELDS
    }
    return replace(summary, **kept)


def remaining_space(summary: RollingSummary, policy: Policy) -> Policy:
    """The policy with the limits that corrected lines leave to the others; never less than one."""
    own = {field: sum(entry.corrected for entry in getattr(summary, field)) for field in FIELDS}
    left: dict[str, Any] = {f"max_{field}": max(1, policy.field_limit(field) - own[field]) for field in FIELDS}
    return replace(policy, **left)


class CorrectedLines:
    """What a field has by correction already, or must not get again."""

    def __init__(self, own: Sequence[Entry], dismissed: Sequence[str]) -> None:
        self._keys = {_key(entry) for entry in own} | {text.casefold() for text in dismissed}
        self._topics = [stems(text) for text in (*map(entry_gist, own), *dismissed)]

    @classmethod
    def of(cls, summary: RollingSummary, field: str) -> CorrectedLines:
        return cls([entry for entry in getattr(summary, field) if entry.corrected], summary.dismissed)

    def contains(self, entry: Entry) -> bool:
        """Whether the line means the same as a corrected or dismissed one; references are compared by value."""
        if _key(entry) in self._keys:
            return True
        if isinstance(entry, Reference) or not self._topics:
            return False
        topic = stems(entry_gist(entry))
        return any(means_the_same(topic, other) for other in self._topics)


def _written(line: Entry, old: Sequence[Entry]) -> Entry:
    sources = old[0].sources if old else ()
    return replace(line, sources=sources, corrected=True)


def _dismissed(summary: RollingSummary, old: Sequence[Entry], new: Sequence[Entry]) -> tuple[str, ...]:
    """With the text that went, without the one that came."""
    wanted = {entry_gist(line) for line in new}
    every = (*summary.dismissed, *map(entry_gist, old))
    return tuple(text for text in dict.fromkeys(every) if text not in wanted)[-MOST_DISMISSED:]


def _with_own(
    proposed: Sequence[Entry], current: Sequence[Entry], taken: CorrectedLines, limit: int
) -> tuple[Entry, ...]:
    """The newest of the proposed lines, with each corrected one in its current position."""
    own = [(place, entry) for place, entry in enumerate(current) if entry.corrected]
    others = [entry for entry in proposed if not (entry.corrected or taken.contains(entry))]
    lines = others[max(0, len(others) + len(own) - limit) :]
    for place, entry in own:
        lines.insert(place, entry)
    return tuple(lines)


def _key(entry: Entry) -> str:
    """By what a field knows its lines apart."""
    if isinstance(entry, Definition):
        return entry.term.casefold()
    return entry_gist(entry).casefold()


def entry_gist(entry: Entry) -> str:
    """The text of a line without its reason or note."""
    if isinstance(entry, Definition):
        return f"{entry.term}: {entry.text}"
    return entry.value if isinstance(entry, Reference) else entry.text
