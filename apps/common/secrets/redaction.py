"""Find and redact secrets.

What is encoded (base64, percent signs) is decoded once. A secret in two messages is found in both together.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
# Between texts that are searched together, so that no rule reads two as one.
_BETWEEN = "\n\x00\n"
# As much of a message's end and of the next one's beginning is read together.
_NEAR = 400


def secrets_in(text: str) -> list[Secret]:
    """The secrets of a text, in order and without overlaps.

    >>> text = "The password is Hunter2!x, and the key AKIAIOSFODNN7EXAMPLE."
    >>> [(one.kind, text[one.start:one.end]) for one in secrets_in(text)]
    [('password', 'Hunter2!x'), ('aws-key', 'AKIAIOSFODNN7EXAMPLE')]
    """
    return disjoint(_every(text))


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
    found = _in_each(texts)
    boundaries = list(_boundaries(texts))
    for boundary, secrets in zip(boundaries, _in_each([boundary.text for boundary in boundaries]), strict=True):
        for one in secrets:
            boundary.split(one, found[boundary.place], found[boundary.place + 1])
    return [disjoint(one) for one in found]


def _in_each(texts: Sequence[str]) -> list[list[Secret]]:
    """The secrets of each text, which may overlap."""
    found: list[list[Secret]] = [[] for _ in texts]
    # Not joined where they overlap: a private key without an end would hide what is found in the texts after it.
    for place, one in _together(texts, _every):
        end = min(one.end, len(texts[place]))
        if one.start < end:
            found[place].append(Secret(one.start, end, one.kind))
    return found


@dataclass(frozen=True, slots=True)
class _Boundary:
    """The end of a text and the beginning of the next one, read as one: their places in both, and what is between."""

    place: int
    tail_start: int
    tail: str
    between: str
    head_start: int
    head: str

    @property
    def text(self) -> str:
        return f"{self.tail}{self.between}{self.head}"

    def split(self, one: Secret, first: list[Secret], second: list[Secret]) -> None:
        """Add a secret's parts to those of both texts, unless it is in the first one alone or begins in the second."""
        begin = len(self.tail) + len(self.between)
        if one.start < begin < one.end:
            first.append(Secret(self.tail_start + one.start, self.tail_start + len(self.tail), one.kind))
        if one.start <= begin < one.end:
            second.append(Secret(self.head_start, self.head_start + one.end - begin, one.kind))


def _boundaries(texts: Sequence[str]) -> Iterator[_Boundary]:
    """Yield the boundaries with what may have been between two texts: a space; or nothing, unless the first ends with a
    word, or with a complete secret before a word, for which their ends are searched."""
    spaced = [boundary for place, pair in enumerate(pairwise(texts)) if (boundary := _boundary(place, *pair))]
    yield from spaced
    close = [boundary for boundary in spaced if not _ENDS_WITH_WORD.search(boundary.tail)]
    for boundary, secrets in zip(close, _in_each([boundary.tail for boundary in close]), strict=True):
        if _CONTINUES.match(boundary.head) or not any(one.end == len(boundary.tail) for one in secrets):
            yield replace(boundary, between="")


def _boundary(place: int, first: str, second: str) -> _Boundary | None:
    tail_start, head_start = max(0, len(first) - _NEAR), len(second) - len(second.lstrip())
    tail, head = first[tail_start:].rstrip(), second[head_start : head_start + _NEAR]
    return _Boundary(place, tail_start, tail, " ", head_start, head) if tail and head else None


def _every(text: str) -> Iterator[Secret]:
    yield from _plain(text)
    yield from _encoded(text)


def _plain(text: str) -> Iterator[Secret]:
    yield from every_match(text)
    yield from secrets_by_library(text)


def _encoded(text: str) -> Iterator[Secret]:
    """The encoded parts that have a secret."""
    parts = [part for part in _decodable(text) if part[1]]
    for place, one in _together([decoded for _, decoded in parts], _plain):
        (start, end), _ = parts[place]
        yield Secret(start, end, one.kind)


def _together(texts: Sequence[str], search: Callable[[str], Iterable[Secret]]) -> Iterator[tuple[int, Secret]]:
    """Search texts at once, since a search of any length has its price; yield secrets with the number of their text.

    Their places are those in that text; what has no end in it goes beyond.
    """
    if not texts:
        return
    starts = list(accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0))
    for one in search(_BETWEEN.join(texts)):
        place = bisect_right(starts, one.start) - 1
        yield place, Secret(one.start - starts[place], one.end - starts[place], one.kind)


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
