"""A summary too large for its room loses its oldest lines, the least telling fields first, and says which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.engine.sections import summary_text
from apps.engine.summary import Entry, RollingSummary
from apps.engine.tokens import count_text

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
    left_out: list[tuple[str, Entry]] = []
    for field, entry in list(_order_of_going(summary)):
        if count_text(summary_text(summary)) <= limit:
            break
        left = tuple(kept for kept in getattr(summary, field) if kept is not entry)
        summary = replace(summary, **{field: left})
        left_out.append((field, entry))
    return TrimmedSummary(summary, tuple(left_out))


def _order_of_going(summary: RollingSummary) -> Iterator[tuple[str, Entry]]:
    for field in _YIELDING:
        yield from ((field, entry) for entry in getattr(summary, field)[:-1])
    for field in _YIELDING:
        yield from ((field, entry) for entry in getattr(summary, field)[-1:])
    for field in _LASTING:
        yield from ((field, entry) for entry in getattr(summary, field))
