"""Parts of people's messages, each short enough for the reader to read at once."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.own_words import OwnWords, Span, without_middle, without_private
from apps.engine.language.sentences import ASKING_END, QUESTION_ENDS, sentence_spans
from apps.engine.messages.canned_replies import is_canned_reply
from apps.engine.reading.chances import MessageInput
from apps.engine.reading.list_items import ListItem, list_items
from apps.engine.reading.spans import is_spaceless

PEOPLE = (Speaker.SELF, Speaker.MEMBER)
_MOST_READ = 20_000
"""Characters at each end of a message; what is longer was pasted."""
_MOST_CHARACTERS = 480
_MOST_TOGETHER = 200
"""Characters of sentences that are read together: among many the reader finds half as much."""
_SHORT = _MOST_CHARACTERS // 3
_MOST_ITEMS = 300
"""Items of lists that are read one by one in a message."""
_MOST_AFTER_QUESTION = 200
"""Characters after an assistant's last question that are not read: of "Where do you shop? Then I know what is in season
there." the first sentence is what is answered."""
_LETTER, _DIGIT, _IDEOGRAPH = 1, 3, 3
"""How much room a character takes among those that are read at once; letters of an alphabet share a token."""
# Foreign parts of a message are line breaks here.
_BLOCK = re.compile(r"(?:(?!\n{4}).)+", re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_QUESTION_END = re.compile(rf"[{QUESTION_ENDS}](?!\w)|{ASKING_END}")


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a person's message from character `start` on, and what was said just before them.

    `question` is the assistant's message that they answer; a later part of a message answers none. The `items` of a
    list are parts too, whose words stand behind a `bullet` of so many characters; what was said before them is the
    `heading`, which a part has from its first item.
    """

    utterance: Utterance
    own: OwnWords
    start: int
    text: str
    before: str
    question: str = ""
    items: tuple[Part, ...] = ()
    heading: str = ""
    bullet: int = 0

    @property
    def input(self) -> MessageInput:
        return MessageInput(self.text, self.before)

    @property
    def is_item(self) -> bool:
        return self.bullet > 0


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
    return _up_to_question(without_private(before.text))


def _up_to_question(text: str) -> str:
    """A message up to its last question, if that is near its end; else nothing was asked."""
    ends = [found.end() for found in _QUESTION_END.finditer(text, max(0, len(text) - _MOST_AFTER_QUESTION))]
    return text[: ends[-1]] if ends else ""


def _parts(utterance: Utterance, question: str) -> Iterator[Part]:
    before = question
    own = OwnWords(utterance.text)
    readable = without_middle(own.text, _MOST_READ)
    items = deque(_items(readable))
    for block in _BLOCK.finditer(readable):
        for span in _joined(_pieces(readable, block.start(), block.end()), readable):
            text = readable[span.start : span.end]
            part = Part(utterance, own, span.start, text, before, question)
            yield _with_items(part, _taken(items, span))
            before, question = text, ""


def _items(text: str) -> Iterator[ListItem]:
    """The first items of the lists in a message."""
    found = (item for block in _BLOCK.finditer(text) for item in list_items(text, block.start(), block.end()))
    return islice(found, _MOST_ITEMS)


def _taken(items: deque[ListItem], span: Span) -> list[ListItem]:
    """Those of the next items that stand in a span, which are taken off."""
    found = []
    while items and items[0].start < span.end:
        found.append(items.popleft())
    return [one for one in found if one.start >= span.start and one.end <= span.end]


def _with_items(part: Part, items: Sequence[ListItem]) -> Part:
    """A part with the items in it; a single one that is all of it, without a heading, would be read in the same way."""
    if not items or (len(items) == 1 and not items[0].heading and items[0].end - items[0].start == len(part.text)):
        return part
    return replace(part, items=tuple(_item(part, one) for one in items), heading=items[0].heading)


def _item(part: Part, item: ListItem) -> Part:
    text = part.text[item.start - part.start : item.end - part.start]
    before, question = (item.heading, "") if item.heading else (part.before, part.question)
    return Part(part.utterance, part.own, item.start, text, before, question, (), item.heading, item.words - item.start)


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
    """Short pieces together."""
    start = end = taken = 0
    for piece in pieces:
        words = text[piece.start : piece.end]
        if not words.strip():
            continue
        if end and taken + _room(words) > _MOST_TOGETHER:
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
