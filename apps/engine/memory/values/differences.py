"""Differences that a text gives beside a new value: "two more, so eleven", "a day later, the 28th"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta

from apps.engine.memory.values.numbers import NUMBER_WORDS
from apps.engine.memory.values.value import UNKNOWN, Kind, Value

_MORE = re.compile(r"(?: \w+)? ?(?:more|extra|additional|further|joined|mehr|weitere|más|de plus)\b", re.IGNORECASE)
_FEWER = re.compile(r"(?: \w+)? ?(?:fewer|less|left us|weniger|menos|de moins)\b", re.IGNORECASE)
_LOST = re.compile(r"\b(?:lost|sold|scrapped|retired|gave away|verkauft|vendimos|vendu) $", re.IGNORECASE)
_GAINED = re.compile(r"\b(?:bought|hired|added|gained|got) (?:another )?$", re.IGNORECASE)
_SHIFT = re.compile(
    r"\b(?P<number>an?|\d\d?|[a-zäöüß]+) (?P<unit>day|week)s? (?P<way>later|after|earlier|sooner|before)\b",
    re.IGNORECASE,
)
_DAYS = {"day": 1, "week": 7}
# Its days are those of a common year.
_ANY_YEAR = 2_001


def adds_up(text: str, new: Sequence[Value], old: Sequence[Value]) -> bool:
    """Whether an old value and the difference that a text gives make its new value.

    >>> from apps.engine.memory.values.reading import values_of
    >>> def check(old, new):
    ...     return adds_up(new, values_of(new), values_of(old))
    >>> check("Nine boats", "Bought two more, so eleven"), check("Nine boats", "Bought two more, so twelve")
    (True, False)
    >>> check("From 27 March to 11 April", "We land a day later, the 28th")
    True
    """
    totals = [(change, one) for change, value in _changes(text, new) for one in new if one is not value]
    counts = any(_is_sum(known, change, total) for change, total in totals for known in old)
    return counts or any(
        _is_shifted(known, days, day)
        for days in _shifts(text)
        for day in new
        for known in old
        if day.kind is known.kind is Kind.DATE
    )


def _changes(text: str, values: Sequence[Value]) -> Iterator[tuple[float, Value]]:
    for value in values:
        if value.kind is not Kind.COUNT or not _is_number(value.text):
            continue
        if _MORE.match(text, value.end) or _is_after(_GAINED, text, value):
            yield float(value.text), value
        elif _FEWER.match(text, value.end) or _is_after(_LOST, text, value):
            yield -float(value.text), value


def _is_after(pattern: re.Pattern[str], text: str, value: Value) -> bool:
    return bool(pattern.search(text[: value.start]))


def _is_sum(known: Value, change: float, total: Value) -> bool:
    if known.kind is not Kind.COUNT or not total.is_comparable(known):
        return False
    return _is_number(known.text) and _is_number(total.text) and float(known.text) + change == float(total.text)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _shifts(text: str) -> Iterator[timedelta]:
    for match in _SHIFT.finditer(text):
        word = match["number"].lower()
        number = 1 if word in ("a", "an", "one") else NUMBER_WORDS.get(word, int(word) if word.isdigit() else 0)
        days = timedelta(days=number * _DAYS[match["unit"].lower()])
        yield days if match["way"].lower() in ("later", "after") else -days


def _is_shifted(known: Value, days: timedelta, day: Value) -> bool:
    """Whether a date is so many days from a known one of which the month is known."""
    _, month, number = known.text.split("-")
    if UNKNOWN in (month, number) or not days:
        return False
    with suppress(ValueError):
        moved = date(_ANY_YEAR, int(month), int(number)) + days
        return day.agrees(Value(Kind.DATE, day.group, f"{UNKNOWN}-{moved:%m-%d}", 0, 0))
    return False
