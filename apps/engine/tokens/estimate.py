"""The token estimate of budgets, thresholds and every number that a person sees: characters weighed by their script.

For English it equals the stored count of `counting`, a quarter of the characters. Other scripts take more tokens a
character, and so do identifiers of digits and letters such as hashes, UUIDs and columns of numbers.
"""

from __future__ import annotations

import re
from functools import lru_cache

from apps.engine.tokens.counting import ROLE_TOKENS
from apps.engine.tokens.scripts import LATIN_SIZE, character_size

TOKEN_SIZE = 100
"""Size of one token: sizes of texts are in hundredths, so that those of lines add up without rounding."""

_FOREIGN = re.compile(r"[^\x00-\xff]+")
_LONG_WORD = re.compile(r"[-+_.,:;0-9A-Za-z]{16,}")
_DIGIT = re.compile(r"[0-9]")
# As vocabularies split what is not a word.
_PIECE = re.compile(r"[0-9]{1,3}|[A-Za-z]{1,2}|[^0-9A-Za-z]")
# A long word with fewer digits is prose or code. Base64 has fewer, but no name is as long without a break.
_MIN_DIGITS, _MIN_DIGITS_UNBROKEN = 1 / 6, 1 / 20
_LONGEST_NAME = 40

_RARE = "\U00020000"
"""Characters from here on are not cached."""
_CACHED_TEXTS = 4_096
_LONGEST_CACHED = 8_192


def estimate_text(text: str) -> int:
    """Tokens of a text, rounded up.

    >>> estimate_text(""), estimate_text("abcde"), estimate_text("我们决定"), estimate_text("🔥")
    (0, 2, 4, 2)
    """
    return -(-text_size(text) // TOKEN_SIZE)


def estimate_message(content: str) -> int:
    """Tokens of a message: its content and four for the role.

    >>> estimate_message("abcde")
    6
    """
    return ROLE_TOKENS + estimate_text(content)


def text_size(text: str) -> int:
    """The size of a text in hundredths of a token; sizes of texts joined at white space add up.

    >>> text_size("four"), text_size("d41d8cd98f00b204e9800998ecf8427e")
    (100, 1900)
    """
    # A pack counts its texts several times; a few very long ones must not fill the memory.
    return _cached_size(text) if len(text) <= _LONGEST_CACHED else _size(text)


def characters_within(text: str, size: int) -> int:
    """The number of characters that fit into a size, in a text as dense as this one.

    >>> characters_within("plain words", 1_000), characters_within("我们决定", 1_000)
    (40, 12)
    """
    return max(0, size) * len(text) // text_size(text) if text else 0


@lru_cache(maxsize=_CACHED_TEXTS)
def _cached_size(text: str) -> int:
    return _size(text)


def _size(text: str) -> int:
    size = LATIN_SIZE * len(text) + sum(map(_surplus_of_word, _LONG_WORD.findall(text)))
    if not text.isascii():
        size += sum(_SURPLUS[character] for run in _FOREIGN.findall(text) for character in run)
    return size


def _surplus_of_word(word: str) -> int:
    """What a word takes beyond its characters: as many tokens as it has pieces, if it looks like an identifier."""
    is_unbroken = len(word) >= _LONGEST_NAME and word.isalnum()
    if len(_DIGIT.findall(word)) < len(word) * (_MIN_DIGITS_UNBROKEN if is_unbroken else _MIN_DIGITS):
        return 0
    return max(0, TOKEN_SIZE * len(_PIECE.findall(word)) - LATIN_SIZE * len(word))


class _Surplus(dict[str, int]):
    """What a character takes beyond one of English, looked up once."""

    def __missing__(self, character: str) -> int:
        surplus = character_size(character) - LATIN_SIZE
        if character < _RARE:
            self[character] = surplus
        return surplus


_SURPLUS = _Surplus()
