"""Text from coding agents without what the agent or this server put into it: reminders and injected memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from apps.engine.language.text_sizes import utf8_size
from apps.engine.text.quoting import BOUNDARY_LENGTH, enclosed

MEMORY_TAG = "continuity-memory"
"""The name of the element around every text that a hook injects, with a word that the text does not contain. Some
agents escape its angle brackets."""

_CLOSE = r"(?:>|&gt;)"
# Texts that were injected by earlier versions have no word. A tag that is escaped, as in a quote, closes no element
# whose opening tag is not.
_INJECTED = re.compile(
    rf"(?P<open><|&lt;)(?P<tag>{MEMORY_TAG}(?:-[0-9a-f]{{{BOUNDARY_LENGTH}}})?|system-reminder){_CLOSE}"
    rf".*?(?:(?P=open)/(?P=tag){_CLOSE}|\Z)",
    re.DOTALL | re.IGNORECASE,
)


def without_injected(text: str, kept: str = "") -> str:
    """Remove reminders and injected memory, but not what is `kept`; one that does not end runs to the end of the text.

    >>> without_injected("Fix it.<system-reminder>Be brief.</system-reminder> <continuity-memory>> Likes Go.")
    'Fix it. '
    """
    return _INJECTED.sub(lambda part: kept * part.group().count(kept) if kept else "", text)


def as_injected(text: str, max_bytes: int, size: Callable[[str], int] = utf8_size) -> str:
    """The text in the element that marks injected memory, in at most so many bytes; empty for an empty text.

    >>> print(as_injected("Likes Go.", 100))
    <continuity-memory-57045045b6d1>
    Likes Go.
    </continuity-memory-57045045b6d1>
    """
    inner = cut_to_bytes(text, max_bytes - size(enclosed(MEMORY_TAG, "")), size).rstrip()
    return enclosed(MEMORY_TAG, inner) if inner.strip() else ""


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
