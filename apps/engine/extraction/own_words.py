"""An author's own words in a message, and its private, quoted and pasted parts and code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from apps.engine.extraction.quotations import long_quotations, quotations
from apps.engine.reading.list_items import BULLET


class Foreign(StrEnum):
    """Why a part of a message is not read as its author's statement."""

    PRIVATE = "private_span"
    CODE = "code"
    QUOTED = "quoted"
    PASTED = "pasted"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from `start` up to, but not including, `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ForeignSpan(Span):
    why: Foreign


_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n|[。！？]")
_PRIVATE_TAG = re.compile(r"<\s{0,5}(/?)\s{0,5}private\b[^<>]*>", re.IGNORECASE)
# A colon at a line's end announces the lines below it, up to an empty one, unless they are the author's own list;
# marked quotations end by themselves.
_ANNOUNCED = re.compile(rf"(?<=:)[ \t]*\n\s*+(?!>|{BULLET})(?=\S)(?:(?!\n[ \t]*\n).)+", re.DOTALL)
_PATTERNS = (
    (Foreign.CODE, re.compile(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)),
    (Foreign.CODE, re.compile(r"^(?:\$ |>>> |[WEID]/\w|\[\d{4}-|[ \t]+at \w).*$", re.MULTILINE)),
    (Foreign.COMMENT, re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)),
    (Foreign.QUOTED, re.compile(r"^[ \t]*>.*$", re.MULTILINE)),
    (Foreign.PASTED, re.compile(r"^-{3,}[ \t]*\n.*?(?:^-{3,}[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)),
    (Foreign.PASTED, _ANNOUNCED),
)
# After these words a quotation is a name or a term.
_NAMING = re.compile(
    r"(?:\b(?:called|named|titled|signed|sign off as|as|the word|no|nor|and|or|heißt|namens|llama|appelle|ni|sans"
    r"|sin)"
    r"|という)\W*$",
    re.IGNORECASE,
)


def private_spans(text: str) -> Iterator[ForeignSpan]:
    """The `<private>` parts of a text with their tags; nested tags are counted, and an open one runs to the end.

    >>> text = "a <private>b <PRIVATE>c</private> d</private> e < private >f"
    >>> [text[span.start:span.end] for span in private_spans(text)]
    ['<private>b <PRIVATE>c</private> d</private>', '< private >f']
    """
    depth = start = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag.group(1):
            start, depth = (start if depth else tag.start()), depth + 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield ForeignSpan(start, tag.end(), Foreign.PRIVATE)
    if depth:
        yield ForeignSpan(start, len(text), Foreign.PRIVATE)


def without_private(text: str, between: str = "", *, kept: str = "") -> str:
    """The text with `between` in the place of each of its private parts, and what is `kept` of them.

    >>> without_private("Call <Private>Sam</private> at nine <private>or so", "…")
    'Call … at nine …'
    """
    parts, place = [], 0
    for span in private_spans(text):
        parts += [text[place : span.start], between]
        parts += [kept] * text.count(kept, span.start, span.end) if kept else []
        place = span.end
    return "".join((*parts, text[place:]))


class OwnWords:
    """A message without what is not its author's: `text` has line breaks in its place, but inline quotations.

    >>> own = OwnWords('I said <private>no</private> but he said "you must buy it".')
    >>> own.text.split("\\n")[0], own.quotes(0, 30), own.quotes(31, 60)
    ('I said ', False, True)
    """

    def __init__(self, text: str) -> None:
        spans = sorted(foreign_spans(text), key=lambda span: span.start)
        self.text = _blanked(text, [span for span in spans if span.why is not Foreign.QUOTED])
        self._quotations = [span for span in spans if span.why is Foreign.QUOTED]
        self._starts = [span.start for span in self._quotations]
        self._ends = list(accumulate((span.end for span in self._quotations), max))

    def quotes(self, start: int, end: int) -> bool:
        """Whether some of these characters are quoted."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._ends[before - 1] > start


def without_middle(text: str, most: int) -> str:
    """A text with line breaks in place of its middle, if it is longer than anybody writes by hand; whole sentences of
    up to `most` characters remain at each end.

    >>> without_middle("I am Ann. Log. Log. Log. Log. I use Go.", 14).split("\\n")[::20]
    ['I am Ann.', ' I use Go.']
    """
    if len(text) <= 2 * most:
        return text
    head, tail = text[:most], text[-most:]
    ends = [match.end() for match in _SENTENCE_END.finditer(head)]
    begin = next((match.end() for match in _SENTENCE_END.finditer(tail)), len(tail))
    kept = ends[-1] if ends else 0
    return head[:kept] + "\n" * (len(text) - kept - len(tail) + begin) + tail[begin:]


def _blanked(text: str, spans: Sequence[ForeignSpan]) -> str:
    parts, place = [], 0
    for span in spans:
        start = max(span.start, place)
        parts += [text[place:start], "\n" * (span.end - start)]
        place = max(place, span.end)
    return "".join((*parts, text[place:]))


def foreign_spans(text: str) -> list[ForeignSpan]:
    """The parts of a message that are not its author's own words.

    >>> text = 'He said "you must buy it".'
    >>> [(str(span.why), text[span.start:span.end]) for span in foreign_spans(text)]
    [('quoted', '"you must buy it"')]
    """
    spans = list(private_spans(text))
    for why, pattern in _PATTERNS:
        spans.extend(ForeignSpan(*found.span(), why) for found in pattern.finditer(text))
    for start, end in quotations(text):
        if not _NAMING.search(text, max(0, start - 20), start):
            spans.append(ForeignSpan(start, end, Foreign.QUOTED))
    spans.extend(ForeignSpan(start, end, Foreign.QUOTED) for start, end in long_quotations(text))
    return spans
