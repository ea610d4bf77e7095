"""Scores of a search in the tree, and the rounds in which it looks around its best results.

A score is 0.5 similarity + 0.3 relevance + 0.2 parent, each normalized per query. The parent's part is the best
similarity among the other nodes of the same directory: a result with good company counts more, and one without any
counts by its own similarity. Seed 004, section 7.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

EQUAL_ROUNDS, MOST_ROUNDS = 3, 6
MOST_DIRECTORIES = 8
"""Directories that one round looks into."""


class End(StrEnum):
    """Why the rounds ended: the same results three times, nothing left to look into, six rounds, or out of time."""

    STABLE = "stable"
    EXHAUSTED = "exhausted"
    ROUNDS = "rounds"
    DEADLINE = "deadline"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node or a message. `directory` is what its siblings share, empty if it has none; `similarity` is the score of
    its words and meaning before decay, `relevance` what decay leaves, from 0 to 1."""

    id: str
    directory: str
    similarity: float
    relevance: float


@dataclass(frozen=True, slots=True)
class TreeWeights:
    """Weights of the parts of a score; their sum is 1."""

    similarity: float = 0.5
    relevance: float = 0.3
    parent_score: float = 0.2


WEIGHTS = TreeWeights()


@dataclass(frozen=True, slots=True)
class TreeScore:
    """The normalized parts of a score, each from 0 to 1."""

    id: str
    similarity: float
    relevance: float
    parent_score: float

    @property
    def total(self) -> float:
        own = WEIGHTS.similarity * self.similarity + WEIGHTS.relevance * self.relevance
        return round(own + WEIGHTS.parent_score * self.parent_score, 6)


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the directories it looked into, how many new nodes they had, and its best results, best first."""

    number: int
    directories: tuple[str, ...]
    added: int
    best: tuple[str, ...]


@dataclass(slots=True)
class Rounds:
    """The state of a search between its rounds."""

    top_k: int
    candidates: dict[str, Candidate] = field(default_factory=dict)
    done: list[Round] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, found: Iterable[Candidate]) -> int:
        """Add candidates, of which the more similar one is kept; return how many are new."""
        before = len(self.candidates)
        for one in found:
            known = self.candidates.get(one.id)
            if known is None or one.similarity > known.similarity:
                self.candidates[one.id] = one
        return len(self.candidates) - before

    @property
    def best(self) -> list[TreeScore]:
        return scored(self.candidates.values())[: self.top_k]

    def next_directories(self) -> tuple[str, ...]:
        """The directories of the best results that no round has looked into yet, those of better results first."""
        of_best = (self.candidates[one.id].directory for one in self.best)
        new = dict.fromkeys(one for one in of_best if one and one not in self.seen)
        return tuple(new)[:MOST_DIRECTORIES]

    def finish_round(self, directories: Collection[str], added: int) -> None:
        self.seen.update(directories)
        best = tuple(one.id for one in self.best)
        self.done.append(Round(len(self.done) + 1, tuple(directories), added, best))

    @property
    def end(self) -> End | None:
        """Why no further round is needed, if so."""
        last = [one.best for one in self.done[-EQUAL_ROUNDS:]]
        if len(last) == EQUAL_ROUNDS and len(set(last)) == 1:
            return End.STABLE
        if len(self.done) == MOST_ROUNDS:
            return End.ROUNDS
        return None if self.next_directories() else End.EXHAUSTED


def scored(candidates: Collection[Candidate]) -> list[TreeScore]:
    """Score candidates, best first.

    >>> near, sibling, lone = (Candidate(*one, 1.0) for one in (("a", "d", 4.0), ("b", "d", 2.0), ("c", "e", 2.0)))
    >>> [(one.id, one.total) for one in scored([near, sibling, lone])]
    [('a', 0.9), ('b', 0.75), ('c', 0.65)]
    """
    if not candidates:
        return []
    most = max(one.similarity for one in candidates)
    highest = max(one.relevance for one in candidates)
    companies = _companies(candidates)
    scores = (
        TreeScore(one.id, _share(one.similarity, most), _share(one.relevance, highest), _share(company, most))
        for one in candidates
        for company in (_best_other(one, companies.get(one.directory, ())),)
    )
    return sorted(scores, key=lambda one: (-one.total, -one.similarity, one.id))


def _companies(candidates: Iterable[Candidate]) -> dict[str, tuple[float, ...]]:
    """The two highest similarities of each directory."""
    found: dict[str, tuple[float, ...]] = {}
    for one in candidates:
        if one.directory:
            found[one.directory] = tuple(sorted((*found.get(one.directory, ()), one.similarity), reverse=True)[:2])
    return found


def _best_other(one: Candidate, highest: Sequence[float]) -> float:
    """The best similarity among the others of its directory; its own if there are none."""
    others = highest[1:] if highest and highest[0] == one.similarity else highest
    return others[0] if others else one.similarity


def _share(value: float, most: float) -> float:
    return max(0.0, value / most) if most > 0 else 0.0
