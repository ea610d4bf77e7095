"""Dates named in a query: a day, a month or a year; a missing year is guessed by the search."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SHORT = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
_NUMBERS = {name: number for number, name in enumerate(_MONTHS, 1)} | _SHORT
_MONTH = rf"(?P<month>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)(?:-(?P<day>[0-3]\d))?\b")
_SPOKEN = re.compile(
    rf"\b(?:{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?|{_MONTH.replace('month', 'month2')}"
    rf"(?: {_DAY.replace('day', 'day2')}\b)?(?:,? {_YEAR.replace('year', 'year2')})?)",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(rf"\b{_YEAR}\b")
# These are common words too: alone they are months only after certain words.
_AMBIGUOUS = frozenset(("may", "march", "mar", "jan", "dec", "sep", "jun"))
_SAYS_WHEN = re.compile(
    r"\b(?:in|on|of|since|during|until|till|by|from|before|after|around|early|late|mid|last|this|next|every)[\s-]+(?:the\s+)?$",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(?P<part>early|mid|middle of|late|end of)[\s-]+(?:the\s+)?$", re.IGNORECASE)
_THIRD = {"early": 0, "mid": 1, "middle of": 1, "late": 2, "end of": 2}
_MIDDLE_DAYS = (5, 15, 25)
# The first month of each season of the northern hemisphere.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SEASON = re.compile(rf"\b(?P<season>{'|'.join(_SEASONS)})\b(?:(?: of)? {_YEAR})?", re.IGNORECASE)
_AGO = re.compile(r"\b(?P<count>\d{1,3}|an?|one|two|three) (?P<unit>day|week|month|year)s? ago\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?P<which>today|yesterday|(?:this|last) (?P<unit>week|month|year))\b", re.IGNORECASE)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


@dataclass(frozen=True, slots=True)
class NamedDate:
    """An inclusive range of days; or a month, and perhaps a day, without a year."""

    first: date | None = None
    last: date | None = None
    month: int | None = None
    day: int | None = None


def named_date(text: str, today: date) -> NamedDate | None:
    """The first date that a text names; `today` is what "yesterday" counts from.

    >>> named_date("Where was I on 8 May, 2023?", date(2026, 1, 1))
    NamedDate(first=datetime.date(2023, 5, 8), last=datetime.date(2023, 5, 8), month=None, day=None)
    >>> named_date("What did I read in March?", date(2026, 1, 1))
    NamedDate(first=None, last=None, month=3, day=None)
    >>> named_date("May I march on?", date(2026, 1, 1)) is None
    True
    """
    return _iso(text) or _spoken(text) or _season(text, today) or _bare_year(text) or _relative(text, today)


def _iso(text: str) -> NamedDate | None:
    match = _ISO.search(text)
    if match is None or not 1 <= int(match["month"]) <= 12:
        return None
    return _range(int(match["year"]), int(match["month"]), int(match["day"]) if match["day"] else None)


def _spoken(text: str) -> NamedDate | None:
    for match in _SPOKEN.finditer(text):
        name = (match["month"] or match["month2"]).lower()
        day, year = match["day"] or match["day2"], match["year"] or match["year2"]
        if name in _AMBIGUOUS and not (day or year or _SAYS_WHEN.search(text[: match.start()])):
            continue
        number = int(day) if day and 1 <= int(day) <= 31 else _middle_day(text[: match.start()])
        return _range(int(year), _NUMBERS[name], number) if year else NamedDate(month=_NUMBERS[name], day=number)
    return None


def _third(before: str) -> int | None:
    """Which third of a period is meant: "early" is the first."""
    match = _PART.search(before)
    return _THIRD[match["part"].lower()] if match else None


def _middle_day(before: str) -> int | None:
    third = _third(before)
    return None if third is None else _MIDDLE_DAYS[third]


def _season(text: str, today: date) -> NamedDate | None:
    """A season, or its month: early spring is March. Without a year the one nearest to what the words before it say."""
    for match in _SEASON.finditer(text):
        before = text[: match.start()]
        if not (match["year"] or _SAYS_WHEN.search(before)):
            continue
        month, third = _SEASONS[match["season"].lower()], _third(before)
        year = int(match["year"]) if match["year"] else _season_year(before, month, today)
        first, last = (0, 2) if third is None else (third, third)
        return NamedDate(_month(year, month + first).first, _month(year, month + last).last)
    return None


def _season_year(before: str, month: int, today: date) -> int:
    """The year in which this, the last, or the next season of that first month begins."""
    begun = today.year if today >= date(today.year, month, 1) else today.year - 1
    is_now = today <= (_month(begun, month + 2).last or today)
    words = before.lower().split()
    if "next" in words[-2:]:
        return begun + 1
    if "last" in words[-2:]:
        return begun - is_now
    return begun if is_now or "this" not in words[-2:] else today.year


def _month(year: int, month: int) -> NamedDate:
    """A month counted from January of the year, the 13th is the next January."""
    return _range(year + (month - 1) // 12, (month - 1) % 12 + 1, None)


def _bare_year(text: str) -> NamedDate | None:
    match = _BARE_YEAR.search(text)
    return NamedDate(date(int(match["year"]), 1, 1), date(int(match["year"]), 12, 31)) if match else None


def _relative(text: str, today: date) -> NamedDate | None:
    if match := _AGO.search(text):
        count = match["count"].lower()
        unit = _DAYS[match["unit"].lower()]
        then = today - timedelta(days=unit * (_COUNTS.get(count) or int(count)))
        around = timedelta(days=unit // 4)
        return NamedDate(then - around, then + around)
    match = _RELATIVE.search(text)
    if match is None:
        return None
    word = match["which"].lower()
    if word in ("today", "yesterday"):
        day = today - timedelta(days=word == "yesterday")
        return NamedDate(day, day)
    return _span(match["unit"].lower(), today, before=word.startswith("last"))


def _span(unit: str, today: date, *, before: bool) -> NamedDate:
    """This week, month or year, or the one before."""
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * before)
        return NamedDate(monday, monday + timedelta(days=6))
    if unit == "year":
        return NamedDate(date(today.year - before, 1, 1), date(today.year - before, 12, 31))
    within = today.replace(day=1) - timedelta(days=1) if before else today
    return _range(within.year, within.month, None)


def _range(year: int, month: int, day: int | None) -> NamedDate:
    longest = monthrange(year, month)[1]
    if day is not None and 1 <= day <= longest:
        return NamedDate(date(year, month, day), date(year, month, day))
    return NamedDate(date(year, month, 1), date(year, month, longest))
