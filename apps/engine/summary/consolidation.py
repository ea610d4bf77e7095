"""Consolidation of a field's old and new lines: merge duplicates, remove retracted lines, drop the least salient."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.engine.language.rationale import is_correction
from apps.engine.language.similarity import is_distinctive, overlap, speaker_of, stems
from apps.engine.language.supersession import Statement, ends
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import FIELDS, Decision, Definition, Entry, Line, Reference, RollingSummary
from apps.engine.summary.salience import entry_text, salience
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN

MOST_SOURCES = 8
_MOST_CANDIDATES = 160
_CHARACTERS_PER_LINE = 104
_RECENCY = 1.5
_REPETITION = 4.0
_CLEARLY = 0.4
CORRECTABLE = ("goals", "decisions", "requirements", "current_plan", "definitions")


@dataclass(frozen=True, slots=True)
class Placed:
    """A line and the place of its latest source among the messages (-1: older than all of them).

    `chance` is the reader's that it is worth keeping, if it was read.
    """

    entry: Entry
    position: int
    chance: float | None = None

    def worth(self, field: str) -> float:
        """Its salience in a field."""
        return salience(field, self.entry, self.chance)


@dataclass(frozen=True, slots=True)
class Strictness:
    """`alike`: the overlap from which two lines are one; `worth`: the least salience; `share`: percent of a limit."""

    alike: float
    worth: float
    share: int


STRICTNESS: Mapping[Level, Strictness] = {
    Level.LIGHT: Strictness(alike=0.74, worth=0.0, share=100),
    Level.DEEP: Strictness(alike=0.64, worth=2.0, share=80),
    Level.AGGRESSIVE: Strictness(alike=0.56, worth=2.6, share=60),
}


@dataclass(frozen=True, slots=True)
class _Cluster:
    placed: Placed
    topic: frozenset[str]
    speaker: str


class Consolidation:
    """One rewrite of a summary at one level under one policy."""

    def __init__(self, level: Level, policy: Policy, places: Mapping[str, int]) -> None:
        self._strictness = STRICTNESS[level]
        self._policy = policy
        self._places = places

    def merged(self, lines: Mapping[str, Sequence[Placed]]) -> RollingSummary:
        """The summary of all these lines, old and new."""
        united = {field: self._united(field, lines.get(field, ())) for field in FIELDS}
        current = _without_ended(united)
        chosen = {field: self._chosen(field, current[field]) for field in FIELDS}
        kept: dict[str, Any] = self._fitted(chosen)
        return RollingSummary(**kept)

    def place(self, entry: Entry) -> int:
        return max((self._places.get(source, -1) for source in entry.sources), default=-1)

    def limit(self, field: str) -> int:
        return max(1, self._policy.field_limit(field) * self._strictness.share // 100)

    def _united(self, field: str, lines: Sequence[Placed]) -> list[Placed]:
        clusters: list[_Cluster] = []
        for placed in sorted(_most_telling(field, lines), key=lambda line: line.position):
            new = _Cluster(placed, stems(entry_text(placed.entry)), speaker_of(entry_text(placed.entry)))
            same = [old for old in clusters if self._is_same(old, new)]
            taken_back = _taken_back(clusters, new) if field in CORRECTABLE else []
            clusters = [old for old in clusters if old not in same and old not in taken_back]
            entry = self._joined([old.placed.entry for old in same], placed.entry)
            chance = max((one for one in (placed.chance, *(old.placed.chance for old in same)) if one), default=None)
            clusters.append(replace(new, placed=replace(placed, entry=entry, chance=chance)))
        return [cluster.placed for cluster in clusters]

    def _is_same(self, old: _Cluster, new: _Cluster) -> bool:
        first, second = old.placed.entry, new.placed.entry
        if isinstance(first, Definition) and isinstance(second, Definition):
            return first.term.casefold() == second.term.casefold()
        if isinstance(first, Reference) and isinstance(second, Reference):
            return _named(first) == _named(second)
        if entry_text(first).casefold() == entry_text(second).casefold():
            return True
        if old.speaker != new.speaker or is_distinctive(old.topic, new.topic):
            return False
        return overlap(old.topic, new.topic) >= self._strictness.alike

    def _joined(self, olds: Sequence[Entry], new: Entry) -> Entry:
        """The newer wording with everybody's sources, and an older reason or note where the newer has none."""
        kept: dict[str, Any] = {"sources": self._sources([*olds, new])}
        for old in reversed(olds):
            if isinstance(old, Decision) and isinstance(new, Decision) and not (new.reason or kept.get("reason")):
                kept["reason"] = old.reason
            if isinstance(old, Reference) and isinstance(new, Reference) and not (new.note or kept.get("note")):
                kept["note"] = old.note
        return replace(new, **kept)

    def _sources(self, entries: Iterable[Entry]) -> tuple[str, ...]:
        every = dict.fromkeys(source for entry in entries for source in entry.sources)
        ordered = sorted(every, key=lambda source: self._places.get(source, -1))
        return tuple(ordered if len(ordered) <= MOST_SOURCES else [ordered[0], *ordered[1 - MOST_SOURCES :]])

    def _chosen(self, field: str, lines: Sequence[Placed]) -> list[Placed]:
        worth = self._strictness.worth
        newest = len(lines) - 1
        kept = [i for i, line in enumerate(lines) if i == newest or not worth or line.worth(field) >= worth]
        limit = self.limit(field)
        if len(kept) > limit:
            kept = _first_steps(lines, kept, limit) if field == "current_plan" else _best(field, lines, kept, limit)
        return [lines[i] for i in kept]

    def _fitted(self, chosen: dict[str, list[Placed]]) -> dict[str, Any]:
        """Bound the whole summary: drop the least salient line until it fits, but never a field's newest."""
        room = _CHARACTERS_PER_LINE * sum(self.limit(field) for field in FIELDS)
        used = sum(len(entry_text(line.entry)) for lines in chosen.values() for line in lines)
        yielding = sorted(
            (line.worth(field) - len(entry_text(line.entry)) / 120, FIELDS.index(field), number)
            for field, lines in chosen.items()
            for number, line in enumerate(lines[:-1])
        )
        removed: set[tuple[int, int]] = set()
        for _, place, number in yielding:
            if used <= room:
                break
            removed.add((place, number))
            used -= len(entry_text(chosen[FIELDS[place]][number].entry))
        return {
            field: tuple(line.entry for number, line in enumerate(chosen[field]) if (place, number) not in removed)
            for place, field in enumerate(FIELDS)
        }


def summary_budget(level: Level, policy: Policy) -> int:
    """Tokens of the longest summary that a rewrite at this level writes.

    >>> [summary_budget(level, Policy()) for level in Level]
    [1950, 1560, 1170]
    """
    limits = Consolidation(level, policy, {})
    return sum(limits.limit(field) for field in FIELDS) * _CHARACTERS_PER_LINE // CHARACTERS_PER_TOKEN


def _most_telling(field: str, lines: Sequence[Placed]) -> Sequence[Placed]:
    """Bound the work: of very many candidates take the most salient and the newest, in order."""
    if len(lines) <= _MOST_CANDIDATES:
        return lines
    every = {(entry_text(line.entry), line.position): line for line in lines}
    unique = sorted(every.values(), key=lambda line: line.position)
    ranks = _ranks(field, unique, range(len(unique)))
    best = sorted(range(len(unique)), key=lambda i: ranks[i], reverse=True)[:_MOST_CANDIDATES]
    return [unique[i] for i in sorted(best)]


def _ranks(field: str, lines: Sequence[Placed], kept: Sequence[int]) -> dict[int, float]:
    """Salience plus a small bonus for newer lines; the newest is never dropped."""
    last = max(1, len(kept) - 1)
    ranks = {i: lines[i].worth(field) + _RECENCY * age / last for age, i in enumerate(kept)}
    ranks[kept[-1]] = float("inf")
    return ranks


def _best(field: str, lines: Sequence[Placed], kept: Sequence[int], limit: int) -> list[int]:
    """The lines of the highest rank; a line is penalized for repeating selected ones (maximal marginal relevance)."""
    left = _ranks(field, lines, kept)
    topics = {i: stems(entry_text(lines[i].entry)) for i in kept}
    chosen: list[int] = []
    while left and len(chosen) < limit:
        best = max(left, key=lambda i: (left[i], i))
        del left[best]
        chosen.append(best)
        for i in left:
            left[i] -= _REPETITION * overlap(topics[i], topics[best]) ** 2
    return sorted(chosen)


def _first_steps(lines: Sequence[Placed], kept: Sequence[int], limit: int) -> list[int]:
    """The newest plan counts, and of its steps those that come first."""
    groups: dict[str, int] = {}
    for line in lines:
        groups.setdefault(line.entry.sources[-1], len(groups))
    order = sorted(kept, key=lambda i: (-groups[lines[i].entry.sources[-1]], i))
    return sorted(order[:limit])


def _named(reference: Reference) -> str:
    return reference.value.casefold().removeprefix("the ")


def _spoken(entry: Entry) -> str:
    """The line without its reason and its speaker."""
    text = entry.text if isinstance(entry, Line | Decision | Definition) else entry.value
    return text[len(speaker_of(text)) :].lstrip(": ")


def _taken_back(clusters: Sequence[_Cluster], new: _Cluster) -> list[_Cluster]:
    """The earlier lines on the same thing, when the new one is a correction and the overlap is clear."""
    if not is_correction(_spoken(new.placed.entry)):
        return []
    return [old for old in clusters if old.speaker == new.speaker and overlap(old.topic, new.topic) >= _CLEARLY]


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a line states, and its place: its field and number, and the position of its latest source."""

    field: str
    number: int
    position: int
    statement: Statement

    def follows(self, other: _Stated) -> bool:
        return self.number > other.number if self.field == other.field else self.position > other.position


def _without_ended(united: Mapping[str, list[Placed]]) -> dict[str, list[Placed]]:
    """Drop the lines that a later line ends."""
    stated = [
        _Stated(field, number, line.position, Statement(_spoken(line.entry)))
        for field in CORRECTABLE
        for number, line in enumerate(united[field])
    ]
    able = [one for one in stated if one.statement.replaced or one.statement.numbers]
    ended = {
        (old.field, old.number)
        for old in stated
        if any(new.follows(old) and ends(new.statement, old.statement) for new in able)
    }
    return {
        field: [line for number, line in enumerate(lines) if (field, number) not in ended]
        for field, lines in united.items()
    }
