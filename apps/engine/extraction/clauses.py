"""Clauses of a message with their places, so that every memory can quote its words exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from apps.engine.extraction.own_words import Span
from apps.engine.language.sentences import sentence_spans
from apps.engine.language.verbs import VERB as _VERB

_LINE = re.compile(r"[^\n]+")
_PICTURES = "\U0001f300-\U0001faff\u2600-\u27bf"
# A clause ends at punctuation inside a sentence, at a picture, and before a conjunction that a new subject follows.
_SUBJECT = (
    r"(?:i|we|you|he|she|it|they|there|my|our|the|his|her|their|no|not|please|pls|never|always|from|now|yes|all"
    r"|everything|it's)\b"
)
# White space is entered at its beginning alone, so that a long run of it is read once.
_GAP = r"(?<!\s)\s++"
_CUT = re.compile(
    rf"[,;]\s+|(?<=\bno)\.\s+(?=\D)|{_GAP}[-–—]\s+|—|(?:{_GAP})?\(|\)\s*|:\s+|[、，]|(?:{_GAP})?[{_PICTURES}]+\s*"
    rf"|{_GAP}(?=(?:but|because|since|while|whereas|although|though|unless|until|which|plus)\b(?! that))"
    rf"|{_GAP}(?=(?:and|so) (?:{_SUBJECT}|(?-i:[A-Z])\w+\b))"
    rf"|{_GAP}(?=und (?:ich|wir|er|sie|es|der|die|das|mein|bitte)\b)|{_GAP}(?=(?:aber|weil|denn|pero|porque|mais"
    r"|parce que|car)\b)"
    rf"|{_GAP}(?=y (?:yo|el|la|mi|nos|no|se|\w+[aei]mos)\b)|{_GAP}(?=et (?:je|moi|on|il|elle|le|la|mon)\b)",
    re.IGNORECASE,
)
# After these a new clause begins, whether or not both sides have a verb.
_HARD_CUT = re.compile(rf"[().—;{_PICTURES}]|\s[-–]\s")
# Thanks after a statement are no part of it: "we land on the 28th, thanks ever so much, airline".
_THANKS = re.compile(r"(?:thanks|thank you|thx|cheers|danke|gracias|merci)\b", re.IGNORECASE)
# A longer one is no statement that a person makes of themselves, and patterns would take long to search it.
_LONGEST_SENTENCE = 1_000
_TRIM = " \t\n,;:(–-"


@dataclass(frozen=True)
class Clause(Span):
    """A part of a sentence with a verb of its own, and the sentence that it belongs to, of a message's text."""

    message: str
    sentence: Span

    @cached_property
    def text(self) -> str:
        return self.message[self.start : self.end].replace("’", "'")

    @cached_property
    def sentence_text(self) -> str:
        return self.message[self.sentence.start : self.sentence.end].strip().replace("’", "'")


def sentences(text: str) -> Iterator[list[Clause]]:
    """The sentences of a message, each as its clauses.

    >>> [[one.text for one in clauses] for clauses in sentences("My dog, Rex, is old, but he runs. Why?")]
    [['My dog, Rex, is old', 'but he runs.'], ['Why?']]
    >>> [one.text for one in next(sentences("We moved to Bath, thanks a lot, and the cat likes it."))]
    ['We moved to Bath', 'thanks a lot', 'and the cat likes it.']
    """
    for line in _LINE.finditer(text):
        for start, end in sentence_spans(line.group()):
            sentence = Span(line.start() + start, line.start() + end)
            if end - start > _LONGEST_SENTENCE:
                continue
            if clauses := [Clause(a, b, text, sentence) for a, b in _clause_places(text, sentence)]:
                yield clauses


def _clause_places(text: str, sentence: Span) -> Iterator[tuple[int, int]]:
    """Join pieces until each has a verb of its own."""
    start = end = -1
    has_verb = False
    for a, b in _pieces(text, sentence):
        is_verbal = bool(_VERB.search(text[a:b].replace("’", "'")))
        if start >= 0 and ((has_verb and (is_verbal or _THANKS.match(text, a))) or _HARD_CUT.search(text[end:a])):
            yield start, end
            start, has_verb = -1, False
        has_verb = has_verb or is_verbal or bool(start < 0 and _THANKS.match(text, a))
        start, end = (start if start >= 0 else a), b
    if start >= 0:
        yield start, end


def _pieces(text: str, sentence: Span) -> Iterator[tuple[int, int]]:
    place = sentence.start
    for cut in [*_CUT.finditer(text, sentence.start, sentence.end), None]:
        start, end = place, cut.start() if cut else sentence.end
        place = cut.end() if cut else end
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip(_TRIM))
        end -= len(piece) - len(piece.rstrip(_TRIM + ")"))
        if start < end:
            yield start, end
