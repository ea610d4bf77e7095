"""Comparison of a summary that another program wrote, as prose, with the rolling summary of the same conversation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from apps.engine.language.similarity import coverage, stems
from apps.engine.summary.carry_over import contains_name, names_of
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import Entry, RollingSummary
from apps.engine.summary.trust.prompt_injection import without_orders

_COMPARED = frozenset({"decisions", "requirements", "references"})
# So much of a line's words is in a text that covers it; without its reason, for summaries omit those first.
_COVERED = 0.6


@dataclass(frozen=True, slots=True)
class LostLine:
    """A line that the other summary does not cover; `names` are the numbers and identifiers that it lacks."""

    field: str
    text: str
    names: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many lines were compared, and those that are lost."""

    compared: int
    lost: tuple[LostLine, ...]

    def to_json(self) -> dict[str, Any]:
        lost = [{"field": one.field, "text": one.text, "names": list(one.names)} for one in self.lost]
        return {"compared": self.compared, "lost": lost}


def compare(own: RollingSummary, foreign: str) -> Comparison:
    """Compare decisions, requirements and references. A line with names is covered if the text has all of them.

    >>> from apps.engine.summary.rolling_summary import Decision
    >>> own = RollingSummary(decisions=(Decision("Use a pool of 20", "", ("m1",)), Decision("Deploy at night", "", ())))
    >>> [(one.text, one.names) for one in compare(own, "We deploy at night with a small pool.").lost]
    [('Use a pool of 20', ('20',))]
    """
    lines = [(field, entry) for field, entry in without_orders(own).entries() if field in _COMPARED]
    words = stems(foreign)
    return Comparison(len(lines), tuple(_lost(lines, foreign, words)))


def _lost(lines: list[tuple[str, Entry]], foreign: str, words: frozenset[str]) -> Iterator[LostLine]:
    for field, entry in lines:
        names = names_of(entry)
        missing = tuple(name for name in names if not contains_name(foreign, name))
        if missing or not (names or _covers(words, entry)):
            yield LostLine(field, entry_text(entry), missing, tuple(entry.sources))


def _covers(words: frozenset[str], entry: Entry) -> bool:
    body = stems(getattr(entry, "value", "") or getattr(entry, "text", ""))
    return not body or coverage(body, words) >= _COVERED
