"""Spans of a message that are worth remembering, from the chances of its tokens.

A span is a run of tokens that are likely memorable. It is split where a token likely begins another fact, and
widened to whole words. Its chance is the mean of its tokens' chances, lowered by the chance that it is a trap, and by
that of the message to hold nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import category

from apps.engine.reading.conjunctions import announces_reason, ends_joining, without_joining

LEAST_OF_TOKEN = 0.4
"""The least chance of a token of a span."""
LEAST_OF_BEGIN, LEAST_OF_CLAUSE = 0.85, 0.3
"""From this chance on, a token at the start of a word, or of a clause, begins another span."""
LEAST_OF_SENTENCE = 0.05
"""The same at the start of a sentence: a memory is seldom more than one."""
_GAP, _SENTENCE_ENDS, _CLAUSE_ENDS = 4, (".", "!", "?", "。", "！", "？"), ",;:–—-()\n、，；：/"
OF_MESSAGE = 0.7
"""How much of a span's chance the message's chance decides."""
SHORTEST = 4
"""In characters; an answer may be shorter, and where a character is a word."""
SHORTEST_SPACELESS = 2
LONGEST_WORD = 60
"""A span is widened by no more characters than a word has."""
_SPACELESS = (("\u0e00", "\u0eff"), ("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uf900", "\ufaff"))
_OPENING, _CLOSING, _NEAR = "([", ")]", 8
_EDGES = " \t\n\r.,;:!?…-–—()[]{}\"'“”„«»*_"


@dataclass(frozen=True, slots=True)
class TokenChances:
    """The characters of a token, and the chances that a fact begins or goes on there, or that it is a trap."""

    start: int
    end: int
    begin: float
    inside: float
    trap: float

    @property
    def memorable(self) -> float:
        return self.begin + self.inside


@dataclass(frozen=True, slots=True)
class MemorableSpan:
    """Characters `start` to `end` of a message, which are its tokens `first` to `last`, and its chance."""

    start: int
    end: int
    first: int
    last: int
    chance: float


def memorable_spans(
    text: str, tokens: Sequence[TokenChances], has_fact: float, *, is_answer: bool = False
) -> list[MemorableSpan]:
    """Return the spans of a message; `has_fact` is its chance to hold anything. An answer may be a single word.

    >>> hello = TokenChances(0, 5, 0.0, 0.1, 0.0)
    >>> moved = [TokenChances(6, 7, 0.9, 0.0, 0.0), TokenChances(7, 13, 0.0, 0.8, 0.0)]
    >>> (span,) = memorable_spans("Hello I moved", [hello, *moved], 1.0)
    >>> span.start, span.end, round(span.chance, 2)
    (6, 13, 0.85)
    """
    found: list[MemorableSpan] = []
    runs = _with_reasons(text, tokens, _runs(text, tokens))
    for (first, last), following in zip(runs, [*runs[1:], None], strict=False):
        start, end = without_edges(text, *whole_words(text, tokens[first].start, tokens[last].end))
        if following and not text[end : tokens[following[0]].start].strip():
            end = start + without_joining(text[start:end])
        start = max(start, found[-1].end) if found else start
        part = text[start:end]
        if part and (is_answer or _says_something(part)):
            chance = _chance(tokens[first : last + 1]) * (1 - OF_MESSAGE + OF_MESSAGE * has_fact)
            found.append(MemorableSpan(start, end, first, last, chance))
    return found


def _runs(text: str, tokens: Sequence[TokenChances]) -> Iterator[tuple[int, int]]:
    """The first and the last token of each run; a token without letters ends none."""
    first = last = -1
    for place, token in enumerate(tokens):
        if token.memorable <= LEAST_OF_TOKEN:
            if first >= 0 and _has_letters(text[token.start : token.end]):
                yield first, last
                first = -1
            continue
        if first >= 0 and token.begin > _least_of_begin(text, token.start) and _begins_word(text, token.start):
            yield first, last
            first = -1
        first, last = first if first >= 0 else place, place
    if first >= 0:
        yield first, last


def _with_reasons(text: str, tokens: Sequence[TokenChances], runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The runs; one that gives the reason of the one before is part of it."""
    found: list[tuple[int, int]] = []
    for first, last in runs:
        gap = text[tokens[found[-1][1]].end : tokens[first].start] if found else ""
        is_near = not gap.strip() or announces_reason(gap)
        if found and is_near and announces_reason(text[tokens[found[-1][0]].start : tokens[first].start]):
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    return found


def _has_letters(part: str) -> bool:
    return any(character.isalnum() for character in part)


def _least_of_begin(text: str, start: int) -> float:
    """The chance from which on a token begins another span: the less, the more ends just before it."""
    before = text[max(0, start - _GAP) : start].rstrip()
    if before.endswith(_SENTENCE_ENDS):
        return LEAST_OF_SENTENCE
    is_clause = before[-1:] in _CLAUSE_ENDS or ends_joining(text, start)
    return LEAST_OF_CLAUSE if is_clause else LEAST_OF_BEGIN


def _begins_word(text: str, start: int) -> bool:
    return start == 0 or not _is_joined(text, start)


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen characters of a text to whole words, in scripts that have spaces between them.

    >>> text = "I moved to Porto, 大阪に引っ越す"
    >>> [text[start:end] for start, end in (whole_words(text, 12, 14), whole_words(text, 18, 20))]
    ['Porto', '大阪']
    """
    first, last = max(0, start - LONGEST_WORD), min(len(text), end + LONGEST_WORD)
    while start > first and _is_joined(text, start):
        start -= 1
    while end < last and _is_joined(text, end):
        end += 1
    return start, end


def _is_joined(text: str, place: int) -> bool:
    """Whether the characters before and at a place belong to one word."""
    before, at = text[place - 1], text[place]
    return _is_of_word(before) and _is_of_word(at) and not (is_spaceless(before) or is_spaceless(at))


def _is_of_word(character: str) -> bool:
    """Whether it is a letter, a digit, or a mark on one."""
    return character.isalnum() or category(character).startswith("M")


def is_spaceless(character: str) -> bool:
    """Whether it is of a script without spaces between words: Thai, Lao, kana, Chinese characters."""
    return any(first <= character <= last for first, last in _SPACELESS)


def without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out signs and spaces at both ends, but no bracket whose other half is inside.

    >>> for text in ("(Tom (my husband)). ", "Tom (finally!)!", "Tom (my husband (since 2019)),"):
    ...     start, end = without_edges(text, 0, len(text))
    ...     print(text[start:end])
    Tom (my husband)
    Tom (finally!)
    Tom (my husband (since 2019))
    """
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return _with_brackets(text, start, end)


def _with_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen characters by the other halves of the brackets in them, if these stand close to them."""
    unclosed = sum(one in _OPENING for one in text[start:end]) - sum(one in _CLOSING for one in text[start:end])
    for place in range(end, min(end + _NEAR, len(text))):
        if text[place] not in _EDGES:
            break
        if unclosed > 0 and text[place] in _CLOSING:
            unclosed, end = unclosed - 1, place + 1
    return (start - 1 if unclosed < 0 and text[start - 1 : start] in tuple(_OPENING) else start), end


def _says_something(part: str) -> bool:
    """Whether words that answer nothing can be a statement: a single word is none, where words have spaces between."""
    if any(map(is_spaceless, part)):
        return len(part) >= SHORTEST_SPACELESS
    return len(part) >= SHORTEST and len(part.split()) > 1


def _chance(tokens: Sequence[TokenChances]) -> float:
    tagged = sum(token.memorable for token in tokens) / len(tokens)
    return tagged * (1 - sum(token.trap for token in tokens) / len(tokens))
