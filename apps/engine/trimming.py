"""A summary too large for its room loses its oldest lines, the least telling fields first, and says which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apps.engine.sections import entry_line, field_line, summary_text
from apps.engine.summary import FIELDS, Entry, RollingSummary
from apps.engine.tokens import CHARACTERS_PER_TOKEN

# What goes first. Goals and the plan go last: without them the rest means little.
_YIELDING = ("references", "definitions", "requirements", "decisions", "open_questions")
_LASTING = ("current_plan", "goals")


@dataclass(frozen=True, slots=True)
class TrimmedSummary:
    """`left_out` names every line that went, with its field, in the order in which they went."""

    summary: RollingSummary
    left_out: tuple[tuple[str, Entry], ...]


def trim_summary(summary: RollingSummary, limit: int) -> TrimmedSummary:
    """The summary in at most `limit` tokens; each field's newest line outlives all older ones.

    >>> from apps.engine.summary import Line
    >>> old, new = Line("use MySQL", ("m1",)), Line("use PostgreSQL", ("m9",))
    >>> trim_summary(RollingSummary(requirements=(old, new)), 19).summary.requirements
    (Line(text='use PostgreSQL', sources=('m9',)),)
    """
    over = len(summary_text(summary)) - limit * CHARACTERS_PER_TOKEN
    remaining, kept_from = summary.sizes(), dict.fromkeys(FIELDS, 0)
    left_out: list[tuple[str, Entry]] = []
    for field, entry in _order_of_going(summary):
        if over <= 0:
            break
        left_out.append((field, entry))
        kept_from[field] += 1
        remaining[field] -= 1
        over -= _length(entry_line(entry)) + (0 if remaining[field] else _length(field_line(field)))
    kept = {name: getattr(summary, name)[kept_from[name] :] for name in FIELDS}
    return TrimmedSummary(RollingSummary(**kept), tuple(left_out))


def _length(line: str) -> int:
    return len(line) + len("\n")


def _order_of_going(summary: RollingSummary) -> Iterator[tuple[str, Entry]]:
    """Within a field always the oldest first, so that what stays of it is its end."""
    for field in _YIELDING:
        yield from ((field, entry) for entry in getattr(summary, field)[:-1])
    for field in _YIELDING:
        yield from ((field, entry) for entry in getattr(summary, field)[-1:])
    for field in _LASTING:
        yield from ((field, entry) for entry in getattr(summary, field))
