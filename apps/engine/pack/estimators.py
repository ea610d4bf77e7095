"""Token estimators, and the search for a pack that fills a budget by one other than the default.

A pack is always built for a budget in tokens of the default estimate (`engine.tokens.estimate`). If another estimator
counts more than the budget, or much less, the pack is rebuilt for a smaller or larger number of those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Generic, Protocol, TypeVar

from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.tokens.counting import ROLE_TOKENS, count_text
from apps.engine.tokens.estimate import estimate_text

MAX_BUDGET_FACTOR = 4
"""Upper bound of the estimated tokens a pack is built for, as a multiple of its budget. It bounds the rows read."""

# A pack that fills this share of the budget is good enough; a guess aims between it and the whole budget.
_MIN_FILL = Fraction(95, 100)
_AIM = Fraction(985, 1000)
_AIM_STEP = Fraction(15, 100)
_MAX_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Estimator:
    """A token count with a calibration.

    `count` gives the tokens of a text; `percent` scales them to what the provider reports, 100 without a calibration.
    `calls` is the number of calls behind the calibration. `fallback_from` names a preferred but unavailable estimator.
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
    def is_default(self) -> bool:
        """Whether it is the default estimate without a calibration, so that a pack's own numbers are valid."""
        return self.count is estimate_text and self.percent == 100

    def tokens(self, text: str) -> int:
        """Count the tokens of a text, rounded up.

        >>> Estimator("characters/4", count_text, percent=110).tokens("x" * 40)
        11
        """
        return self.calibrated(self.count(text))

    def calibrated(self, count: int) -> int:
        return -(-count * self.percent // 100)


@dataclass(frozen=True, slots=True)
class EstimatorState:
    """Description of an estimator, shown next to the numbers it produced."""

    name: str
    factor: float
    fallback_from: str
    calls: int


def estimator_state(estimator: Estimator) -> EstimatorState:
    return EstimatorState(estimator.name, estimator.factor, estimator.fallback_from, estimator.calls)


def count_words(text: str) -> int:
    """Estimate tokens by words, at three quarters of a word per token.

    >>> count_words("one two three"), count_words("one"), count_words(" ")
    (4, 2, 0)
    """
    return -(-len(text.split()) * 4 // 3)


HEURISTIC = Estimator("characters by script", estimate_text)
CHARACTERS = Estimator("characters/4", count_text)
WORDS = Estimator("words/0.75", count_words)


class CountablePack(Protocol):
    """A finished pack: for each part its estimated tokens, its texts as sent, its number of message roles, and
    the tokens of its images and files."""

    @property
    def tokens(self) -> Mapping[str, int]: ...

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]: ...

    @property
    def roles(self) -> Mapping[str, int]: ...

    @property
    def media(self) -> Mapping[str, int]: ...


P = TypeVar("P", bound=CountablePack)


def recount(pack: CountablePack, estimator: Estimator) -> dict[str, int]:
    """Count the tokens of a pack by part. A message role costs the same with every estimator, before calibration, and
    images and files the same after it: it is of texts."""
    if estimator.is_default:
        return dict(pack.tokens)
    return {
        part: estimator.calibrated(sum(map(estimator.count, texts)) + ROLE_TOKENS * pack.roles.get(part, 0))
        + pack.media.get(part, 0)
        for part, texts in pack.parts.items()
    }


def build_within(budget: int, estimator: Estimator, build: Callable[[int], P]) -> tuple[P, dict[str, int]]:
    """Build a pack of at most `budget` tokens by the estimator; return it with its tokens by part.

    `build` takes a budget in estimated tokens. The search stops at a pack that fills at least 95 % of the budget,
    usually after one to four builds; the default estimate needs one. Raises `BudgetExceeded` with the parts in the
    estimator's tokens.
    """
    if estimator.is_default:
        pack = build(budget)
        return pack, recount(pack, estimator)
    search = _Search(budget, replace(estimator, count=cache(estimator.count)), build)
    best = search.best()
    return best.pack, best.tokens


@dataclass(frozen=True, slots=True)
class _Attempt(Generic[P]):
    """A pack built for `built_for` estimated tokens; `total` is its size by the estimator."""

    built_for: int
    pack: P
    tokens: dict[str, int]
    total: int

    @property
    def projected_tokens(self) -> Fraction:
        """Extrapolated estimator tokens of a pack that fills all of `built_for` at the same density."""
        return Fraction(self.total * self.built_for, max(1, sum(self.pack.tokens.values())))

    @property
    def is_saturated(self) -> bool:
        """Whether the pack leaves so much free that the budget does not limit it."""
        return 4 * sum(self.pack.tokens.values()) < self.built_for


class _Search(Generic[P]):
    """Search for the budget in estimated tokens that matches the estimator's budget.

    The first guess is proportional, later ones interpolate between attempts. After a few attempts the best pack that
    fits wins; if none does, the smallest possible pack is tried.
    """

    def __init__(self, budget: int, estimator: Estimator, build: Callable[[int], P]) -> None:
        self._budget, self._estimator, self._build = budget, estimator, build
        self._fitting: list[_Attempt[P]] = []
        self._beyond: list[_Attempt[P]] = []

    def best(self) -> _Attempt[P]:
        built_for: int | None = self._clamp(Fraction(self._budget * 100, self._estimator.percent))
        attempts = 0
        while built_for is not None and attempts < _MAX_ATTEMPTS:
            attempt = self._attempt(built_for)
            is_full = attempt.projected_tokens >= self._budget * _MIN_FILL
            if attempt.total <= self._budget and (attempt.is_saturated or is_full):
                return attempt
            built_for, attempts = self._next(), attempts + 1
        return max(self._fitting, key=lambda attempt: attempt.total) if self._fitting else self._minimal()

    def _attempt(self, built_for: int) -> _Attempt[P]:
        try:
            return self._record(built_for, self._build(built_for))
        except BudgetExceeded as error:
            return self._build_smallest(error)

    def _record(self, built_for: int, pack: P) -> _Attempt[P]:
        tokens = recount(pack, self._estimator)
        attempt = _Attempt(built_for, pack, tokens, sum(tokens.values()))
        (self._fitting if attempt.total <= self._budget else self._beyond).append(attempt)
        return attempt

    def _build_smallest(self, refusal: BudgetExceeded) -> _Attempt[P]:
        """Build the pack that has only the mandatory parts."""
        attempt = self._record(refusal.smallest, self._build(refusal.smallest))
        if attempt.total > self._budget:
            parts = {part: count for part, count in attempt.tokens.items() if count or part in refusal.parts}
            raise BudgetExceeded(self._budget, parts) from refusal
        return attempt

    def _minimal(self) -> _Attempt[P]:
        attempt = self._attempt(1)
        if attempt.total > self._budget:
            raise BudgetExceeded(self._budget, {part: count for part, count in attempt.tokens.items() if count})
        return attempt

    def _next(self) -> int | None:
        """The next guess between the largest fit and the smallest miss; none if they are adjacent."""
        low = max((attempt.built_for for attempt in self._fitting), default=0)
        high = min((attempt.built_for for attempt in self._beyond), default=MAX_BUDGET_FACTOR * self._budget + 1)
        if high - low < 2:
            return None
        return min(max(self._clamp(self._guess()), low + 1), high - 1)

    def _guess(self) -> Fraction:
        """Interpolate between the two attempts nearest to the budget, or scale the nearest one."""
        usable = [attempt for attempt in (*self._fitting, *self._beyond) if attempt.projected_tokens]
        if not usable:
            return Fraction(MAX_BUDGET_FACTOR * self._budget)
        near, *others = sorted(usable, key=self._distance)
        aim = self._aim()
        for other in others[:1]:
            run, rise = other.built_for - near.built_for, other.projected_tokens - near.projected_tokens
            if run * rise > 0 and (guess := near.built_for + (aim - near.projected_tokens) * run / rise) > 0:
                return guess
        return near.built_for * aim / near.projected_tokens

    def _distance(self, attempt: _Attempt[P]) -> tuple[Fraction, int]:
        return abs(attempt.projected_tokens - self._budget), attempt.built_for

    def _aim(self) -> Fraction:
        """Target tokens, lowered with each attempt that did not fit until one does."""
        missed = 0 if self._fitting else max(0, len(self._beyond) - 1)
        return self._budget * (_AIM - missed * _AIM_STEP)

    def _clamp(self, built_for: Fraction) -> int:
        return max(1, min(int(built_for), MAX_BUDGET_FACTOR * self._budget))
