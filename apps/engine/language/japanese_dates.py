"""Dates that Japanese text names, in the words of English, which `named_date` reads."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType

_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")
_NUMERALS = MappingProxyType({numeral: number for number, numeral in enumerate("一二三四五六七八九十", 1)})
_SEASONS = MappingProxyType({"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"})
_YEARS = MappingProxyType({"一昨年": -2, "おととし": -2, "去年": -1, "昨年": -1, "今年": 0, "来年": 1})
_UNITS = MappingProxyType({"日": "days", "週間": "weeks", "か月": "months", "年": "years"})
_PHRASES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("一昨日", "おととい"), "the day before yesterday"),
        **dict.fromkeys(("昨日", "きのう"), "yesterday"),
        **dict.fromkeys(("今日", "きょう"), "today"),
        **{"先週": "last week", "今週": "this week", "先月": "last month", "今月": "this month"},
        **{f"{this}{season}": f"this {name}" for this in ("この", "今年の") for season, name in _SEASONS.items()},
        **{f"前の{season}": f"last {name}" for season, name in _SEASONS.items()},
    }
)
_NUMBER = rf"(?:\d{{1,2}}|[{''.join(_NUMERALS)}]{{1,3}})"
_DAY = re.compile(
    rf"(?:(?P<year>(?:19|20)\d\d)年|(?P<relative>{'|'.join(_YEARS)}))?の?"
    rf"(?:(?P<month>{_NUMBER})月(?P<day>{_NUMBER})?日?|(?P<season>[{''.join(_SEASONS)}])(?!日))"
    r"(?!前|間)"
)
_YEAR = re.compile(rf"(?P<year>(?:19|20)\d\d)年|(?P<relative>{'|'.join(_YEARS)})")
_SPAN = rf"(?P<count>\d{{1,3}}|{_NUMBER})(?P<unit>日|週間|[かカヶヵケ]月|年)"
_AGO = re.compile(rf"(?<!の){_SPAN}前")
_AROUND = re.compile(rf"(?P<event>[^、。！？!?\s]{{2,40}}?)の{_SPAN}(?:(?P<before>前)|後)")


def japanese_date(text: str, today: date) -> str | None:
    """The first date that a Japanese text names, in English; `today` is what "last year" counts from.

    >>> [japanese_date(text, date(2026, 11, 18)) for text in ("去年の春はどこにいましたか？", "3日前", "五月八日に")]
    ['in spring 2025', '3 days ago', 'on 8 May']
    >>> japanese_date("春が好きです。", date(2026, 11, 18)) is None
    True
    """
    plain = text.translate(_DIGITS)
    readers: tuple[Callable[[str, date], str | None], ...] = (_ago, _phrase, _day, _year)
    return next((found for read in readers if (found := read(plain, today))), None)


def japanese_event(text: str) -> tuple[str, str, str] | None:
    """An event, the English words for the time before or after it, and the whole of it in the text.

    >>> japanese_event("引っ越しの二週間前に何を買いましたか？")
    ('引っ越し', '2 weeks before', '引っ越しの二週間前')
    """
    match = _AROUND.search(text.translate(_DIGITS))
    if match is None:
        return None
    side = "before" if match["before"] else "after"
    return match["event"], f"{_span(match)} {side}", text[match.start() : match.end()]


def _ago(text: str, _: date) -> str | None:
    match = _AGO.search(text)
    return f"{_span(match)} ago" if match else None


def _span(match: re.Match[str]) -> str:
    return f"{_number(match['count'])} {_UNITS.get(match['unit'], 'months')}"


def _phrase(text: str, _: date) -> str | None:
    return next((english for japanese, english in _PHRASES.items() if japanese in text), None)


def _day(text: str, today: date) -> str | None:
    for match in _DAY.finditer(text):
        year = _year_of(match, today)
        if match["season"] and year:
            return f"in {_SEASONS[match['season']]} {year}"
        month = _number(match["month"]) if match["month"] else 0
        if 1 <= month <= 12:
            day = f"on {_number(match['day'])}" if match["day"] else "in"
            return f"{day} {month_name[month]} {year}".rstrip()
    return None


def _year(text: str, today: date) -> str | None:
    match = _YEAR.search(text)
    return f"in {_year_of(match, today)}" if match else None


def _year_of(match: re.Match[str], today: date) -> str:
    if match["year"]:
        return match["year"]
    return str(today.year + _YEARS[match["relative"]]) if match["relative"] else ""


def _number(text: str) -> int:
    """A number up to 99, in digits or in Chinese numerals.

    >>> _number("12"), _number("三"), _number("十"), _number("二十七")
    (12, 3, 10, 27)
    """
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (_NUMERALS.get(tens, 1) * 10 if ten else 0) + _NUMERALS.get(ones[:1], 0)
