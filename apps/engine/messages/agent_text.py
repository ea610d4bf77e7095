"""Text from coding agents without what the agent or this server put into it: reminders and injected memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from apps.engine.language.text_sizes import utf8_size

MEMORY_TAG = "continuity-memory"
"""The element around every text that a hook injects. Some agents escape its angle brackets."""

_OPEN, _CLOSE = r"(?:<|&lt;)", r"(?:>|&gt;)"
_INJECTED = re.compile(
    rf"{_OPEN}(?P<tag>{MEMORY_TAG}|system-reminder){_CLOSE}.*?(?:{_OPEN}/(?P=tag){_CLOSE}|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(rf"{_OPEN}/?{MEMORY_TAG}{_CLOSE}", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_OPENING, _CLOSING = f"<{MEMORY_TAG}>\n", f"\n</{MEMORY_TAG}>"


def without_injected(text: str, kept: str = "") -> str:
    """Remove reminders and injected memory, but not what is `kept`; one that does not end runs to the end of the text.

    >>> without_injected("Fix it.<system-reminder>Be brief.</system-reminder> <continuity-memory>> Likes Go.")
    'Fix it. '
    """
    return _INJECTED.sub(lambda part: kept * part.group().count(kept) if kept else "", text)


def as_injected(text: str, max_bytes: int, size: Callable[[str], int] = utf8_size) -> str:
    """The text in the element that marks injected memory, in at most so many bytes; empty for an empty text.

    >>> print(as_injected("Likes Go.", 100))
    <continuity-memory>
    Likes Go.
    </continuity-memory>
    """
    room = max_bytes - size(_OPENING) - size(_CLOSING)
    inner = cut_to_bytes(_TAG.sub("", text), room, size).rstrip()
    return f"{_OPENING}{inner}{_CLOSING}" if inner.strip() else ""


def cut_to_bytes(text: str, most: int, size: Callable[[str], int] = utf8_size) -> str:
    """At most so many bytes: whole lines, or whole characters of the first line.

    >>> cut_to_bytes("один\\nдва", 12), cut_to_bytes("日本語", 7)
    ('один', '日本')
    """
    # No text has more characters than bytes.
    text, whole = text[: max(0, most)], text
    if len(text) == len(whole) and size(text) <= most:
        return text
    part = text[: bisect_right(range(len(text) + 1), most, key=lambda end: size(text[:end])) - 1] if most > 0 else ""
    at_line, line_end, _ = part.rpartition("\n")
    return at_line if line_end else part


def storable(text: str) -> str:
    """The text without NUL characters and unpaired surrogates, which no database stores.

    >>> storable("a\\x00b\\ud800c")
    'ab\ufffdc'
    """
    return _SURROGATE.sub("\ufffd", text.replace("\x00", ""))
