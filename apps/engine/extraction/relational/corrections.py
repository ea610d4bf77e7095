"""Corrections of a reply: how a message was understood, a statement, or an instruction not followed."""

from __future__ import annotations

import re

_LEAD = (
    r"^(?:(?:no|nope|sorry|hm+|er|wait|actually|but|and|ok|well|again|nein|ne|nö|doch|non|いや|いえ)[\s,.!:、。–—-]+)*"
)
_ANY = re.IGNORECASE
_MEANT = re.compile(
    rf"{_LEAD}(?:i meant(?! to\b| well\b)|what i meant (?:was|is)|that(?:'s| is|s| was) not what i (?:meant|asked"
    rf"|wanted)"
    r"|that wasn't (?:what i|my question|the question)|you (?:have |'ve )?(?:misunderstood|misread)"
    r"|ich meinte|das meinte ich nicht|du hast mich (?:falsch |miss)verstanden|das war nicht (?:die|meine) frage"
    r"|me refería|no (?:es|era) (?:eso|lo que (?:pregunté|pedí))|me has entendido mal"
    r"|je voulais dire|ce n'est pas ce que (?:j'ai demandé|je voulais)|tu m'as mal compris"
    r"|そうじゃなくて|そういう意味(?:では|じゃ)なく)",
    _ANY,
)
_WRONG = re.compile(
    rf"{_LEAD}(?:(?:that|this|it)(?:'s| is|s| was) (?:just |still |completely |simply |plain |also )*(?:wrong"
    rf"|incorrect|inaccurate"
    r"|not (?:quite )?(?:right|correct|true|accurate))\b(?! (?:of|with|to)\b)|you(?:'re| are) wrong\b(?! (?:for|to)\b)"
    r"|you got (?:that|it|the [\w ]{1,30}) wrong\b|das (?:ist|war|stimmt) (?:leider )?(?:falsch|nicht (?:richtig"
    r"|korrekt)?)"
    r"|eso (?:está mal|no es (?:correcto|cierto))|(?:c'est|c'était) faux\b|ce n'est pas (?:correct|exact|juste)\b"
    r"|(?:それは)?(?:違います|間違って(?:います|いる)))",
    _ANY,
)
_INSTEAD = re.compile(
    r"^(?:no|nope|actually|correction|nein|non)[\s,.!:–—-]+(?:it|that|this|the [\w ]{1,30}|es|das)(?:'s| is| was|"
    r" should be|"
    r" should have been| ist| war) [^,.;]{1,60},? (?:not|nicht)\b",
    _ANY,
)
_TOLD = re.compile(
    rf"{_LEAD}(?:as )?i (?:already |just )?(?:(?:asked|told) you (?:to\b|not to\b|for\b|only\b)|said (?:only"
    rf"|without|not to)\b)",
    _ANY,
)
_DATE = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|june|july|august|september|october"
    r"|november|december)\b|\b\d{1,2}:\d\d\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2} ?(?:am|pm)\b|\b(?:montag|dienstag"
    r"|mittwoch|donnerstag"
    r"|freitag|samstag|sonntag)\b|月曜|火曜|水曜|木曜|金曜|土曜|日曜",
    _ANY,
)
_NAME = re.compile(r"(?<=[\w,;:] )(?!I\b)[A-ZÀ-Þ][\w’'-]+")
_READ = 120


def correction_in(text: str) -> str:
    """The trait of the correction that a sentence begins with, given it and what follows; empty for none.

    >>> correction_in("No, I meant the blue one."), correction_in("That's wrong, it is 42."), correction_in("No.")
    ('corrected_meaning', 'corrected_number', '')
    """
    if _MEANT.search(text):
        return "corrected_meaning"
    if _TOLD.search(text):
        return "corrected_instruction"
    found = _WRONG.search(text) or _INSTEAD.search(text)
    return f"corrected_{_kind(text[found.start() : found.end() + _READ])}" if found else ""


def _kind(text: str) -> str:
    if "`" in text:
        return "code"
    if _DATE.search(text):
        return "date"
    if any(character.isdigit() for character in text):
        return "number"
    return "name" if _NAME.search(text) else "fact"
