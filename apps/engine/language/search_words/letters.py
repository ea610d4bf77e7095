"""Letters in one form: one spelling for all that are written alike.

Compatibility forms (NFKC), case, accents, the Turkish i, Hebrew points and final letters, Arabic vowel signs and forms
of a letter, digits of any script. Marks that are vowels of their script stay: Thai, Indic, and the Japanese dakuten.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from apps.engine.language.similarity import nfkc

_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
"""Soft hyphens, joiners, directions, variation selectors, and the tatweel, which stretches an Arabic word."""
_PHRASES = re.compile("[\ufdfa-\ufdfd]")
"""Signs that are a whole Arabic sentence, up to 18 letters; nobody searches by the letters of one."""
_PRINT = str.maketrans("‘’ʼ‛′İı‐‑", "'''''Ii--")
# The breve of й is no accent.
_ACCENTS = re.compile(
    "[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]|(?<!\u0438)\u0306"
)
_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0x1040, 0x17E0)
_LETTERS = str.maketrans(
    {
        **{"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ħ": "h"},
        **{"ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ۀ": "ه"},
        **{"ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ"},
        **{chr(zero + digit): str(digit) for zero in _ZEROS for digit in range(10)},
    }
)
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_REMEMBERED = 20_000


def readable(text: str) -> str:
    """The text in compatibility form with plain apostrophes and hyphens, and without invisible characters.

    >>> readable("Ｃａｆé it’s kitāb\\u200b")
    "Café it's kitāb"
    """
    if text.isascii():
        return text
    return _INVISIBLE.sub("", nfkc(_PHRASES.sub(" ", text))).translate(_PRINT)


def lower(word: str) -> str:
    """The word without case, but with its accents.

    >>> lower("Straßen"), lower("CAFÉ")
    ('strassen', 'café')
    """
    return word.lower() if word.isascii() else word.casefold()


def base_letters(word: str) -> str:
    """The word, which is short, without case and accents.

    >>> [base_letters(word) for word in ("Zoë", "Ёлка", "йога", "أَحْمَد", "שָׁלוֹם", "ガイド", "٤٢")]
    ['zoe', 'елка', 'йога', 'احمد', 'שלומ', 'ガイド', '42']
    """
    return word.lower() if word.isascii() else _base_letters(word)


def run_letters(run: str) -> str:
    """The letters of a script without case and accents, of any length.

    >>> run_letters("ปี๒๕๖๗")
    'ปี2567'
    """
    return run.translate(_LETTERS)


@lru_cache(maxsize=_REMEMBERED)
def _base_letters(word: str) -> str:
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", word.casefold()))
    return unicodedata.normalize("NFC", plain).translate(_LETTERS)


def spelled_out(word: str) -> str:
    """The word with its umlauts spelled by two letters, as they are written without them.

    >>> spelled_out("Zürich"), spelled_out("Århus")
    ('zuerich', 'aarhus')
    """
    return base_letters(lower(word).translate(_SPELLED))
