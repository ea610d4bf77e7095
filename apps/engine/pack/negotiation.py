"""Negotiation of a token budget between the layers of a pack.

1. Fixed parts are reserved first: the system prompt, the pins and the current message.
2. By priority, each other layer enters with its minimum if that still fits.
3. The layers that entered grow together toward their ideals, each at its own rate.
4. The rest is assigned by priority, up to the maximums.

Content is measured first, so no layer gets more than its content. The trace records every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from apps.engine.pack.layers import Layer, Terms

# Small layers of constant size: they enter with their ideal and do not grow in phase 3.
_ENTER_AT_IDEAL = frozenset({Layer.IDENTITY, Layer.PREFERENCES})
_WHOLE = Layer.MESSAGE

# Larger than the context window of any model.
LARGEST_BUDGET = 2_000_000


class BudgetExceeded(ValueError):
    """The mandatory parts do not fit; `parts` are their tokens, `smallest` is the smallest budget that works."""

    def __init__(self, budget: int, parts: Mapping[str, int]) -> None:
        self.budget, self.parts, self.smallest = budget, dict(parts), sum(parts.values())
        super().__init__(f"{self.smallest} tokens are needed at least, the budget is {budget}")


class Event(StrEnum):
    """Outcome of a step for a layer."""

    FIXED = "reserved"
    ENTERED = "entered"
    OMITTED = "omitted"
    GREW = "grew"
    YIELDED = "yielded"
    TOPPED_UP = "topped_up"


@dataclass(frozen=True, slots=True)
class Step:
    """In `phase` 1 to 4 a part got `tokens`, or did not get them; `left` tokens remain free."""

    phase: int
    part: str
    event: Event
    tokens: int
    left: int


@dataclass(frozen=True, slots=True)
class Grant:
    """A layer's content size, its terms limited to that, and its granted tokens: 0, or minimum to maximum."""

    layer: Layer
    content: int
    minimum: int
    ideal: int
    maximum: int
    priority: int
    elasticity: float
    granted: int = 0


@dataclass(frozen=True, slots=True)
class Negotiation:
    """Result of a negotiation: `fixed` are the tokens of the fixed parts, `trace` lists the steps to the grants."""

    budget: int
    fixed: Mapping[str, int]
    grants: tuple[Grant, ...]
    trace: tuple[Step, ...]

    @property
    def used(self) -> int:
        return sum(self.fixed.values()) + sum(grant.granted for grant in self.grants)

    def granted(self, layer: Layer) -> int:
        return next((grant.granted for grant in self.grants if grant.layer is layer), 0)


def negotiate(
    budget: int, *, fixed: Mapping[str, int], contents: Mapping[Layer, int], terms: Mapping[Layer, Terms]
) -> Negotiation:
    """Divide a budget in tokens; raises `BudgetExceeded` if the fixed parts alone exceed it.

    `fixed` are the tokens of the fixed parts, `contents` the content sizes of the other layers. The result is
    deterministic, and a larger budget never gives a smaller total.
    """
    free = budget - sum(fixed.values())
    if free < 0:
        raise BudgetExceeded(budget, fixed)
    allocation = _Allocation(
        free, [_within(layer, contents[layer], terms[layer]) for layer in contents if layer is not _WHOLE]
    )
    allocation.reserve_fixed(fixed, budget)
    allocation.enter()
    allocation.grow()
    allocation.top_up()
    return Negotiation(
        budget, dict(fixed), tuple(allocation.grants[layer] for layer in allocation.order), tuple(allocation.trace)
    )


def _within(layer: Layer, content: int, terms: Terms) -> Grant:
    """Limit the terms of a layer to its content size.

    >>> _within(Layer.TOPICS, 250, Terms(300, 1_440, 3_000, 70, 0.6))
    Grant(layer=<Layer.TOPICS: 'L2_topic'>, content=250, minimum=250, ideal=250, maximum=250, priority=70, \
elasticity=0.6, granted=0)
    """
    minimum = min(terms.minimum, content)
    maximum = min(max(terms.maximum, terms.minimum), content)
    ideal = min(max(terms.ideal, minimum), maximum)
    return Grant(layer, content, minimum, ideal, maximum, terms.priority, terms.elasticity)


class _Allocation:
    """State of a negotiation: the grants so far, the free tokens and the trace."""

    def __init__(self, free: int, grants: Iterable[Grant]) -> None:
        self.grants = {grant.layer: grant for grant in grants}
        self.order = sorted(self.grants)
        self.free = free
        self.trace: list[Step] = []
        self._entered: list[Layer] = []

    def reserve_fixed(self, fixed: Mapping[str, int], budget: int) -> None:
        left = budget
        for part, tokens in fixed.items():
            left -= tokens
            self.trace.append(Step(1, part, Event.FIXED, tokens, left))

    def enter(self) -> None:
        for layer in self._by_priority(self.order):
            grant = self.grants[layer]
            floor = grant.ideal if layer in _ENTER_AT_IDEAL else grant.minimum
            if not grant.content:
                continue
            if floor > self.free:
                self._log(2, layer, Event.OMITTED, floor)
                continue
            self._entered.append(layer)
            self._grant(2, layer, floor, Event.ENTERED)

    def grow(self) -> None:
        """Grow all layers at the same time, each at its rate, until it reaches its ideal or no tokens are left."""
        growing = [grant for layer in self._entered if (grant := self.grants[layer]).ideal > grant.granted]
        until = _time_to_share(self.free, growing)
        for grant in growing:
            missing = grant.ideal - grant.granted
            more = missing if until is None else min(missing, int(_rate(grant) * until))
            self._grant(3, grant.layer, more, Event.GREW)
        for grant in sorted(growing, key=lambda one: (-one.elasticity, one.layer)):
            if missing := grant.ideal - self.grants[grant.layer].granted:
                self._log(3, grant.layer, Event.YIELDED, missing)

    def top_up(self) -> None:
        for layer in self._by_priority(self._entered):
            grant = self.grants[layer]
            if more := min(self.free, grant.maximum - grant.granted):
                self._grant(4, layer, more, Event.TOPPED_UP)

    def _by_priority(self, layers: Iterable[Layer]) -> list[Layer]:
        return sorted(layers, key=lambda layer: (-self.grants[layer].priority, layer))

    def _grant(self, phase: int, layer: Layer, tokens: int, event: Event) -> None:
        grant = self.grants[layer]
        self.grants[layer] = replace(grant, granted=grant.granted + tokens)
        self.free -= tokens
        self._log(phase, layer, event, tokens)

    def _log(self, phase: int, layer: Layer, event: Event, tokens: int) -> None:
        self.trace.append(Step(phase, layer, event, tokens, self.free))


def _rate(grant: Grant) -> int:
    """Tokens per unit of time: layers with a larger gap or a higher priority grow faster."""
    return (grant.ideal - grant.minimum) * grant.priority


def _time_to_share(free: int, growing: Sequence[Grant]) -> Fraction | None:
    """The time at which `free` tokens are used up; none if all layers reach their ideals. Exact, without floats.

    The rate is the gap times the priority, so the layer with the highest priority reaches its ideal first, and one with
    priority zero never grows. If every layer with a priority arrives earlier, the result is the last arrival.
    """
    if sum(grant.ideal - grant.granted for grant in growing) <= free:
        return None
    arrived, until = 0, Fraction(0)
    running = sum(map(_rate, growing))
    for grant in sorted((one for one in growing if one.priority), key=lambda one: -one.priority):
        until = Fraction(free - arrived, running)
        if until <= Fraction(1, grant.priority):
            return until
        arrived += grant.ideal - grant.granted
        running -= _rate(grant)
        until = Fraction(1, grant.priority)
    return until
