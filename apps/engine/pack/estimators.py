"""Other ways to count tokens than the one that is stored: they recount what is in a finished pack, never a message.

A pack is always built for a budget in stored tokens (`engine.tokens.counting`). Where another estimator counts
more than the budget allows, or much less, the pack is built again for a smaller or larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Generic, Protocol, TypeVar

from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.tokens.counting import ROLE_TOKENS, count_text

LARGEST_STRETCH = 4
"""How many times the budget a pack may be built for, whatever the estimator says: it bounds what is read for one."""

# A pack is good enough from this share of the budget on; a guess aims between it and the whole.
_ENOUGH = Fraction(95, 100)
_AIM = Fraction(985, 1000)
_LOWER = Fraction(15, 100)
_MOST_GUESSES = 5


@dataclass(frozen=True, slots=True)
class Estimator:
    """`count` gives the tokens of a text, `percent` what a model's provider finds of them: 100 is no calibration.

    `calls` are those the calibration rests on. `fallback_from` names the estimator that was wanted and cannot be had.
    """

    name: str
    count: Callable[[str], int]
    percent: int = 100
    calls: int = 0
    fallback_from: str = ""

    @property
    def factor(self) -> float:
        return self.percent / 100

    @property
    def is_stored_count(self) -> bool:
        """It finds in a pack exactly what the pack says of itself."""
        return self.count is count_text and self.percent == 100

    def tokens(self, text: str) -> int:
        """Tokens of a text, rounded up.

        >>> Estimator("characters/4", count_text, percent=110).tokens("x" * 40)
        11
        """
        return self.calibrated(self.count(text))

    def calibrated(self, count: int) -> int:
        return -(-count * self.percent // 100)


@dataclass(frozen=True, slots=True)
class EstimatorState:
    """What every number says of the estimator behind it."""

    name: str
    factor: float
    fallback_from: str
    calls: int


def estimator_state(estimator: Estimator) -> EstimatorState:
    return EstimatorState(estimator.name, estimator.factor, estimator.fallback_from, estimator.calls)


def count_words(text: str) -> int:
    """Three quarters of a word are a token.

    >>> count_words("one two three"), count_words("one"), count_words(" ")
    (4, 2, 0)
    """
    return -(-len(text.split()) * 4 // 3)


HEURISTIC = Estimator("characters/4", count_text)
WORDS = Estimator("words/0.75", count_words)


class Counted(Protocol):
    """A finished pack: by part its stored tokens, its texts exactly as sent, and the roles of how many messages."""

    @property
    def tokens(self) -> Mapping[str, int]: ...

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]: ...

    @property
    def roles(self) -> Mapping[str, int]: ...


P = TypeVar("P", bound=Counted)


def recounted(pack: Counted, estimator: Estimator) -> dict[str, int]:
    """Tokens by part. By every estimator a message's role costs the same, before the calibration."""
    if estimator.is_stored_count:
        return dict(pack.tokens)
    return {
        part: estimator.calibrated(sum(map(estimator.count, texts)) + ROLE_TOKENS * pack.roles.get(part, 0))
        for part, texts in pack.parts.items()
    }


def within(budget: int, estimator: Estimator, build: Callable[[int], P]) -> tuple[P, dict[str, int]]:
    """The pack of at most `budget` tokens by the estimator, with its tokens by part; `build` takes stored tokens.

    Stored tokens are found that are worth 95 % of the budget or more at the pack's own density, as a rule after one to
    four builds, so that a pack that fills what it may fills the budget; the stored count builds once. Raises
    `BudgetExceeded` with the parts as the estimator counts them.
    """
    if estimator.is_stored_count:
        pack = build(budget)
        return pack, recounted(pack, estimator)
    search = _Search(budget, replace(estimator, count=cache(estimator.count)), build)
    found = search.best()
    return found.pack, found.tokens


@dataclass(frozen=True, slots=True)
class _Try(Generic[P]):
    """A pack built for `asked` stored tokens; `total` is what the estimator finds in it."""

    asked: int
    pack: P
    tokens: dict[str, int]
    total: int

    @property
    def worth(self) -> Fraction:
        """What the estimator would find if the pack filled what was asked for with more of the same."""
        return Fraction(self.total * self.asked, max(1, sum(self.pack.tokens.values())))

    @property
    def wants_no_more(self) -> bool:
        """It leaves so much free that the budget is not what limits it."""
        return 4 * sum(self.pack.tokens.values()) < self.asked


class _Search(Generic[P]):
    """Looks for the stored tokens that are worth the budget: proportionally first, then along the line through what
    was tried. After a few guesses the best that fits is taken; the least pack that there is fits, or nothing does.
    """

    def __init__(self, budget: int, estimator: Estimator, build: Callable[[int], P]) -> None:
        self._budget, self._estimator, self._build = budget, estimator, build
        self._fitting: list[_Try[P]] = []
        self._beyond: list[_Try[P]] = []

    def best(self) -> _Try[P]:
        asked: int | None = self._bounded(Fraction(self._budget * 100, self._estimator.percent))
        guesses = 0
        while asked is not None and guesses < _MOST_GUESSES:
            tried = self._tried(asked)
            if tried.total <= self._budget and (tried.wants_no_more or tried.worth >= self._budget * _ENOUGH):
                return tried
            asked, guesses = self._next(), guesses + 1
        return max(self._fitting, key=lambda tried: tried.total) if self._fitting else self._least()

    def _tried(self, asked: int) -> _Try[P]:
        try:
            return self._noted(asked, self._build(asked))
        except BudgetExceeded as error:
            return self._smallest(error)

    def _noted(self, asked: int, pack: P) -> _Try[P]:
        tokens = recounted(pack, self._estimator)
        tried = _Try(asked, pack, tokens, sum(tokens.values()))
        (self._fitting if tried.total <= self._budget else self._beyond).append(tried)
        return tried

    def _smallest(self, refusal: BudgetExceeded) -> _Try[P]:
        """What must stand in every pack, and nothing else."""
        tried = self._noted(refusal.smallest, self._build(refusal.smallest))
        if tried.total > self._budget:
            parts = {part: count for part, count in tried.tokens.items() if count or part in refusal.parts}
            raise BudgetExceeded(self._budget, parts) from refusal
        return tried

    def _least(self) -> _Try[P]:
        tried = self._tried(1)
        if tried.total > self._budget:
            raise BudgetExceeded(self._budget, {part: count for part, count in tried.tokens.items() if count})
        return tried

    def _next(self) -> int | None:
        """More than what fits and less than what does not; empty where nothing is left between them."""
        low = max((tried.asked for tried in self._fitting), default=0)
        high = min((tried.asked for tried in self._beyond), default=LARGEST_STRETCH * self._budget + 1)
        if high - low < 2:
            return None
        return min(max(self._bounded(self._guess()), low + 1), high - 1)

    def _guess(self) -> Fraction:
        """From the two tries nearest to the budget, or from one where a line through two leads nowhere."""
        telling = [tried for tried in (*self._fitting, *self._beyond) if tried.worth]
        if not telling:
            return Fraction(LARGEST_STRETCH * self._budget)
        near, *others = sorted(telling, key=self._distance)
        aim = self._aim()
        for other in others[:1]:
            run, rise = other.asked - near.asked, other.worth - near.worth
            if run * rise > 0 and (guess := near.asked + (aim - near.worth) * run / rise) > 0:
                return guess
        return near.asked * aim / near.worth

    def _distance(self, tried: _Try[P]) -> tuple[Fraction, int]:
        return abs(tried.worth - self._budget), tried.asked

    def _aim(self) -> Fraction:
        """Lower with every try that did not fit, until one does: a pack that fits is worth more than a full one."""
        missed = 0 if self._fitting else max(0, len(self._beyond) - 1)
        return self._budget * (_AIM - missed * _LOWER)

    def _bounded(self, asked: Fraction) -> int:
        return max(1, min(int(asked), LARGEST_STRETCH * self._budget))
