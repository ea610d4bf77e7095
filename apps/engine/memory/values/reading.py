"""All the values of a statement, each of its words in one value only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from apps.engine.language.word_lists import plain_letters
from apps.engine.memory.values import numbers, products, times, words
from apps.engine.memory.values.value import Kind, Value

# In the order in which words are given away: a date's number counts nothing.
_READERS: tuple[Callable[[str], Iterator[Value]], ...] = (
    words.channels,
    products.products,
    times.dates,
    times.frequencies,
    times.times,
    times.weekdays,
    words.levels,
    words.languages,
    words.diets,
    words.colors,
    words.materials,
    numbers.amounts,
    words.names,
)


@lru_cache(maxsize=4_096)
def values_of(text: str) -> tuple[Value, ...]:
    """The values that a statement gives, in the order of their places.

    >>> [(str(one.kind), one.text) for one in values_of("The launch is on 3 May at 9:30 in Porto, for 40 people")]
    [('date', '?-05-03'), ('time', '09:30'), ('place', 'porto'), ('count', '40')]
    """
    values: list[Value] = []
    plain = plain_letters(text)
    for read in _READERS:
        for one in read(plain):
            if not any(_excludes(other, one) for other in values):
                values.append(one)
    return tuple(sorted(values, key=lambda one: (one.start, one.end)))


def _excludes(first: Value, second: Value) -> bool:
    """Whether the words of one value are used by another; a weekday also says how often, a product has a version."""
    shared = first.start < second.end and second.start < first.end
    kinds = {first.kind, second.kind}
    return shared and kinds not in ({Kind.WEEKDAY, Kind.FREQUENCY}, {Kind.PRODUCT, Kind.VERSION})
