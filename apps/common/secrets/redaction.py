"""Find and redact secrets.

What is encoded (base64, percent signs) is decoded once. A secret in two messages is found in both together.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from urllib.parse import unquote

from apps.common.secrets.library import secrets_by_library
from continuity_client.secrets.matching import REDACTED, Secret, disjoint, every_match, replaced

__all__ = ["REDACTED", "Secret", "has_secret", "redacted", "redacted_texts", "secrets_in", "secrets_of"]

_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,}={0,2}(?![\w+/=-])")
_WORD = re.compile(r"[^\s\"'<>]+")
# The rest of a secret that was cut has digits or is long, other than the first word of a sentence.
_CONTINUES = re.compile(r"(?=\S*\d)\S*[A-Za-z]|\S{16}")
_ENDS_WITH_WORD = re.compile(r"(?:^|\s)[^\W\d_]?[a-zà-ÿ'’]+\W?$")
# Between decoded texts, so that no rule reads two as one.
_BETWEEN = "\n\x00\n"
# As much of a message's end and of the next one's beginning is read together.
_NEAR = 400


def secrets_in(text: str) -> list[Secret]:
    """The secrets of a text, in order and without overlaps.

    >>> text = "The password is Hunter2!x, and the key AKIAIOSFODNN7EXAMPLE."
    >>> [(one.kind, text[one.start:one.end]) for one in secrets_in(text)]
    [('password', 'Hunter2!x'), ('aws-key', 'AKIAIOSFODNN7EXAMPLE')]
    """
    return disjoint([*_plain(text), *_encoded(text)])


def has_secret(*texts: str) -> bool:
    """Whether a text has a secret, alone or together with the next one."""
    return any(secrets_of(texts))


def redacted(text: str) -> str:
    """The text with the kind of each secret in its place.

    >>> redacted("Use postgres://app:s3cret@db/app")
    'Use postgres://app:[redacted:url-password]@db/app'
    """
    return replaced(text, secrets_in(text))


def redacted_texts(texts: Sequence[str]) -> list[str]:
    """Redact texts that follow each other, and secrets that begin in one and end in the next.

    >>> redacted_texts(["The key is AKIAIOSF", "ODNN7EXAMPLE"])
    ['The key is [redacted:aws-key]', '[redacted:aws-key]']
    """
    return [replaced(text, found) for text, found in zip(texts, secrets_of(texts), strict=True)]


def secrets_of(texts: Sequence[str]) -> list[list[Secret]]:
    """The secrets of each text, those that it shares with its neighbors included."""
    found = [secrets_in(text) for text in texts]
    for place, (first, second) in enumerate(pairwise(texts)):
        ending, beginning = _across(first, second)
        found[place] += ending
        found[place + 1] += beginning
    return [disjoint(one) for one in found]


def _across(first: str, second: str) -> tuple[list[Secret], list[Secret]]:
    """The parts of secrets that begin at the end of a text and end in the next one."""
    tail_start = max(0, len(first) - _NEAR)
    tail, head_start = first[tail_start:].rstrip(), len(second) - len(second.lstrip())
    head = second[head_start : head_start + _NEAR]
    ending: list[Secret] = []
    beginning: list[Secret] = []
    for between in _betweens(tail, head):
        begin = len(tail) + len(between)
        for one in secrets_in(f"{tail}{between}{head}"):
            if one.start < begin < one.end:
                ending.append(Secret(tail_start + one.start, tail_start + len(tail), one.kind))
                beginning.append(Secret(head_start, head_start + one.end - begin, one.kind))
            elif one.start == begin:
                beginning.append(Secret(head_start, head_start + one.end - begin, one.kind))
    return ending, beginning


def _betweens(tail: str, head: str) -> Iterator[str]:
    """What may have been between the two: a space; or nothing, unless the first ends with a word, or with a complete
    secret before a word."""
    if not tail or not head:
        return
    yield " "
    if _ENDS_WITH_WORD.search(tail):
        return
    if _CONTINUES.match(head) or not any(one.end == len(tail) for one in secrets_in(tail)):
        yield ""


def _plain(text: str) -> Iterator[Secret]:
    yield from every_match(text)
    yield from secrets_by_library(text)


def _encoded(text: str) -> Iterator[Secret]:
    """The encoded parts that have a secret; all are searched at once, since a search of any length has its price."""
    parts = [part for part in _decodable(text) if part[1]]
    starts = list(accumulate((len(decoded) + len(_BETWEEN) for _, decoded in parts), initial=0))
    for one in _plain(_BETWEEN.join(decoded for _, decoded in parts)) if parts else ():
        (start, end), _ = parts[bisect_right(starts, one.start) - 1]
        yield Secret(start, end, one.kind)


def _decodable(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Places of what may be encoded, and the decoded text; empty if it is none."""
    for found in _BASE64.finditer(text):
        yield found.span(), _from_base64(found.group())
    for found in _WORD.finditer(text) if "%" in text else ():
        if "%" in found.group():
            yield found.span(), unquote(found.group())


def _from_base64(text: str) -> str:
    """The text that was encoded; empty if it is none."""
    padded = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = base64.b64decode(padded + "=" * (-len(padded) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return decoded if decoded.isprintable() or "\n" in decoded else ""
