"""Tokens that a character of each script takes, in hundredths: what byte-pair vocabularies make of ordinary text.

Measured with the vocabulary o200k_base on texts of several topics in each language. Latin letters without accents, the
accented ones of western Europe and the punctuation of prose count as in English: a quarter of a token.
"""

from __future__ import annotations

from bisect import bisect_right

LATIN_SIZE = 25
"""Size of a character of English text."""

RANGES: tuple[tuple[int, int], ...] = (
    (0x0000, LATIN_SIZE),  # ASCII, Latin-1
    (0x0100, 85),  # Latin letters of central Europe, Turkish, Vietnamese
    (0x0250, 100),  # phonetic letters
    (0x0300, 75),  # combining accents
    (0x0370, 45),  # Greek
    (0x0400, 32),  # Cyrillic
    (0x0530, 35),  # Armenian
    (0x0590, 40),  # Hebrew
    (0x0600, 32),  # Arabic
    (0x0700, 150),  # Syriac and others
    (0x08A0, 32),  # Arabic
    (0x0900, 36),  # Devanagari
    (0x0980, 32),  # Bengali
    (0x0A00, 60),  # Gurmukhi
    (0x0A80, 44),  # Gujarati
    (0x0B00, 60),  # Odia
    (0x0B80, 35),  # Tamil
    (0x0C00, 44),  # Telugu, Kannada
    (0x0D00, 38),  # Malayalam
    (0x0D80, 62),  # Sinhala
    (0x0E00, 40),  # Thai
    (0x0E80, 180),  # Lao
    (0x0F00, 150),  # Tibetan
    (0x1000, 53),  # Burmese
    (0x10A0, 38),  # Georgian
    (0x1100, 150),  # Hangul letters
    (0x1200, 200),  # Ethiopic
    (0x13A0, 150),  # Cherokee and others
    (0x1780, 62),  # Khmer
    (0x1800, 150),  # Mongolian and others
    (0x1E00, 35),  # Latin letters of Vietnamese
    (0x1F00, 150),  # ancient Greek
    (0x2000, LATIN_SIZE),  # spaces
    (0x200B, 75),  # joiners
    (0x2010, LATIN_SIZE),  # dashes, quotation marks, bullets
    (0x2060, 175),  # superscripts, currencies, arrows, mathematical operators
    (0x2500, 75),  # box drawing
    (0x25A0, 125),  # shapes, pictographs
    (0x27C0, 175),  # more arrows and operators
    (0x2B00, 150),
    (0x3000, 60),  # punctuation of Chinese, Japanese and Korean
    (0x3040, 72),  # kana
    (0x3100, 80),  # Han
    (0xA000, 150),
    (0xAC00, 66),  # Hangul
    (0xD7B0, 150),
    (0xF900, 80),  # Han
    (0xFB00, 150),
    (0xFB1D, 60),  # forms of Hebrew and Arabic letters
    (0xFE00, 100),  # variation selectors
    (0xFE10, 150),
    (0xFF00, 85),  # full-width letters, half-width kana
    (0xFFF0, 100),
    (0x10000, 250),  # ancient scripts, mathematical letters
    (0x1F000, 175),  # emoji
    (0x1FB00, 250),  # rare Han
)
"""Ranges of code points by their first one, each up to the next, with the size of one character."""

_STARTS = [start for start, _ in RANGES]


def character_size(character: str) -> int:
    """The size of a character in hundredths of a token.

    >>> [character_size(character) for character in "aéя中한😀"]
    [25, 25, 32, 80, 66, 175]
    """
    return RANGES[bisect_right(_STARTS, ord(character)) - 1][1]
