"""The one door for text that is stored: Unicode normal form, storable, and without characters that nobody sees."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from apps.engine.text.hidden import with_hidden_shown, without_hidden

# Python sorts the marks of a letter by insertion, so that a text of marks alone would take quadratic time.
_PIECE = re.compile(r"\S{1,500}|\s+")
_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


class TextChange(StrEnum):
    """What was changed in a text, other than its normal form: characters that no database stores (NUL and unpaired
    surrogates) were replaced; hidden ones were removed, or shown with a note."""

    REPLACED = "replaced"
    REMOVED_HIDDEN = "removed_hidden"
    SHOWN_HIDDEN = "shown_hidden"


@dataclass(frozen=True, slots=True)
class CleanText:
    """A text as it may be stored, and what was changed in it."""

    text: str
    changes: tuple[TextChange, ...] = ()


def clean_text(text: str, *, show_hidden: bool = False) -> CleanText:
    """Clean a text: hidden characters are removed from what programs send, and shown in what people send.

    >>> clean_text("cafe\\u0301\\x00")
    CleanText(text='café\ufffd', changes=(<TextChange.REPLACED: 'replaced'>,))
    >>> clean_text("\\u202eok", show_hidden=True).text
    '[hidden: U+202E]ok'
    """
    if text.isascii() and "\x00" not in text:
        return CleanText(text)
    changes = []
    if not is_storable(text):
        text = storable(text)
        changes.append(TextChange.REPLACED)
    visible = with_hidden_shown(text) if show_hidden else without_hidden(text)
    if visible != text:
        changes.append(TextChange.SHOWN_HIDDEN if show_hidden else TextChange.REMOVED_HIDDEN)
    return CleanText(nfc(visible), tuple(changes))


def cleaned(text: str) -> str:
    """The text of a program as it may be stored.

    >>> cleaned("a\\u200bb\\x00\\ud800")
    'ab\ufffd\ufffd'
    """
    return clean_text(text).text


def storable(text: str) -> str:
    """Replace NUL characters and unpaired surrogates, which no database stores; join surrogates that are a pair.

    >>> storable("a\\x00b\\ud800c \\ud83d\\ude00")
    'a\ufffdb\ufffdc 😀'
    """
    if is_storable(text):
        return text
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return paired.replace("\x00", _REPLACEMENT)


def is_storable(text: str) -> bool:
    """Whether a database stores a text as it is.

    >>> is_storable("😀"), is_storable("a\\x00")
    (True, False)
    """
    return not _NOT_STORABLE.search(text)


def nfc(text: str) -> str:
    """The text in Unicode's composed form, word by word; a word of more than 500 characters in pieces."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFC", piece) for piece in _PIECE.findall(text))
