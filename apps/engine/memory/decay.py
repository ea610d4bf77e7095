"""Relevance of a memory over time, in closed form: no periodic job, and no state to update.

Times are Unix timestamps in seconds, like PostgreSQL's `extract(epoch from …)`, so time zones and daylight saving time
cannot shift them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from apps.engine.memory.trust import Trust
from apps.engine.policy import Policy

DAY = 86_400.0
_TOP = 1.0
_INFERRED = 0.8
_DAYS_AROUND = 180
_POINTS_AROUND = 13


@dataclass(frozen=True, slots=True)
class Strength:
    """Inputs of a memory's relevance; an `exempt` memory never decays."""

    base: float
    last_access: float
    exempt: bool = False


@dataclass(frozen=True, slots=True)
class CurvePoint:
    time: float
    relevance: float


def first_strength(trust: Trust, fact_time: float, *, signalled: bool = False) -> Strength:
    """Initial strength of a memory, dated by its fact; `signalled` means the user said "remember this".

    >>> first_strength(Trust.DIRECT_USER, 0.0).base, first_strength(Trust.MODEL_INFERENCE, 0.0).base
    (1.0, 0.8)
    """
    return Strength(_TOP if signalled or trust is Trust.DIRECT_USER else _INFERRED, fact_time)


def relevance_at(strength: Strength, time: float, policy: Policy) -> float:
    """Relevance from the policy's floor to 1; it halves with every half-life since the last access.

    >>> round(relevance_at(Strength(1.0, 0.0), 90 * DAY, Policy()), 3)
    0.5
    >>> relevance_at(Strength(1.0, 0.0), 900 * DAY, Policy()), relevance_at(Strength(1.0, 0.0, True), 9e9, Policy())
    (0.1, 1.0)
    """
    if strength.exempt:
        return _TOP
    half_lives = _age(strength, time) / DAY / policy.memory_half_life_days
    # In this order NaN gives the floor.
    return min(_TOP, max(_floor(policy), strength.base * math.exp2(-half_lives)))


def accessed(strength: Strength, time: float, policy: Policy) -> Strength:
    """Strength after an access: part of the way back to 1, at most once a day.

    >>> accessed(Strength(1.0, 0.0), 90 * DAY, Policy())
    Strength(base=0.65, last_access=7776000.0, exempt=False)
    >>> accessed(Strength(0.8, 0.0), 0.9 * DAY, Policy())
    Strength(base=0.8, last_access=0.0, exempt=False)
    """
    if _age(strength, time) < DAY:
        return strength
    relevance = relevance_at(replace(strength, exempt=False), time, policy)
    boosted = relevance + policy.access_boost_percent / 100 * (_TOP - relevance)
    return replace(strength, base=boosted, last_access=time)


def sort_key(strength: Strength, policy: Policy) -> float:
    """A time-independent key that sorts memories by relevance.

    It also orders memories that have reached the floor.

    >>> sort_key(Strength(1.0, 0.0), Policy()) == sort_key(Strength(0.5, 90 * DAY), Policy())
    True
    """
    if strength.exempt:
        return math.inf
    base = min(_TOP, max(_floor(policy), strength.base))
    return math.log2(base) + strength.last_access / DAY / policy.memory_half_life_days


def curve(strength: Strength, start: float, days: float, points: int, policy: Policy) -> tuple[CurvePoint, ...]:
    """Relevance without further accesses at evenly spaced times, both ends included.

    >>> [round(point.relevance, 2) for point in curve(Strength(1.0, 0.0), 0.0, 180, 3, Policy())]
    [1.0, 0.5, 0.25]
    """
    if points < 2 or days <= 0:
        raise ValueError("a curve takes two points or more and some time between them")
    times = [start + days * DAY * (place / (points - 1)) for place in range(points)]
    return tuple(CurvePoint(time, relevance_at(strength, time, policy)) for time in times)


def curve_around(strength: Strength, now: float, policy: Policy) -> tuple[CurvePoint, ...]:
    """The curve from the last access (at most half a year back) to half a year ahead, with a point at `now`.

    >>> [round(point.relevance, 3) for point in curve_around(Strength(1.0, 0.0), 90 * DAY, Policy())[::6]]
    [1.0, 0.707, 0.5, 0.25, 0.125]
    """
    past_days = min(_age(strength, now) / DAY, _DAYS_AROUND)
    past = curve(strength, now - past_days * DAY, past_days, _POINTS_AROUND, policy)[:-1] if past_days else ()
    return (*past, *curve(strength, now, _DAYS_AROUND, _POINTS_AROUND, policy))


def _age(strength: Strength, time: float) -> float:
    """Seconds since the last access; zero if the clock was set back."""
    return max(0.0, time - strength.last_access)


def _floor(policy: Policy) -> float:
    return policy.relevance_floor_percent / 100
