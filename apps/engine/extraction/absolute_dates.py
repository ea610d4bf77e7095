"""Dates for words that count from today: tomorrow and the like in 35 languages.

"In three weeks", "last month" and "next Friday" are known in seven.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from functools import partial

from apps.engine.language.date_words import (
    COUNTS,
    FRENCH_YESTERDAY,
    LAST,
    NEXT,
    THIS,
    UNIT,
    UNIT_DAYS,
    WEEKDAYS,
    any_of,
    count_of,
)
from apps.engine.language.word_lists import plain_letters

_DAYS: dict[int, str] = {
    -1: r"""yesterday|gestern|ayer|anoche|ontem|ieri|gisteren|igår|i går|tegnap|wczoraj|včera|вчера|вчора
        |χθες|χτες|dün|امس|أمس|אתמול|دیروز|গতকাল|kemarin|hôm qua|kahapon|ahir|昨日|昨天|어제|เมื่อวาน""",
    0: r"""today|tonight|this morning|this evening|heute|hoy(?! en día)|hoje|oggi|aujourd['’]hui|vandaag|vanavond
        |idag|i dag|ikväll|tänään|dzisiaj|dziś|dnes|сегодня|сьогодні|σήμερα|bugün|היום|امروز|आज|আজ|hari ini|hôm nay
        |astăzi|azi|avui|今日|今天|오늘|วันนี้""",
    1: r"""(?<!after )tomorrow|tmrw|(?<!guten )(?<!heute )(?<!gestern )(?<!am )(?<!jeden )morgen
        |(?<!la )(?<!esta )(?<!cada )(?<!una )(?<!pasado )mañana|amanhã|domani|(?<!après-)demain|imorgon|i morgon
        |i morgen|huomenna|holnap|jutro|zítra|завтра|αύριο|yarın|غدا|غدًا|بكرة|מחר|فردا|আগামীকাল|besok|ngày mai
        |bukas|kesho|mâine|demà|明日|明天|내일|พรุ่งนี้""",
    2: r"""the day after tomorrow|übermorgen|pasado mañana|après-demain|dopodomani|depois de amanhã|overmorgen
        |i övermorgon|i overmorgen|ylihuomenna|holnapután|pojutrze|pozítří|послезавтра|післязавтра|μεθαύριο|öbür gün
        |بعد غد|מחרתיים|ngày kia|poimâine|demà passat|明後日|后天|後天|모레|มะรืนนี้""",
}
_LETTER = r"[^\W_\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7a3]"
"""Of a script with spaces between words."""
# The longer words first: "the day after tomorrow" has "tomorrow" in it.
_WORD = rf"(?<!{_LETTER})(?<![#=/_-])(?:{{}})(?!{_LETTER})"
_WORDS = {days: re.compile(_WORD.format(re.sub(r"\n\s*", "", _DAYS[days])), re.IGNORECASE) for days in (2, 1, -1, 0)}
_NEVER = re.compile(r"\b(?:(?:19|20)\d\d|every|each|jeden|jede|cada|chaque|ogni|elke|varje|hver)\b", re.IGNORECASE)
_COUNT = rf"(?P<count>\d{{1,2}}|{any_of(COUNTS)})"
_IN = re.compile(
    rf"\b(?:in|dans|en|dentro de|tra|fra|em|daqui a|over) {_COUNT} {UNIT}(?:['’]s? time)?(?![\w-])", re.IGNORECASE
)
_AGO = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_COUNT} {UNIT} (?:ago|fa|atrás|geleden)\b",
        rf"\b(?:vor|hace|il y a|há) {_COUNT} {UNIT}\b",
    )
)
_WHICH, _WHEN = rf"(?P<which>{THIS}|{LAST}|{NEXT})", rf"(?:{UNIT}|(?P<weekday>{any_of(WEEKDAYS)}))"
_SPAN = tuple(
    re.compile(rf"\b(?:the |el |la |le |die |den |der |das |il |lo |o |a |de )?{pattern}(?![\w-])", re.IGNORECASE)
    for pattern in (f"{_WHICH} {_WHEN}", f"{_WHEN} {_WHICH}")
)
_LAST, _NEXT = re.compile(LAST, re.IGNORECASE), re.compile(NEXT, re.IGNORECASE)
# "In two weeks" is how long something took where it is over.
_ENGLISH_PAST = re.compile(r"\b(?:was|were|did|had|got|went|came|took|made|learnt|\w{3,}ed)\b", re.IGNORECASE)
_OTHER_PAST = re.compile(r"\b(?:habe|hat|haben|war|waren|ai|ont|he|ha|han|ho|hanno|heb|heeft)\b", re.IGNORECASE)
_ENGLISH = re.compile(r"\bI\b|\b(?i:the|my|and|are|she|our|from|was|got|have|has|this|they|their|with|it's|at)\b")
_AFTER_PREPOSITION = re.compile(r"\b(?:from|since|until|till|by|of|as of|for|before|after)\s+$", re.IGNORECASE)
_FRENCH_HIER = re.compile(r"\bhier\b", re.IGNORECASE)
_WEEK, _MONTH, _YEAR = UNIT_DAYS["week"], UNIT_DAYS["month"], UNIT_DAYS["year"]
_Day = Callable[[date, re.Match[str]], str]


def absolute(text: str, written_on: date) -> str:
    """The text with a date for each word that counts from the day on which it was written.

    Left as it is: a text that names its year, or speaks of every day.

    >>> absolute("My driving test is tomorrow", date(2026, 11, 28))
    'My driving test is on 2026-11-29'
    >>> absolute("Last month we got the keys", date(2026, 11, 28)), absolute("明後日引っ越す", date(2026, 11, 28))
    ('In 2026-10 we got the keys', '2026-11-30引っ越す')
    """
    # Near the first or the last day that a date can have, what it is relative to may not exist.
    with suppress(ValueError, OverflowError):
        return text if _NEVER.search(text) else _with_dates(text, written_on)
    return text


def _with_dates(text: str, written_on: date) -> str:
    is_english = _ENGLISH.search(text) is not None
    is_past = (_ENGLISH_PAST if is_english else _OTHER_PAST).search(text) is not None
    if FRENCH_YESTERDAY.search(text):
        text = _FRENCH_HIER.sub(_iso(written_on, -1), text)
    for pattern, day in [*_KINDS, *([] if is_past else [_AHEAD])]:
        text = pattern.sub(partial(_replaced, written_on, day, is_english), text)
    return text


def _replaced(written_on: date, day: _Day, is_english: bool, found: re.Match[str]) -> str:
    """The date of what was found, in English with the preposition of a date."""
    dated = day(written_on, found)
    preposition = "on" if len(dated) > len("2026-10") else "in"
    needs_one = is_english and dated != found[0] and not _AFTER_PREPOSITION.search(found.string[: found.start()])
    written = f"{preposition} {dated}" if needs_one else dated
    return written[:1].upper() + written[1:] if found.start() == 0 else written


def _day_word(days: int, written_on: date, _: re.Match[str]) -> str:
    return _iso(written_on, days)


def _away(way: int, written_on: date, found: re.Match[str]) -> str:
    """The day, month or year that is so many units away."""
    count = count_of(found)
    unit = UNIT_DAYS[plain_letters(found["unit"]).lower()]
    if unit < _MONTH:
        return _iso(written_on, way * count * unit)
    return _month(written_on, way * count) if unit == _MONTH else str(written_on.year + way * count)


def _this_or_another(written_on: date, found: re.Match[str]) -> str:
    """This, the last or the next day of the week, week, month or year."""
    way = -1 if _LAST.fullmatch(found["which"]) else 1 if _NEXT.fullmatch(found["which"]) else 0
    if found["weekday"]:
        return _iso(written_on, _days_to(WEEKDAYS[plain_letters(found["weekday"]).lower()], written_on, way))
    unit = UNIT_DAYS[plain_letters(found["unit"]).lower()]
    if unit in (_MONTH, _YEAR):
        return _month(written_on, way) if unit == _MONTH else str(written_on.year + way)
    monday = 7 * way - written_on.weekday()
    return f"{_iso(written_on, monday)}/{_iso(written_on, monday + 6)}" if unit == _WEEK else found[0]


def _days_to(weekday: int, written_on: date, way: int) -> int:
    """How many days a weekday is away: the last one, the next one, or this one, which may be today."""
    ahead = (weekday - written_on.weekday()) % 7
    return ahead - 7 if way < 0 else ahead or 7 * way


def _month(written_on: date, months: int) -> str:
    count = written_on.year * 12 + written_on.month - 1 + months
    return f"{count // 12}-{count % 12 + 1:02d}"


def _iso(written_on: date, days: int) -> str:
    return (written_on + timedelta(days=days)).isoformat()


_KINDS: list[tuple[re.Pattern[str], _Day]] = [
    *((pattern, partial(_day_word, days)) for days, pattern in _WORDS.items()),
    *((pattern, partial(_away, -1)) for pattern in _AGO),
    *((pattern, _this_or_another) for pattern in _SPAN),
]
_AHEAD: tuple[re.Pattern[str], _Day] = (_IN, partial(_away, 1))
