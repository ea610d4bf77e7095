"""The day on which a fact occurred, began or ends, if its words give it; relative dates count from the message's."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

from apps.engine.language.date_words import WEEKDAYS
from apps.engine.language.dates import NamedDate, named_date

# A fact of the past or one that began then; what is planned has its date in its statement.
_PAST = re.compile(
    r"\b(?:was|were|did|had|got|went|came|left|bought|sold|began|started|moved|switched|changed|took|made|signed|died|broke"
    r"|lost|won|met|since|ago|yesterday|last|as of|seit|gestern|desde|ayer|depuis|hier|ist|hat|haben|sind)\b|\w{3,}ed\b"
    r"|昨日|先月|先週|から",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:is|are|will|goes?|starts?|opens?|ends?|closes?|lands?|leaves?|comes?|runs?|until|till|by|due|from)\b"
    r"|\b(?:ist|wird|es|será|est|sera)\b"
    r"|'(?:s|re|ll)\b",
    re.IGNORECASE,
)
# A date that says when: not "…, 26 April" and not "by the end of May".
_INTRODUCED = re.compile(
    r"\b(?:on|in|since|as of|last|am|im|seit|en|desde|depuis|le) (?:the |early |mid |late |mid-)?"
    r"(?:\d{1,2}\b|(?:19|20)\d\d\b"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter|month|year)|\bago\b",
    re.IGNORECASE,
)
# A state of the speaker, not a date that was put off.
_STATE = re.compile(
    r"\b(?:(?:i|we)(?:'m|'re|'ll be| am| are| will be| stay| live| work)|estoy|estamos|je suis|nous sommes)\b"
    r".{1,60}?\b(?:until|till|hasta|jusqu'(?:au|à))\s+(?P<end>.+)",
    re.IGNORECASE | re.DOTALL,
)
_EARLIER = (
    (
        re.compile(
            r"\b(?:yesterday|last night|gestern|ayer|anoche|hier(?! (?:steht|ist|sind|gibt)))\b|昨日", re.IGNORECASE
        ),
        1,
    ),
    (re.compile(r"\b(?:today|this morning|heute|hoy|aujourd'hui)\b|今日", re.IGNORECASE), 0),
    (re.compile(r"\blast week\b|\bletzte woche\b|\bla semana pasada\b|\bla semaine dernière\b|先週", re.IGNORECASE), 7),
)
_SINCE_WEEKDAY = re.compile(
    r"\b(?:since|as of|from|last|on) (?:last )?"
    r"(?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday|the weekend)\b",
    re.IGNORECASE,
)
_SINCE_DAY = re.compile(r"\bsince the (?P<day>[0-3]?\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_SATURDAY = WEEKDAYS["saturday"]


def days_of(text: str, said: datetime | None) -> tuple[datetime | None, datetime | None]:
    """The day on which something occurred, and the end of a passing state, if the words give them."""
    return (occurred_at(text, said), ends_at(text, said)) if said else (None, None)


def occurred_at(text: str, said: datetime) -> datetime | None:
    """The day on which something happened or began, not after the message itself; none if the words don't say it.

    Days are stored as their midnight in UTC: where the person is, the day is that of `said`.

    >>> said = datetime.fromisoformat("2026-02-05T09:30+09:00")
    >>> str(occurred_at("We moved the server last night", said)), str(occurred_at("Sold on 15 December", said))
    ('2026-02-04 00:00:00+00:00', '2025-12-15 00:00:00+00:00')
    >>> occurred_at("The launch is on 1 April", said) is None
    True
    """
    day = _weekday(text, said) or _day_of_month(text, said) or _relative(text, said) or _named(text, said)
    return None if day is None else min(datetime(day.year, day.month, day.day, tzinfo=UTC), said)


def ends_at(text: str, said: datetime) -> datetime | None:
    """The end of the last day on which a state of the speaker lasts; none if the words name no such day.

    >>> said = datetime(2026, 2, 5, 9, 30)
    >>> str(ends_at("I'm in Rome until 20 March", said)), str(ends_at("We stay in Porto till June", said))
    ('2026-03-21 00:00:00', '2026-07-01 00:00:00')
    >>> ends_at("The deadline was moved until 20 March", said) is None
    True
    """
    match = _STATE.search(text)
    named = named_date(match["end"], said.date()) if match else None
    last = _last_day(named, said.date()) if named else None
    if last is None or last < said.date():
        return None
    return datetime(last.year, last.month, last.day, tzinfo=said.tzinfo) + timedelta(days=1)


def _last_day(named: NamedDate, said: date) -> date | None:
    """The last day of a range, or of the next month or day with this name."""
    if named.last is not None or named.month is None:
        return named.last
    year = said.year if (named.month, named.day or 31) >= (said.month, said.day) else said.year + 1
    days = monthrange(year, named.month)[1]
    return date(year, named.month, min(named.day or days, days))


def _relative(text: str, said: datetime) -> datetime | None:
    if not _PAST.search(text):
        return None
    return next((said - timedelta(days=days) for pattern, days in _EARLIER if pattern.search(text)), None)


def _weekday(text: str, said: datetime) -> datetime | None:
    """The last such day before the message; "on Friday" only of something past."""
    match = _SINCE_WEEKDAY.search(text)
    if match is None or (match.group().lower().startswith(("on", "from")) and not _PAST.search(text[: match.start()])):
        return None
    name = match["day"].lower()
    number = WEEKDAYS.get(name, _SATURDAY)
    return said - timedelta(days=(said.weekday() - number) % 7 or 7)


def _day_of_month(text: str, said: datetime) -> datetime | None:
    match = _SINCE_DAY.search(text)
    day = int(match["day"]) if match else 0
    if not 1 <= day <= 28 or day > said.day:
        return None
    return said.replace(day=day)


def _named(text: str, said: datetime) -> datetime | None:
    """A date with its year, or the last one that fits, if the words before it tell of the past."""
    match = _INTRODUCED.search(text)
    if match is None or not _PAST.search(text[: match.end()]):
        return None
    markers = [*_PRESENT.finditer(text, 0, match.start()), *_PAST.finditer(text, 0, match.end())]
    named = named_date(text if match.group() == "ago" else text[match.start() :], said.date())
    if named is None or _PRESENT.fullmatch(max(markers, key=lambda one: one.start()).group()):
        return None
    first = _first_day(named, said)
    return first if first is not None and first.date() <= said.date() else None


def _first_day(named: NamedDate, said: datetime) -> datetime | None:
    if named.first is not None:
        return datetime(named.first.year, named.first.month, named.first.day, tzinfo=said.tzinfo)
    if named.month is None:
        return None
    day = named.day or 1
    year = said.year if (named.month, day) <= (said.month, said.day) else said.year - 1
    try:
        return datetime(year, named.month, day, tzinfo=said.tzinfo)
    except ValueError:
        return None
