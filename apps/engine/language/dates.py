"""Dates named in a query: a day, a month, a season or a year, also relative to today; in English, German, Spanish,
French and Japanese. A missing year is guessed by the search."""

from __future__ import annotations

import re
from calendar import monthrange
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from apps.engine.language.date_words import (
    AMBIGUOUS_MONTHS,
    BEFORE_DATE,
    COUNTS,
    DAY_BEFORE,
    FRENCH_YESTERDAY,
    LAST,
    LASTS,
    MONTHS,
    NEXT,
    SEASONS,
    THIRDS,
    THIS,
    TODAY,
    UNIT,
    UNIT_DAYS,
    YESTERDAY,
    any_of,
    count_of,
)
from apps.engine.language.japanese_dates import japanese_date
from apps.engine.language.word_lists import plain_letters

_MONTH = rf"(?P<month>{any_of(MONTHS)})\b\.?"
# "3. May I …" is a numbered sentence.
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|\.(?! (?:may|march)\b))?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)(?:-(?P<day>[0-3]\d))?\b")
_SPOKEN = re.compile(
    rf"\b(?:{_DAY}(?: of| de)? {_MONTH}(?:,?(?: del?)? {_YEAR})?|{_MONTH.replace('month', 'month2')}"
    rf"(?: {_DAY.replace('day', 'day2')}\b)?(?:,?(?: del?)? {_YEAR.replace('year', 'year2')})?)",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(rf"\b{_YEAR}\b")
_PART = re.compile(
    rf"\b(?P<part>{any_of(word for third in THIRDS for word in third)})[\s-]+(?:the |de |d['’]|l['’])*$", re.IGNORECASE
)
_MIDDLE_DAYS = (5, 15, 25)
_SEASON = re.compile(
    rf"\b(?P<season>{any_of(SEASONS)})\b(?P<after> (?:{LAST}|{NEXT})\b)?(?:(?: of| del?)? {_YEAR})?", re.IGNORECASE
)
# "Été" is "been" too.
_FRENCH_SUMMER = re.compile(r"(?:\b[ld]['’]|\b(?:cet|en) )$", re.IGNORECASE)
_DIRECTIONS = tuple((re.compile(rf"\b(?:{words})\b", re.IGNORECASE), way) for words, way in ((NEXT, 1), (LAST, -1)))
_IS_THIS = re.compile(rf"\b(?:{THIS})\b", re.IGNORECASE)
_COUNT = rf"(?P<count>\d{{1,3}}|{any_of(COUNTS)})"
_AGO = (
    re.compile(rf"\b{_COUNT} {UNIT} ago\b", re.IGNORECASE),
    re.compile(rf"\b(?:vor|hace|il y a) {_COUNT} {UNIT}\b", re.IGNORECASE),
)
_LATELY = (
    re.compile(rf"\b(?:{LASTS}) {_COUNT} {UNIT}\b", re.IGNORECASE),
    re.compile(rf"\b{_COUNT} (?:{LASTS}) {UNIT}\b", re.IGNORECASE),
)
_SPAN = (
    re.compile(rf"\b(?P<which>{THIS}|{LAST}) {UNIT}\b", re.IGNORECASE),
    re.compile(rf"\b{UNIT} (?P<which>{LAST})\b", re.IGNORECASE),
)
_DAYS_BACK = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), back)
    for words, back in ((DAY_BEFORE, 2), (YESTERDAY, 1), (TODAY, 0))
)


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
    >>> named_date("Was habe ich im März gelesen?", date(2026, 1, 1))
    NamedDate(first=None, last=None, month=3, day=None)
    >>> named_date("May I march on?", date(2026, 1, 1)) is None
    True
    """
    text = plain_letters(japanese_date(text, today) or text)
    # Near the first or the last day that a date can have, what it is relative to may not exist.
    with suppress(ValueError, OverflowError):
        return _iso(text) or _spoken(text) or _season(text, today) or _bare_year(text) or _relative(text, today)
    return None


def _iso(text: str) -> NamedDate | None:
    match = _ISO.search(text)
    if match is None or not 1 <= int(match["month"]) <= 12:
        return None
    return _range(int(match["year"]), int(match["month"]), int(match["day"]) if match["day"] else None)


def _spoken(text: str) -> NamedDate | None:
    for match in _SPOKEN.finditer(text):
        name = (match["month"] or match["month2"]).lower()
        day, year = match["day"] or match["day2"], match["year"] or match["year2"]
        if name in AMBIGUOUS_MONTHS and not (day or year or BEFORE_DATE.search(text[: match.start()])):
            continue
        number = int(day) if day and 1 <= int(day) <= 31 else _middle_day(text[: match.start()])
        return _range(int(year), MONTHS[name], number) if year else NamedDate(month=MONTHS[name], day=number)
    return None


def _third(before: str) -> int | None:
    """Which third of a period is meant: "early" is the first."""
    match = _PART.search(before)
    word = match["part"].lower() if match else ""
    return next((number for number, words in enumerate(THIRDS) if word in words), None)


def _middle_day(before: str) -> int | None:
    third = _third(before)
    return None if third is None else _MIDDLE_DAYS[third]


def _season(text: str, today: date) -> NamedDate | None:
    """A season, or its month: early spring is March. Without a year the one nearest to what the words beside it say."""
    for match in _SEASON.finditer(text):
        before, name = text[: match.start()], match["season"].lower()
        if not (match["year"] or match["after"] or BEFORE_DATE.search(before)):
            continue
        if name == "été" and not _FRENCH_SUMMER.search(before):
            continue
        month, third = SEASONS[name], _third(before)
        beside = f"{' '.join(before.split()[-2:])}{match['after'] or ''}"
        year = int(match["year"]) if match["year"] else _season_year(beside, month, today)
        first, last = (0, 2) if third is None else (third, third)
        return NamedDate(_month(year, month + first).first, _month(year, month + last).last)
    return None


def _season_year(beside: str, month: int, today: date) -> int:
    """The year in which this, the last, or the next season of that first month begins."""
    begun = today.year if today >= date(today.year, month, 1) else today.year - 1
    is_now = today <= (_month(begun, month + 2).last or today)
    way = next((way for pattern, way in _DIRECTIONS if pattern.search(beside)), 0)
    if way:
        return begun + 1 if way > 0 else begun - is_now
    return begun if is_now or not _IS_THIS.search(beside) else today.year


def _month(year: int, month: int) -> NamedDate:
    """A month counted from January of the year, the 13th is the next January."""
    return _range(year + (month - 1) // 12, (month - 1) % 12 + 1, None)


def _bare_year(text: str) -> NamedDate | None:
    match = _BARE_YEAR.search(text)
    return NamedDate(date(int(match["year"]), 1, 1), date(int(match["year"]), 12, 31)) if match else None


def _relative(text: str, today: date) -> NamedDate | None:
    if match := _first(_AGO, text):
        unit = UNIT_DAYS[match["unit"].lower()]
        days, around = unit * count_of(match), unit // 4
        return NamedDate(_days_before(today, days + around), _days_before(today, days - around))
    if match := _first(_LATELY, text):
        return NamedDate(_days_before(today, UNIT_DAYS[match["unit"].lower()] * count_of(match)), today)
    if match := _first(_SPAN, text):
        is_before = re.fullmatch(LAST, match["which"], re.IGNORECASE) is not None
        return _span(UNIT_DAYS[match["unit"].lower()], today, before=is_before)
    back = 1 if FRENCH_YESTERDAY.search(text) else None
    back = next((days for pattern, days in _DAYS_BACK if pattern.search(text)), back)
    return None if back is None else NamedDate(_days_before(today, back), _days_before(today, back))


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := pattern.search(text))), None)


def _days_before(today: date, days: int) -> date:
    return today - timedelta(days=min(days, today.toordinal() - 1))


def _span(unit: int, today: date, *, before: bool) -> NamedDate | None:
    """This week, month or year, or the one before; a day is not a span."""
    if unit == UNIT_DAYS["week"]:
        monday = _days_before(today, today.weekday() + 7 * before)
        return NamedDate(monday, monday + timedelta(days=6))
    if unit == UNIT_DAYS["year"]:
        return NamedDate(date(today.year - before, 1, 1), date(today.year - before, 12, 31))
    if unit == UNIT_DAYS["month"]:
        within = today.replace(day=1) - timedelta(days=1) if before else today
        return _range(within.year, within.month, None)
    return None


def _range(year: int, month: int, day: int | None) -> NamedDate:
    longest = monthrange(year, month)[1]
    if day is not None and 1 <= day <= longest:
        return NamedDate(date(year, month, day), date(year, month, day))
    return NamedDate(date(year, month, 1), date(year, month, longest))
