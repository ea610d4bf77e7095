"""Words that dates are made of, as patterns and their values: in English, German, Spanish and French.

Those for spans of time are in Italian, Portuguese and Dutch too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from apps.engine.language.word_lists import plain_letters

_MONTH_NAMES = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
)
_SHORT = {name[:3]: number for number, name in enumerate(_MONTH_NAMES[0].split(), 1)} | {"sept": 9, "jänner": 1}
MONTHS = {name: number for names in _MONTH_NAMES for number, name in enumerate(names.split(), 1)} | _SHORT
AMBIGUOUS_MONTHS = frozenset(("may", "march", "mar", "jan", "dec", "sep", "sept", "jun", "mars", "mayo"))
"""These are common words too: alone they are months only after certain words."""
SEASONS = {
    **dict.fromkeys(("spring", "frühling", "frühjahr", "primavera", "printemps"), 3),
    **dict.fromkeys(("summer", "sommer", "verano", "été"), 6),
    **dict.fromkeys(("autumn", "fall", "herbst", "otoño", "automne"), 9),
    **dict.fromkeys(("winter", "invierno", "hiver"), 12),
}
"""The first month of each season of the northern hemisphere."""
THIRDS = (
    ("early", "anfang", "principios", "comienzos", "début"),
    ("mid", "middle of", "mitte", "mediados", "mi"),
    ("late", "end of", "ende", "finales", "fin"),
)
"""The beginning, the middle and the end of a period."""
UNIT_DAYS = {
    **dict.fromkeys(("days", "day", "tagen", "tage", "tag", "días", "día", "jours", "jour"), 1),
    **dict.fromkeys(("giorni", "giorno", "dias", "dia", "dagen", "dag"), 1),
    **dict.fromkeys(("weeks", "week", "wochen", "woche", "semanas", "semana", "semaines", "semaine"), 7),
    **dict.fromkeys(("settimane", "settimana", "weken"), 7),
    **dict.fromkeys(("months", "month", "monaten", "monate", "monats", "monat", "meses", "mes", "mois"), 30),
    **dict.fromkeys(("mesi", "mese", "mês", "maanden", "maand"), 30),
    **dict.fromkeys(("anni", "anno", "anos", "ano", "jaar"), 365),
    **dict.fromkeys(
        ("years", "year", "jahren", "jahre", "jahr", "años", "año", "années", "année", "ans", "an"),
        365,
    ),
}
COUNTS = {
    **dict.fromkeys(("a", "an", "one", "ein", "eine", "einem", "einer", "un", "una", "une", "uma", "een"), 1),
    **dict.fromkeys(("two", "a couple of", "zwei", "dos", "deux", "due", "dois", "duas", "twee"), 2),
    **dict.fromkeys(
        ("three", "a few", "drei", "ein paar", "tres", "unos", "unas", "trois", "quelques", "tre", "três", "drie"), 3
    ),
    **dict.fromkeys(("four", "vier", "cuatro", "quatre", "quattro", "quatro"), 4),
    **dict.fromkeys(("five", "fünf", "cinco", "cinq", "cinque", "vijf"), 5),
    **dict.fromkeys(("six", "sechs", "seis", "sei", "zes"), 6),
    **dict.fromkeys(("seven", "sieben", "siete", "sept"), 7),
    **dict.fromkeys(("eight", "acht", "ocho", "huit"), 8),
    **dict.fromkeys(("nine", "neun", "nueve", "neuf"), 9),
    **dict.fromkeys(("ten", "zehn", "diez", "dix", "dieci", "dez", "tien"), 10),
}
_WEEKDAY_NAMES = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lunes martes miércoles jueves viernes sábado domingo",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
)
WEEKDAYS = {name: number for names in _WEEKDAY_NAMES for number, name in enumerate(names.split())} | {"sonnabend": 5}
"""Monday is 0."""

THIS = r"this|diese[nmrs]?|est[ae]|cet|cette|ce|quest[oa]|deze|dit"
LAST = (
    r"last|past|letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?|pasad[oa]|dernière|dernier|passée|passé"
    r"|scors[oa]|passad[oa]|afgelopen"
)
LASTS = r"last|past|letzten|vergangenen|últim[oa]s|derniers|dernières"
NEXT = r"next|nächste[nmrs]?|kommende[nmrs]?|próxim[oa]|que viene|prochaine?|prossim[oa]|que vem|volgende"
YESTERDAY = r"yesterday|gestern|ayer"
TODAY = r"today|heute|hoy|aujourd['’]hui"
DAY_BEFORE = r"(?:the )?day before yesterday|vorgestern|anteayer|antes de ayer|avant-hier"
FRENCH_YESTERDAY = re.compile(
    r"^(?=.*(?:\b(?:est-ce|je|nous|vous|ai|avons|avez|les)\b|\b[jq]u?['’])).*?\bhier\b", re.IGNORECASE | re.DOTALL
)
"""In German "hier" is "here"."""
BEFORE_DATE = re.compile(
    r"(?:\b(?:in|on|of|since|during|until|till|by|from|before|after|around|early|late|mid|every"
    r"|im|am|seit|bis|vor|nach|ab|anfang|mitte|ende"
    r"|en|desde|hasta|durante|antes de|después de|(?:principios|comienzos|mediados|finales) de"
    r"|au|depuis|avant|après|pendant|début|mi|fin|à|dès"
    rf"|{THIS}|{LAST}|{NEXT})[\s-]+(?:(?:the|dem|el|la|le)\s+|[ld]['’])?|\b[ld]['’])$",
    re.IGNORECASE,
)
"""The end of a text after which a month or a season says when."""


def any_of(words: Iterable[str]) -> str:
    """A pattern of the words, the longest first.

    >>> any_of(("day", "days"))
    'days|day'
    """
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


UNIT = rf"(?P<unit>{any_of(UNIT_DAYS)})"


def count_of(match: re.Match[str]) -> int:
    """The number that a group `count` says, in digits or as a word of `COUNTS`."""
    count = plain_letters(match["count"]).lower()
    return COUNTS.get(count) or int(count)
