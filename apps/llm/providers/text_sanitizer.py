"""Removal of NUL and lone surrogates, which neither PostgreSQL nor a UTF-8 stream accepts."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Cleaner:
    """Cleans one text that arrives in chunks. A surrogate pair may be split between chunks: the first half is buffered.

    >>> cleaner = Cleaner()
    >>> [cleaner.clean(piece) for piece in ("a\\0b \\ud83d", "\\ude00!", "\\ude00c", "\\ud83d", "d")]
    ['ab ', '😀!', 'c', '', 'd']
    """

    def __init__(self) -> None:
        self._half = ""

    def clean(self, piece: str) -> str:
        """Return the chunk, preceded by the buffered half, without unstorable characters."""
        text, self._half = self._half + piece, ""
        if _UNSTORABLE.search(text) is None:
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore").replace("\0", "")
