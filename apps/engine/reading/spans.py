"""Spans of a message that are worth remembering, from the chances of its tokens.

A span is a run of tokens that are likely kept. It is split where a token likely begins another fact, and widened to
whole words. Its chance is the mean of its tokens' chances, lowered by the chance that it is a trap, and by that of the
message to hold nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

KEPT = 0.4
"""The least chance of a token of a span."""
BEGINS = 0.3
"""From this chance on, a token at the start of a word begins another span."""
OF_MESSAGE = 0.7
"""How much of a span's chance the message's chance decides."""
SHORTEST = 4
"""In characters, except where an answer of one word can be a fact, or a character is a word."""
_IDEOGRAPHS = "\u3000"
_EDGES = " \t\n\r.,;:!?…-–—()[]{}\"'“”„«»*_"


@dataclass(frozen=True, slots=True)
class TokenChances:
    """The characters of a token, and the chances that a fact begins or goes on there, or that it is a trap."""

    start: int
    end: int
    begins: float
    goes_on: float
    trap: float

    @property
    def kept(self) -> float:
        return self.begins + self.goes_on


@dataclass(frozen=True, slots=True)
class KeptSpan:
    """Characters `start` to `end` of a message, which are its tokens `first` to `last`, and its chance."""

    start: int
    end: int
    first: int
    last: int
    chance: float


def kept_spans(text: str, tokens: Sequence[TokenChances], holds: float, *, is_answer: bool = False) -> list[KeptSpan]:
    """Return the spans of a message; `holds` is its chance to hold anything. An answer may be a single word.

    >>> hello = TokenChances(0, 5, 0.0, 0.1, 0.0)
    >>> moved = [TokenChances(6, 7, 0.9, 0.0, 0.0), TokenChances(7, 13, 0.0, 0.8, 0.0)]
    >>> [(span.start, span.end, round(span.chance, 2)) for span in kept_spans("Hello I moved", [hello, *moved], 1.0)]
    [(6, 13, 0.85)]
    """
    found = []
    for first, last in _runs(text, tokens):
        start, end = _whole_words(text, tokens[first].start, tokens[last].end)
        start, end = _without_edges(text, start, end)
        if end - start >= _shortest(text[start:end], is_answer=is_answer):
            chance = _chance(tokens[first : last + 1]) * (1 - OF_MESSAGE + OF_MESSAGE * holds)
            found.append(KeptSpan(start, end, first, last, chance))
    return found


def _runs(text: str, tokens: Sequence[TokenChances]) -> Iterator[tuple[int, int]]:
    """The first and the last token of each run; a token without letters ends none."""
    first = last = -1
    for place, token in enumerate(tokens):
        if token.kept <= KEPT:
            if first >= 0 and _has_letters(text[token.start : token.end]):
                yield first, last
                first = -1
            continue
        if first >= 0 and token.begins > BEGINS and _begins_word(text, token.start):
            yield first, last
            first = -1
        first, last = first if first >= 0 else place, place
    if first >= 0:
        yield first, last


def _has_letters(part: str) -> bool:
    return any(character.isalnum() for character in part)


def _begins_word(text: str, start: int) -> bool:
    return start == 0 or not text[start - 1].isalnum() or text[start] >= _IDEOGRAPHS


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen to whole words, in scripts that have spaces between them."""
    while start > 0 and _joined(text, start):
        start -= 1
    while end < len(text) and _joined(text, end):
        end += 1
    return start, end


def _joined(text: str, place: int) -> bool:
    """Whether the characters before and at a place belong to one word."""
    before, at = text[place - 1], text[place]
    return before.isalnum() and at.isalnum() and at < _IDEOGRAPHS and before < _IDEOGRAPHS


def _without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return start, end


def _shortest(part: str, *, is_answer: bool) -> int:
    return 1 if is_answer or (part and part[0] >= _IDEOGRAPHS) else SHORTEST


def _chance(tokens: Sequence[TokenChances]) -> float:
    kept = sum(token.kept for token in tokens) / len(tokens)
    return kept * (1 - sum(token.trap for token in tokens) / len(tokens))
