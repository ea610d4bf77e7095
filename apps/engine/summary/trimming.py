"""Trimming of a summary that exceeds its grant: the oldest lines of the least important fields first, each reported.

Within a field a person's lines are removed last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.engine.summary.rendering import entry_line, section_line, section_of, summary_text
from apps.engine.summary.rolling_summary import FIELDS, Entry, RollingSummary
from apps.engine.tokens.estimate import TOKEN_SIZE, text_size

# Fields in the order of removal. Goals and the plan come last: without them the rest means little.
_YIELDING = ("references", "definitions", "requirements", "decisions", "open_questions")
_LASTING = ("current_plan", "goals")


@dataclass(frozen=True, slots=True)
class TrimmedSummary:
    """`left_out` names every line that went, with its field, in the order in which they went."""

    summary: RollingSummary
    removed_lines: tuple[tuple[str, Entry], ...]


def trim_summary(summary: RollingSummary, limit: int) -> TrimmedSummary:
    """The summary in at most `limit` tokens; each field's newest line outlives all older ones.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> old, new = Line("use MySQL", ("m1",)), Line("use PostgreSQL", ("m9",))
    >>> trim_summary(RollingSummary(requirements=(old, new)), 19).summary.requirements
    (Line(text='use PostgreSQL', sources=('m9',), corrected=False, reported=False),)
    """
    over = text_size(summary_text(summary)) - limit * TOKEN_SIZE
    remaining = Counter(section_of(field, entry) for field, entry in summary.entries())
    removed = set[tuple[str, int]]()
    removed_lines: list[tuple[str, Entry]] = []
    for field, place in _order_of_going(summary):
        if over <= 0:
            break
        entry: Entry = getattr(summary, field)[place]
        removed_lines.append((field, entry))
        removed.add((field, place))
        section = section_of(field, entry)
        remaining[section] -= 1
        over -= _size(entry_line(field, entry)) + (0 if remaining[section] else _size(section_line(section)))
    kept: dict[str, Any] = {
        name: tuple(entry for place, entry in enumerate(getattr(summary, name)) if (name, place) not in removed)
        for name in FIELDS
    }
    return TrimmedSummary(replace(summary, **kept), tuple(removed_lines))


def _size(line: str) -> int:
    return text_size(line + "\n")


def _order_of_going(summary: RollingSummary) -> Iterator[tuple[str, int]]:
    """Fields and places. Within a field the oldest first, and before all that a person wrote."""
    for field in _YIELDING:
        yield from ((field, place) for place in _places(summary, field)[:-1])
    for field in _YIELDING:
        yield from ((field, place) for place in _places(summary, field)[-1:])
    for field in _LASTING:
        yield from ((field, place) for place in _places(summary, field))


def _places(summary: RollingSummary, field: str) -> list[int]:
    entries: Sequence[Entry] = getattr(summary, field)
    return sorted(range(len(entries)), key=lambda place: entries[place].corrected)
