"""Weekdays, dates, clock times and how often something happens, in five languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.memory.values.numbers import NUMBER_WORDS
from apps.engine.memory.values.value import UNKNOWN, Kind, Value

_WEEKDAYS = (
    "monday montag lunes lundi 月曜",
    "tuesday tue tues dienstag martes mardi 火曜",
    "wednesday weds mittwoch miércoles mercredi 水曜",
    "thursday thu thur thurs donnerstag jueves jeudi 木曜",
    "friday fri freitag viernes vendredi 金曜",
    "saturday samstag sonnabend sábado samedi 土曜",
    "sunday sonntag domingo dimanche 日曜",
)
_MONTHS = (
    "january jan januar enero janvier 1月",
    "february feb februar febrero février 2月",
    "march mar märz marzo mars 3月",
    "april apr abril avril 4月",
    "may mai mayo 5月",
    "june jun juni junio juin 6月",
    "july jul juli julio juillet 7月",
    "august aug agosto août 8月",
    "september sep sept septiembre septembre 9月",
    "october oct oktober octubre octobre 10月",
    "november nov noviembre novembre 11月",
    "december dec dezember diciembre décembre 12月",
)
_MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_DAY_NUMBERS = {name: number for number, names in enumerate(_WEEKDAYS, 1) for name in names.split()}


def _either(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_MONTH = rf"(?P<{{0}}>{_either({name: n for name, n in _MONTH_NUMBERS.items() if name.isalpha()})})\b\.?"
_YEAR = r"(?P<{0}>(?:19|20)\d\d)"
_DATES = (
    re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b"),
    re.compile(
        rf"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.|er)?(?: of| de)? {_MONTH.format('month')}"
        rf"(?:(?:,| de|) {_YEAR.format('year')})?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_MONTH.format('month')} (?:the )?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?![:.]\d)"
        rf"(?:,? {_YEAR.format('year')})?",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<month>1[0-2]|[1-9])月(?P<day>[0-3]?\d)日"),
    re.compile(
        r"\b(?:the |on )?(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b(?! (?:floor|person|grade|edition|place|row|century))"
    ),
)
# A month alone is one after a word of time; "may" and "march" are verbs too.
_MONTH_ALONE = re.compile(
    r"\b(?:in|on|by|from|until|till|since|before|after|end of|start of|beginning of|middle of|early|mid|late|next|last"
    rf"|im|ab|seit|bis|en|desde|hasta|depuis|dès|to)[ -]{_MONTH.format('month')}(?: {_YEAR.format('year')})?",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    rf"\b(?P<day>{_either(_DAY_NUMBERS)})(?:s|e|en)?\b"
    r"|(?P<kanji>[月火水木金土日])曜",
    re.IGNORECASE,
)
_KANJI = "月火水木金土日"
_HOURS = {word: number for word, number in NUMBER_WORDS.items() if 0 < number <= 12} | {"one": 1}
_HOUR = rf"(?P<hour>[01]?\d|2[0-4]|{_either(_HOURS)})"
_TIMES = (
    re.compile(r"\b(?P<hour>[01]?\d|2[0-4])[:h](?P<minute>[0-5]\d)(?: ?(?P<half>am|pm))?\b(?![:/])", re.IGNORECASE),
    re.compile(rf"\b{_HOUR}(?: ?(?P<half>am|pm)\b| o'?clock\b| uhr\b|時)", re.IGNORECASE),
    re.compile(rf"\b(?P<part>half|quarter) (?:past |(?P<before>to ))?{_HOUR}\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:at|before|after|by|until|till|from|um|vor|nach|a las|à) {_HOUR}\b(?!\s*[%\w:.,]*\d"
        r"|[ -](?!(?:in|and|when|on|now|every|instead|sharp|each|de|pm|am)\b)[a-z])",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<named>noon|midday|midnight|mittag|mitternacht|mediodía|medianoche|midi|minuit)\b", re.IGNORECASE
    ),
)
_NAMED_TIMES = {"midnight": 0, "mitternacht": 0, "medianoche": 0, "minuit": 0}
_DAY_NAMES = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_FREQUENCIES = (
    ("day", r"\b(?:daily|every (?:single )?(?:day|morning|evening|night)|each day)\b"),
    ("day", r"\b(?:täglich|jeden tag|cada día|a diario|chaque jour|tous les jours)\b|毎日"),
    ("2 days", r"\b(?:every (?:other|second) day|alle zwei tage|cada dos días|tous les deux jours)\b"),
    ("week", rf"\b(?:weekly|every week|once a week|each week|every {_DAY_NAMES})\b"),
    ("week", r"\b(?:wöchentlich|jede woche|cada semana|chaque semaine|toutes les semaines)\b|毎週"),
    ("2 weeks", r"\b(?:bi-?weekly|fortnightly|every (?:other|second|two) weeks?|every fortnight)\b"),
    ("2 weeks", rf"\bevery (?:other|second) {_DAY_NAMES}\b"),
    ("2 weeks", r"\b(?:alle zwei wochen|cada dos semanas|tous les quinze jours|toutes les deux semaines)\b"),
    ("2 weeks", r"\bun \w+ sur deux\b|隔週"),
    ("month", r"\b(?:monthly|every month|once a month|each month)\b"),
    ("month", r"\b(?:monatlich|jeden monat|cada mes|chaque mois|tous les mois)\b|毎月"),
    ("quarter", r"\b(?:quarterly|every quarter|every three months|vierteljährlich|cada trimestre)\b"),
    ("year", r"\b(?:yearly|annually|every year|once a year|jährlich|cada año|chaque année)\b|毎年"),
)
_FREQUENCY = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _FREQUENCIES)
_TIMES_A = re.compile(
    rf"\b(?P<count>once|twice|\d+|{_either(_HOURS)})(?: times| days| nights| hours| evenings)?"
    r" (?:a|per|each|every|pro|al|par) "
    r"(?P<unit>day|week|month|year|woche|monat|semana|mes|semaine|mois)\b",
    re.IGNORECASE,
)


def dates(text: str) -> Iterator[Value]:
    """The days and months that a text names; what it leaves open is unknown.

    >>> [one.text for one in dates("from 1 April 2026 to the 13th, or in May")]
    ['2026-04-01', '?-?-13', '?-05-?']
    """
    used: list[tuple[int, int]] = []
    for pattern in (*_DATES, _MONTH_ALONE):
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in used):
                continue
            if (value := _date(match)) is not None:
                used.append(match.span())
                yield value


def _date(match: re.Match[str]) -> Value | None:
    parts = match.groupdict()
    month = (parts.get("month") or "").lower()
    number = int(month) if month.isdigit() else _MONTH_NUMBERS.get(month, 0)
    day = int(parts.get("day") or 0)
    if day > 31 or number > 12:
        return None
    text = "-".join((parts.get("year") or UNKNOWN, *(f"{part:02}" if part else UNKNOWN for part in (number, day))))
    return Value(Kind.DATE, "", text, *match.span())


def weekdays(text: str) -> Iterator[Value]:
    """The weekdays that a text names.

    >>> [one.text for one in weekdays("Tuesdays and Fri, not freitags")]
    ['2', '5', '5']
    """
    for match in _WEEKDAY.finditer(text):
        kanji = match["kanji"]
        number = _KANJI.index(kanji) + 1 if kanji else _DAY_NUMBERS[match["day"].lower()]
        yield Value(Kind.WEEKDAY, "", str(number), *match.span())


def times(text: str) -> Iterator[Value]:
    """The clock times that a text names, on a dial of twelve hours.

    >>> [one.text for one in times("at 19:30, half seven, 9 am, or noon")]
    ['07:30', '09:00', '07:30', '00:00']
    """
    used: list[tuple[int, int]] = []
    for pattern in _TIMES:
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in used):
                used.append(match.span())
                yield Value(Kind.TIME, "", _dial(match.groupdict()), *match.span())


def _dial(parts: dict[str, str | None]) -> str:
    if parts.get("named"):
        return "00:00"
    hour = (parts.get("hour") or "0").lower()
    minute = int(parts.get("minute") or 0)
    number = int(hour) if hour.isdigit() else _HOURS.get(hour, 0)
    if part := parts.get("part"):
        minute = 30 if part.lower() == "half" else 15
        if parts.get("before"):
            number, minute = number - 1, 60 - minute
    return f"{number % 12:02}:{minute:02}"


def frequencies(text: str) -> Iterator[Value]:
    """How often something happens.

    >>> [one.text for one in frequencies("every other week, three times a month")]
    ['2 weeks', '3 a month']
    """
    for name, pattern in _FREQUENCY:
        if match := pattern.search(text):
            yield Value(Kind.FREQUENCY, "", name, *match.span())
    for match in _TIMES_A.finditer(text):
        count = match["count"].lower()
        number = {"once": 1, "twice": 2}.get(count) or NUMBER_WORDS.get(count) or count
        yield Value(Kind.FREQUENCY, "", f"{number} a {match['unit'].lower()}", *match.span())
