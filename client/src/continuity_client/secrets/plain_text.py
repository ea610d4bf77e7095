"""Text as rules read it: without accents and invisible characters, wide and styled letters as plain ones."""

from __future__ import annotations

from typing import NamedTuple, Optional

_INVISIBLE = ("Mn", "Me", "Cf")
_OTHER = {0x131: "i", 0x142: "l", 0x141: "L", 0xF8: "o", 0xD8: "O"}
"""Letters that Unicode doesn't decompose."""


class PlainText(NamedTuple):
    """A plain text; `places[i]` is where its character i is in the original one, None where all are in their places."""

    text: str
    places: list[int] | None

    def start(self, place: int) -> int:
        """The place in the original text."""
        return self.places[place] if self.places else place

    def end(self, place: int) -> int:
        """The place after the character before, in the original text."""
        return self.places[place - 1] + 1 if self.places else place


class _Table(dict[int, Optional[str]]):
    """What each character becomes, None for nothing; computed at its first occurrence."""

    def __missing__(self, code: int) -> str | None:
        import unicodedata

        visible = [
            one
            for one in unicodedata.normalize("NFKD", _OTHER.get(code, chr(code)))
            if unicodedata.category(one) not in _INVISIBLE
        ]
        self[code] = visible[0] if len(visible) == 1 else chr(code) if visible else None
        return self[code]


_TABLE = _Table()


def plain(text: str) -> PlainText:
    """Map each character to its base character (NFKD), and drop combining and format characters.

    What has several base characters, such as a syllable of Hangul, remains.

    >>> plain("ｐａｓｓｗｏｒｄ＝contraseña")
    PlainText(text='password=contrasena', places=None)
    >>> plain("a\\u200bb")
    PlainText(text='ab', places=[0, 2])
    """
    if text.isascii():
        return PlainText(text, None)
    short = text.translate(_TABLE)
    if len(short) == len(text):
        return PlainText(short, None)
    return PlainText(short, [place for place, one in enumerate(text) if _TABLE[ord(one)] is not None])
