"""Amounts: counted things, sums of money, and shares of a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.language.similarity import stem
from apps.engine.language.word_lists import listed
from apps.engine.memory.values.value import Kind, Value

_WORDS = {
    "two zwei dos deux": 2,
    "three drei tres trois": 3,
    "four vier cuatro quatre": 4,
    "five fünf cinco cinq": 5,
    "six sechs seis": 6,
    "seven sieben siete sept": 7,
    "eight acht ocho huit": 8,
    "nine neun nueve neuf": 9,
    "ten zehn diez dix": 10,
    "eleven elf once onze": 11,
    "twelve zwölf doce douze dozen": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen fünfzehn quince quinze": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty zwanzig veinte vingt": 20,
    "thirty dreißig treinta trente": 30,
    "forty vierzig cuarenta quarante": 40,
    "fifty fünfzig cincuenta cinquante": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred hundert cien cent": 100,
}
# "Once" and "sept" are English words first.
NUMBER_WORDS = {word: number for words, number in _WORDS.items() for word in words.split()} | {"sept": 0, "once": 0}
_SPOKEN = "|".join(sorted((word for word, number in NUMBER_WORDS.items() if number), key=len, reverse=True))
_DIGITS = r"\d{1,3}(?:[,.]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_NUMBER = rf"(?:{_DIGITS}|\b(?:{_SPOKEN})\b)"
_CURRENCY = r"euros?|dollars?|pounds?|quid|bucks|francs?|yen|eur|usd|gbp|chf|円"
_LABELS = (
    r"ports?|sizes?|rooms?|nrs?|no\.|numbers?|platforms?|gates?|steps?|chapters?|episodes?|tables?|seats?|zones?|lines?"
)
_AMOUNT = re.compile(
    rf"(?P<label>\b(?:{_LABELS}|größe|zimmer|talla) )?(?P<sign>[£$€¥] ?)?"
    rf"(?<![\w.,-])(?P<number>{_NUMBER})(?P<scale>k|m)?(?!\w)"
    rf"(?: ?(?:to|-|–|bis) ?[£$€]?(?P<upper>{_DIGITS})(?P<scale2>k|m)?(?!\w))?"
    rf"(?:(?P<after> ?(?:[£$€¥]|\b(?:{_CURRENCY})\b))|(?P<share> ?%| ?(?:percent|per cent|prozent)\b))?"
    r"(?:[ -](?P<unit>[^\W\d_]+²?)(?: (?P<second>[^\W\d_]+))?)?",
    re.IGNORECASE,
)
_FRACTIONS = {
    "half": 0.5,
    "a third": 0.3333,
    "one third": 0.3333,
    "two thirds": 0.6667,
    "a quarter": 0.25,
    "one quarter": 0.25,
    "three quarters": 0.75,
    "ein drittel": 0.3333,
    "ein viertel": 0.25,
    "die hälfte": 0.5,
    "la mitad": 0.5,
    "la moitié": 0.5,
    "un tercio": 0.3333,
    "un tiers": 0.3333,
}
_FRACTION = re.compile(
    rf"\b(?:{'|'.join(name for name in _FRACTIONS if name != 'half')}|half (?=of|the))\b", re.IGNORECASE
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "ground": 0}
_ORDINAL = re.compile(
    rf"\b(?P<number>{'|'.join(_ORDINALS)}|\d\d?(?:st|nd|rd|th)) "
    r"(?P<unit>floor|person|grade|year|semester|edition|place|row)\b",
    re.IGNORECASE,
)
_SCALES = {"k": 1_000, "m": 1_000_000}
# What is measured in several units or writings.
_UNITS = {
    "min": "minute",
    "mins": "minute",
    "sec": "second",
    "secs": "second",
    "s": "second",
    "h": "hour",
    "hr": "hour",
    "hrs": "hour",
    "stunden": "hour",
    "horas": "hour",
    "heures": "hour",
    "tage": "day",
    "días": "day",
    "jours": "day",
    "personen": "person",
    "personas": "person",
    "personnes": "person",
    "people": "person",
    "persons": "person",
    "sq": "area",
    "sqm": "area",
    "qm": "area",
    "m²": "area",
    "kids": "child",
    "children": "child",
    "kinder": "child",
    "kilometres": "km",
    "kilometers": "km",
    "kilos": "kg",
    "years": "year",
    "jahre": "year",
    "años": "year",
    "ans": "year",
    "gigs": "gb",
}
_QUALIFIERS = listed(
    """more extra new big small square full whole wooden other further additional different separate total old
    young little large free paid active open"""
)
_NO_UNITS = listed(
    """of for in at and on the a an to or now then instead is are was as with by from per each because since so if
    but we i you it they now not only all back too again today total tops max maximum minimum please pls und für oder ab
    y de en por para et pour en am pm uhr o clock this that my our his her after before until till when while"""
)


def amounts(text: str) -> Iterator[Value]:
    """The amounts in a text: sums, shares and counted things.

    >>> [(str(one.kind), one.group, one.text) for one in amounts("nine boats at £40k, a third up front, room 12")]
    [('money', '', '40000'), ('share', '', '0.3333'), ('count', 'boat', '9'), ('count', 'room', '12')]
    """
    found = [*_fractions(text), *_ordinals(text)]
    for match in _AMOUNT.finditer(text):
        if not any(one.start < match.end("number") and match.start("number") < one.end for one in found):
            found.append(_amount(match))
    yield from sorted(found, key=lambda one: (one.kind is Kind.COUNT, one.start))


def _fractions(text: str) -> Iterator[Value]:
    for match in _FRACTION.finditer(text):
        yield Value(Kind.SHARE, "", str(_FRACTIONS[match.group().strip().lower()]), *match.span())


def _ordinals(text: str) -> Iterator[Value]:
    for match in _ORDINAL.finditer(text):
        name = match["number"].lower()
        number = _ORDINALS.get(name, 0) or int("".join(filter(str.isdigit, name)) or 0)
        yield Value(Kind.COUNT, f"{match['unit'].lower()} (nth)", str(number), *match.span())


def _amount(match: re.Match[str]) -> Value:
    scale = _SCALES.get((match["scale2"] or match["scale"] or "").lower(), 1)
    text = _plain(_number(match["number"]) * scale)
    if match["upper"]:
        text += "–" + _plain(_number(match["upper"]) * scale)
    span = match.start("sign" if match["sign"] else "number"), match.end("after" if match["after"] else "number")
    if match["share"]:
        return Value(Kind.SHARE, "", _plain(_number(match["number"]) / 100), *span)
    if match["sign"] or match["after"] or scale > 1:
        return Value(Kind.MONEY, "", text, *span)
    unit = _unit(match)
    end = match.end("unit") if unit and not match["label"] and match["unit"] else span[1]
    return Value(Kind.COUNT, unit, text, span[0], end)


def _unit(match: re.Match[str]) -> str:
    if match["label"]:
        return stem(match["label"].strip(" .").lower())
    words = [word.lower() for word in (match["unit"], match["second"]) if word]
    if words and words[0] in _QUALIFIERS - {"square"}:
        words = words[1:]
    if not words or words[0] in _NO_UNITS:
        return ""
    return "area" if words[0] == "square" else _UNITS.get(words[0]) or stem(words[0])


def _number(text: str) -> float:
    """A number as it is written in English or on the continent: 1,200 and 1.200 are the same, 1,5 and 1.5 too."""
    known = NUMBER_WORDS.get(text.lower())
    if known is not None:
        return float(known)
    groups = re.split(r"[,.]", text)
    if len(groups) > 1 and all(len(group) == 3 for group in groups[1:]):
        return float("".join(groups))
    return float(".".join((groups[0], "".join(groups[1:]))) if len(groups) > 1 else text)


def _plain(number: float) -> str:
    return f"{number:.4f}".rstrip("0").rstrip(".")
