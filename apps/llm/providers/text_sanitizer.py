"""Clean text that arrives in chunks: no character that cannot be stored, and none that nobody sees."""

from __future__ import annotations

import re

from apps.engine.text.hidden import without_hidden

# What follows decides whether a script or an emoji needs these.
_UNDECIDED = re.compile("[\u200b\u200d\U000e0020-\U000e007e]+\\Z")
_LONGEST_UNDECIDED = 10
_CONTEXT = 2


class Cleaner:
    """Cleans one text chunk by chunk. Half a surrogate pair, and a joiner at a chunk's end, wait for the next chunk.

    >>> cleaner = Cleaner()
    >>> [cleaner.clean(piece) for piece in ("a\\0b \\ud83d", "\\ude00!", "\\ude00c", "👩\\u200d", "💻 \\U000e0069")]
    ['ab ', '😀!', 'c', '👩', '\u200d💻 ']
    """

    def __init__(self) -> None:
        self._waiting = ""
        self._before = ""

    def clean(self, piece: str) -> str:
        """Return the chunk, preceded by what waited for it, as it may be stored."""
        text, self._waiting = self._waiting + piece, ""
        if text.isascii() and "\0" not in text:
            self._before = text[-_CONTEXT:] or self._before
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._waiting = text[:-1], text[-1]
        elif undecided := _UNDECIDED.search(text):
            text, self._waiting = text[: undecided.start()], undecided.group()[:_LONGEST_UNDECIDED]
        return self._without_hidden(_storable(text))

    def _without_hidden(self, text: str) -> str:
        before, self._before = self._before, (self._before + text)[-_CONTEXT:]
        return without_hidden(before + text)[len(without_hidden(before)) :]


def _storable(text: str) -> str:
    """Drop NUL characters and unpaired surrogates: between the pieces of a stream they stand for nothing."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore").replace("\0", "")
