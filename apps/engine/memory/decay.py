"""How relevant a memory is at a time, in closed form: nothing has to run for it, and running twice changes nothing.

Times are seconds since 1970 in UTC, as PostgreSQL's `extract(epoch from …)` gives them: a change of the clock's zone
or of summer time cannot move them, as it moves the difference of two local times.
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
    """All that a memory's relevance follows from; `exempt` is one that never decays."""

    base: float
    last_access: float
    exempt: bool = False


@dataclass(frozen=True, slots=True)
class CurvePoint:
    time: float
    relevance: float


def first_strength(trust: Trust, fact_time: float, *, signalled: bool = False) -> Strength:
    """The strength of a new memory, which counts from the date of the fact; `signalled` by the words "remember this".

    >>> first_strength(Trust.DIRECT_USER, 0.0).base, first_strength(Trust.MODEL_INFERENCE, 0.0).base
    (1.0, 0.8)
    """
    return Strength(_TOP if signalled or trust is Trust.DIRECT_USER else _INFERRED, fact_time)


def relevance_at(strength: Strength, time: float, policy: Policy) -> float:
    """From the policy's floor to 1: half of its base after every half-life that nobody asked for it.

    >>> round(relevance_at(Strength(1.0, 0.0), 90 * DAY, Policy()), 3)
    0.5
    >>> relevance_at(Strength(1.0, 0.0), 900 * DAY, Policy()), relevance_at(Strength(1.0, 0.0, True), 9e9, Policy())
    (0.1, 1.0)
    """
    if strength.exempt:
        return _TOP
    half_lives = _age(strength, time) / DAY / policy.memory_half_life_days
    # In this order what is no number gives the floor.
    return min(_TOP, max(_floor(policy), strength.base * math.exp2(-half_lives)))


def accessed(strength: Strength, time: float, policy: Policy) -> Strength:
    """The strength after the memory was of use: a part of the way back to the top, but once a day at most.

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
    """Orders memories as their relevance does at any time after their last access, without knowing the time.

    Of two at the floor it still tells which came down to it last.

    >>> sort_key(Strength(1.0, 0.0), Policy()) == sort_key(Strength(0.5, 90 * DAY), Policy())
    True
    """
    if strength.exempt:
        return math.inf
    base = min(_TOP, max(_floor(policy), strength.base))
    return math.log2(base) + strength.last_access / DAY / policy.memory_half_life_days


def curve(strength: Strength, start: float, days: float, points: int, policy: Policy) -> tuple[CurvePoint, ...]:
    """The relevance from a time on if nobody asks for the memory, at times evenly apart, both ends among them.

    >>> [round(point.relevance, 2) for point in curve(Strength(1.0, 0.0), 0.0, 180, 3, Policy())]
    [1.0, 0.5, 0.25]
    """
    if points < 2 or days <= 0:
        raise ValueError("a curve takes two points or more and some time between them")
    times = [start + days * DAY * (place / (points - 1)) for place in range(points)]
    return tuple(CurvePoint(time, relevance_at(strength, time, policy)) for time in times)


def curve_around(strength: Strength, now: float, policy: Policy) -> tuple[CurvePoint, ...]:
    """The curve from the last access, or the last half year of it, over now, which is among the points, to half a year
    ahead.

    >>> [round(point.relevance, 3) for point in curve_around(Strength(1.0, 0.0), 90 * DAY, Policy())[::6]]
    [1.0, 0.707, 0.5, 0.25, 0.125]
    """
    past_days = min(_age(strength, now) / DAY, _DAYS_AROUND)
    past = curve(strength, now - past_days * DAY, past_days, _POINTS_AROUND, policy)[:-1] if past_days else ()
    return (*past, *curve(strength, now, _DAYS_AROUND, _POINTS_AROUND, policy))


def _age(strength: Strength, time: float) -> float:
    """Seconds since the last access; none where a clock was moved back."""
    return max(0.0, time - strength.last_access)


def _floor(policy: Policy) -> float:
    return policy.relevance_floor_percent / 100
