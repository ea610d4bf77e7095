"""Retention of planted facts: in a summary, and in packs for questions about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

_UNCUED = "nocue"


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence of the message `index`; a text with all `needles` keeps it.

    `question` asks for it in other words; it is empty if nobody asks. `stale` are words of what a reversal or a
    correction overturns. A fact `is_cued` if a phrase such as "we decided" announces it.
    """

    text: str
    index: int
    needles: tuple[str, ...]
    question: str
    stale: tuple[str, ...]
    is_cued: bool
    is_reversal: bool

    @classmethod
    def parse(cls, raw: dict[str, Any]) -> Fact:
        kind = raw["kind"]
        return cls(
            text=raw["fact"],
            index=raw["index"],
            needles=tuple(raw["needles"]),
            question=raw["q"] or "",
            stale=tuple(raw.get("stale", ())),
            is_cued=raw["cue"] != _UNCUED,
            is_reversal=kind == "reversal" or "correction" in kind,
        )

    def is_in(self, text: str) -> bool:
        """Whether a text in lower case has all needles."""
        return all(needle.lower() in text for needle in self.needles)

    def is_overturned_in(self, text: str) -> bool:
        """Whether a text in lower case has what the fact overturned."""
        return any(words.lower() in text for words in self.stale)


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A line of a summary, and the indexes of its source messages."""

    field: str
    text: str
    sources: frozenset[int]


@dataclass(slots=True)
class SummaryRetention:
    """Counts over summaries. A line is junk if no source of it holds a fact; references are not judged."""

    facts: int = 0
    included: int = 0
    uncued: int = 0
    uncued_included: int = 0
    reversals: int = 0
    reversals_right: int = 0
    overturned_left: int = 0
    lines: int = 0
    junk: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def note(self, facts: Sequence[Fact], lines: Sequence[SummaryLine]) -> None:
        """Add the summary of one conversation."""
        text = "\n".join(line.text for line in lines).lower()
        for fact in facts:
            self._note_fact(fact, text)
        held = {fact.index for fact in facts}
        judged = [line for line in lines if line.field != "references"]
        self.lines += len(judged)
        self.junk += [line.text for line in judged if not line.sources & held]

    def numbers(self) -> dict[str, float]:
        return {
            "summary_facts": _share(self.included, self.facts),
            "summary_facts_uncued": _share(self.uncued_included, self.uncued),
            "reversals_right": self.reversals_right,
            "overturned_standing": self.overturned_left,
            "junk_share": _share(len(self.junk), self.lines),
        }

    def _note_fact(self, fact: Fact, text: str) -> None:
        included, overturned = fact.is_in(text), fact.is_overturned_in(text)
        self.facts += 1
        self.included += included
        self.uncued += not fact.is_cued
        self.uncued_included += included and not fact.is_cued
        self.reversals += fact.is_reversal
        self.reversals_right += fact.is_reversal and included and not overturned
        self.overturned_left += fact.is_reversal and overturned
        if not included:
            self.missed.append(fact.text)


@dataclass(slots=True)
class PackRetention:
    """Counts over the packs of one budget, and over windows of the same size.

    `fills` are the shares of the budget that packs use where the conversation is longer than the budget.
    """

    questions: int = 0
    in_pack: int = 0
    in_window: int = 0
    fills: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def note(self, fact: Fact, pack: str, window: str) -> None:
        """Add the rendered pack and window for a fact's question: the fact must be there word for word."""
        present = _one_line(fact.text) in _one_line(pack)
        self.questions += 1
        self.in_pack += present
        self.in_window += _one_line(fact.text) in _one_line(window)
        if not present:
            self.missed.append(fact.text)


@dataclass(slots=True)
class FindRetention:
    """Ranks of memories that were asked for, by kind; zero if a memory was not found."""

    ranks: list[tuple[str, int]] = field(default_factory=list)

    def note(self, kind: str, expected: str, found: Sequence[str]) -> None:
        self.ranks.append((kind, found.index(expected) + 1 if expected in found else 0))

    def within(self, depth: int, kinds: Collection[str] | None = None) -> int:
        return sum(0 < rank <= depth for kind, rank in self.ranks if kinds is None or kind in kinds)

    @property
    def kinds(self) -> list[str]:
        return list(dict.fromkeys(kind for kind, _ in self.ranks))

    def by_kind(self, depth: int) -> dict[str, str]:
        asked = {kind: sum(one == kind for one, _ in self.ranks) for kind in self.kinds}
        return {kind: f"{self.within(depth, {kind})}/{asked[kind]}" for kind in self.kinds}


def mean_of(values: Iterable[float]) -> float | None:
    """The mean, or none of nothing."""
    known = list(values)
    return round(sum(known) / len(known), 4) if known else None


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _one_line(text: str) -> str:
    return " ".join(text.split())
