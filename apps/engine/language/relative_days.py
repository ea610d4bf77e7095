"""Words for today, tomorrow and the days beside them, in 35 languages."""

from __future__ import annotations

import re
from datetime import date, timedelta

from apps.engine.language.date_words import FRENCH_YESTERDAY

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


def day_named(text: str, written_on: date) -> date | None:
    """The day that a text calls tomorrow or the like; none if it names its year, or speaks of every day.

    >>> day_named("My driving test is tomorrow", date(2026, 11, 28)), day_named("明後日引っ越す", date(2026, 11, 28))
    (datetime.date(2026, 11, 29), datetime.date(2026, 11, 30))
    >>> day_named("I run every day, also tomorrow", date(2026, 11, 28)) is day_named("Guten Morgen", date(2026, 1, 1))
    True
    """
    if _NEVER.search(text):
        return None
    days = -1 if FRENCH_YESTERDAY.search(text) else None
    days = next((days for days, words in _WORDS.items() if words.search(text)), days)
    return None if days is None else written_on + timedelta(days=days)
