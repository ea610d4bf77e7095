"""Text from coding agents without what the agent or this server put into it: reminders and injected memory."""

from __future__ import annotations

import re

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


def without_injected(text: str) -> str:
    """Remove reminders and injected memory; one that does not end runs to the end of the text.

    >>> without_injected("Fix it.<system-reminder>Be brief.</system-reminder> <continuity-memory>> Likes Go.")
    'Fix it. '
    """
    return _INJECTED.sub("", text)


def as_injected(text: str, max_bytes: int) -> str:
    """The text in the element that marks injected memory, in at most so many bytes; empty for an empty text.

    >>> print(as_injected("Likes Go.", 100))
    <continuity-memory>
    Likes Go.
    </continuity-memory>
    """
    room = max_bytes - len(_OPENING) - len(_CLOSING)
    inner = cut_to_bytes(_TAG.sub("", text), room).rstrip()
    return f"{_OPENING}{inner}{_CLOSING}" if inner.strip() else ""


def injected_overhead() -> int:
    """Bytes that `as_injected` adds."""
    return len(_OPENING) + len(_CLOSING)


def cut_to_bytes(text: str, most: int) -> str:
    """At most so many bytes in UTF-8: whole lines, or whole characters of the first line.

    >>> cut_to_bytes("один\\nдва", 12), cut_to_bytes("日本語", 7)
    ('один', '日本')
    """
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= most:
        return text
    part = encoded[: max(0, most)].decode("utf-8", "ignore")
    at_line, line_end, _ = part.rpartition("\n")
    return at_line if line_end else part


def storable(text: str) -> str:
    """The text without NUL characters and unpaired surrogates, which no database stores.

    >>> storable("a\\x00b\\ud800c")
    'ab\ufffdc'
    """
    return _SURROGATE.sub("\ufffd", text.replace("\x00", ""))
