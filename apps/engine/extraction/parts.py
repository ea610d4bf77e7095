"""Parts of people's messages, each short enough for the reader to read at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.own_words import OwnWords, Span, without_middle, without_private
from apps.engine.language.sentences import sentence_spans
from apps.engine.messages.canned_replies import is_canned_reply
from apps.engine.reading.chances import MessageInput
from apps.engine.reading.spans import is_spaceless

PEOPLE = (Speaker.SELF, Speaker.MEMBER)
_MOST_READ = 20_000
"""Characters at each end of a message; what is longer was pasted."""
_MOST_CHARACTERS = 480
_SHORT = _MOST_CHARACTERS // 3
_LETTER, _DIGIT, _IDEOGRAPH = 1, 3, 3
"""How much room a character takes among those that are read at once; letters of an alphabet share a token."""
# Foreign parts of a message are line breaks here.
_BLOCK = re.compile(r"(?:(?!\n{4}).)+", re.DOTALL)
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a person's message from character `start` on, and what was said just before them.

    `question` is the assistant's message that they answer; a later part of a message answers none.
    """

    utterance: Utterance
    own: OwnWords
    start: int
    text: str
    before: str
    question: str = ""

    @property
    def input(self) -> MessageInput:
        return MessageInput(self.text, self.before)


def parts_of(utterances: Sequence[Utterance], earlier: Sequence[Utterance] = ()) -> list[Part]:
    """The parts of what people say; `earlier` messages are only what is answered.

    >>> asked = Utterance("1", 0, Speaker.ASSISTANT, "Which city?")
    >>> told = Utterance("2", 1, Speaker.SELF, "Tbilisi. <private>not that</private> Is it warm there?")
    >>> [(part.text, part.before) for part in parts_of([told], earlier=[asked])]
    [('Tbilisi. ', 'Which city?'), (' Is it warm there?', 'Tbilisi. ')]
    """
    before = earlier[-1] if earlier else None
    found: list[Part] = []
    for utterance in utterances:
        if utterance.speaker in PEOPLE:
            found += _parts(utterance, _answered(before))
        before = utterance
    return found


def is_read_in_part(text: str) -> bool:
    """Whether a message is so long that its middle is not read."""
    return len(text) > 2 * _MOST_READ


def _answered(before: Utterance | None) -> str:
    """The assistant's message that was answered, if it was a model's.

    Of messages after a reply without a model the reader finds 62 % of the facts if it reads that too, and 70 % alone.
    """
    if before is None or before.speaker is not Speaker.ASSISTANT or is_canned_reply(before.text):
        return ""
    return without_private(before.text)


def _parts(utterance: Utterance, question: str) -> Iterator[Part]:
    before = question
    own = OwnWords(utterance.text)
    readable = without_middle(own.text, _MOST_READ)
    for block in _BLOCK.finditer(readable):
        for span in _joined(_pieces(readable, block.start(), block.end()), readable):
            text = readable[span.start : span.end]
            yield Part(utterance, own, span.start, text, before, question)
            before, question = text, ""


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of some characters of a text, and the lines without one; what is too long is cut between words."""
    for line in _LINE.finditer(text, start, end):
        for first, last in sentence_spans(line.group()):
            yield from _cut(text, line.start() + first, line.start() + last)


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    while end - start > (most := _most(text, start)):
        space = text.rfind(" ", start, start + most)
        cut = space + 1 if space > start else start + most
        yield Span(start, cut)
        start = cut
    yield Span(start, end)


def _most(text: str, start: int) -> int:
    """How many characters from a place on are read at once at most."""
    return _MOST_CHARACTERS if _room(text[start : start + _MOST_CHARACTERS]) <= _MOST_CHARACTERS else _SHORT


def _joined(pieces: Iterable[Span], text: str) -> Iterator[Span]:
    """Pieces together, as many as are read at once."""
    start = end = taken = 0
    for piece in pieces:
        words = text[piece.start : piece.end]
        if not words.strip():
            continue
        if end and taken + _room(words) > _MOST_CHARACTERS:
            yield Span(start, end)
            end = taken = 0
        start = start if end else piece.start
        end, taken = piece.end, taken + _room(words)
    if end:
        yield Span(start, end)


def _room(text: str) -> int:
    """How much of what is read at once a text fills."""
    digits = sum(map(str.isdigit, text))
    ideographs = 0 if text.isascii() else sum(map(is_spaceless, text))
    return len(text) * _LETTER + digits * (_DIGIT - _LETTER) + ideographs * (_IDEOGRAPH - _LETTER)
