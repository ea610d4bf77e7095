"""A value with its kind, and whether two values are the same one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

UNKNOWN = "?"
_SIDE_STORES = frozenset(("redis", "valkey", "dragonfly", "elasticsearch", "opensearch"))


class Kind(StrEnum):
    """What a value is; only values of one kind can replace each other."""

    WEEKDAY = "weekday"
    DATE = "date"
    TIME = "time"
    FREQUENCY = "frequency"
    MONEY = "money"
    SHARE = "share"
    COUNT = "count"
    VERSION = "version"
    PRODUCT = "product"
    LEVEL = "level"
    COLOR = "color"
    MATERIAL = "material"
    CHANNEL = "channel"
    LANGUAGE = "language"
    DIET = "diet"
    PLACE = "place"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Value:
    """`group` is what is counted, the product's class or the versioned product, if the words tell it."""

    kind: Kind
    group: str
    text: str
    start: int
    end: int

    @property
    def is_side_store(self) -> bool:
        """Whether it is a product that is used beside a database, or as one."""
        return self.kind is Kind.PRODUCT and self.text in _SIDE_STORES

    @property
    def is_store(self) -> bool:
        """Whether a thing can have its data in it."""
        return self.is_side_store or (self.kind is Kind.PRODUCT and self.group == "database")

    def is_comparable(self, other: Value) -> bool:
        """Whether both could be values of one attribute.

        >>> days, boats, bare = (Value(Kind.COUNT, group, "9", 0, 1) for group in ("day", "boat", ""))
        >>> days.is_comparable(boats), days.is_comparable(bare)
        (False, True)
        """
        kinds = {self.kind, other.kind}
        if len(kinds) > 1:
            return kinds == {Kind.MONEY, Kind.COUNT} and self.group == other.group == ""
        if self.is_store and other.is_store:
            return True
        return self.group == other.group or "" in (self.group, other.group)

    def agrees(self, other: Value) -> bool:
        """Whether both say the same; a part that one of them leaves open counts as the same.

        >>> first, second = (Value(Kind.DATE, "", text, 0, 1) for text in ("?-04-13", "?-?-13"))
        >>> first.agrees(second)
        True
        """
        compare = _COMPARISONS.get(self.kind, str.__eq__)
        return self.is_comparable(other) and bool(compare(self.text, other.text))


def _agree_in_parts(first: str, second: str) -> bool:
    pairs = zip(first.split("-"), second.split("-"), strict=True)
    return all(a == b or UNKNOWN in (a, b) for a, b in pairs)


def _begins_alike(first: str, second: str) -> bool:
    """Whether a name is the same or a shorter form: Greet and Greet Claes."""
    short, long = sorted((first.split(), second.split()), key=len)
    return short in (long[: len(short)], long[-len(short) :])


_COMPARISONS: Mapping[Kind, Callable[[str, str], bool]] = {
    Kind.DATE: _agree_in_parts,
    Kind.NAME: _begins_alike,
    Kind.PLACE: _begins_alike,
}
