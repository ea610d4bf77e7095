"""The layers negotiate a budget: who must stand in the pack, who enters, who grows how far, and who yields to whom.

1. What stands whole comes first: the system prompt, the pins and the current message.
2. By priority, each other layer enters with its least, if that fits into what is left.
3. Those that are in grow together towards their ideals, each at a rate of its own.
4. What is left goes by priority, up to their most.

Everything is measured before: a layer never gets more than it has to say. The trace tells every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from apps.engine.pack.layers import Layer, Terms

# Their place is small and always the same: they enter with all they would like, and grow no further in phase 3.
_AT_IDEAL = frozenset({Layer.IDENTITY, Layer.PREFERENCES})
_WHOLE = Layer.MESSAGE

# No window of any model is larger.
LARGEST_BUDGET = 2_000_000


class BudgetExceeded(ValueError):
    """What must stand in the pack does not fit; `parts` are tokens by part, `smallest` the least budget that works."""

    def __init__(self, budget: int, parts: Mapping[str, int]) -> None:
        self.budget, self.parts, self.smallest = budget, dict(parts), sum(parts.values())
        super().__init__(f"{self.smallest} tokens are needed at least, the budget is {budget}")


class Event(StrEnum):
    """What happens to a layer in a step."""

    TAKEN = "taken"
    ENTERED = "entered"
    LEFT_OUT = "left_out"
    GREW = "grew"
    YIELDED = "yielded"
    TOPPED_UP = "topped_up"


@dataclass(frozen=True, slots=True)
class Step:
    """In `phase` 1–4 the part got `tokens`, or went without so many; `left` is free after it."""

    phase: int
    part: str
    event: Event
    tokens: int
    left: int


@dataclass(frozen=True, slots=True)
class Grant:
    """How much a layer has to say (`content`), its terms within that, and what it got: 0, or minimum to maximum."""

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
    """`fixed` are the tokens of what stands whole; `trace` is how it came to the grants."""

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
    """Share out a budget in tokens; raises `BudgetExceeded` when what stands whole is larger.

    `fixed` names the parts that stand whole, with their tokens; `contents` is how much every other layer has to say.
    A larger budget never gives a smaller total, and the same input always gives the same output.
    """
    free = budget - sum(fixed.values())
    if free < 0:
        raise BudgetExceeded(budget, fixed)
    table = _Table(free, [_within(layer, contents[layer], terms[layer]) for layer in contents if layer is not _WHOLE])
    table.take(fixed, budget)
    table.enter()
    table.grow()
    table.top_up()
    return Negotiation(budget, dict(fixed), tuple(table.grants[layer] for layer in table.order), tuple(table.trace))


def _within(layer: Layer, content: int, terms: Terms) -> Grant:
    """The terms of a layer that has so much to say.

    >>> _within(Layer.TOPICS, 250, Terms(300, 1_440, 3_000, 70, 0.6))
    Grant(layer=<Layer.TOPICS: 'L2_topic'>, content=250, minimum=250, ideal=250, maximum=250, priority=70, \
elasticity=0.6, granted=0)
    """
    minimum = min(terms.minimum, content)
    maximum = min(max(terms.maximum, terms.minimum), content)
    ideal = min(max(terms.ideal, minimum), maximum)
    return Grant(layer, content, minimum, ideal, maximum, terms.priority, terms.elasticity)


class _Table:
    """The grants as they stand, what is free, and the minutes."""

    def __init__(self, free: int, asking: Iterable[Grant]) -> None:
        self.grants = {grant.layer: grant for grant in asking}
        self.order = sorted(self.grants)
        self.free = free
        self.trace: list[Step] = []
        self._inside: list[Layer] = []

    def take(self, fixed: Mapping[str, int], budget: int) -> None:
        left = budget
        for part, tokens in fixed.items():
            left -= tokens
            self.trace.append(Step(1, part, Event.TAKEN, tokens, left))

    def enter(self) -> None:
        for layer in self._by_priority(self.order):
            grant = self.grants[layer]
            least = grant.ideal if layer in _AT_IDEAL else grant.minimum
            if not grant.content:
                continue
            if least > self.free:
                self._note(2, layer, Event.LEFT_OUT, least)
                continue
            self._inside.append(layer)
            self._give(2, layer, least, Event.ENTERED)

    def grow(self) -> None:
        """Together: after the same time each has grown by its rate, unless it reached its ideal before."""
        growing = [grant for layer in self._inside if (grant := self.grants[layer]).ideal > grant.granted]
        until = _time_to_share(self.free, growing)
        for grant in growing:
            wish = grant.ideal - grant.granted
            more = wish if until is None else min(wish, int(_rate(grant) * until))
            self._give(3, grant.layer, more, Event.GREW)
        for grant in sorted(growing, key=lambda one: (-one.elasticity, one.layer)):
            if missing := grant.ideal - self.grants[grant.layer].granted:
                self._note(3, grant.layer, Event.YIELDED, missing)

    def top_up(self) -> None:
        for layer in self._by_priority(self._inside):
            grant = self.grants[layer]
            if more := min(self.free, grant.maximum - grant.granted):
                self._give(4, layer, more, Event.TOPPED_UP)

    def _by_priority(self, layers: Iterable[Layer]) -> list[Layer]:
        return sorted(layers, key=lambda layer: (-self.grants[layer].priority, layer))

    def _give(self, phase: int, layer: Layer, tokens: int, event: Event) -> None:
        grant = self.grants[layer]
        self.grants[layer] = replace(grant, granted=grant.granted + tokens)
        self.free -= tokens
        self._note(phase, layer, event, tokens)

    def _note(self, phase: int, layer: Layer, event: Event, tokens: int) -> None:
        self.trace.append(Step(phase, layer, event, tokens, self.free))


def _rate(grant: Grant) -> int:
    """Tokens in a unit of time: who misses more, and whose priority is higher, grows faster."""
    return (grant.ideal - grant.minimum) * grant.priority


def _time_to_share(free: int, growing: Sequence[Grant]) -> Fraction | None:
    """When so many tokens are shared out; empty where all reach their ideals. Exact, so that nothing depends on floats.

    The rate is the distance times the priority: the one with the highest priority reaches its ideal first, and one
    without any does not set out. Where all that do arrive, it is then.
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
