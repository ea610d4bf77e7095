"""A message as the summarizer reads it: the speaker, and the sentences without code and tool output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.engine.language.sentences import CodeBlock, Sentence, sentences_of
from apps.engine.language.similarity import normalized, stems
from apps.engine.messages.message import Message, PartKind, Role

LONGEST_TEXT = 240
_NAME_LENGTH = 39
_IN_NAME = re.compile(r"[^\w.'’ -]+")
_BREAK = re.compile(
    r"(?<=[,;:)])\s|\s(?=[-–—(]\s?|(?:and|but|so|because|which|while|when|where|then|or|to|with)\s)|(?<=[.!?])\s"
)
_ELLIPSIS = " …"


@dataclass(frozen=True)
class Reading:
    """`person` is true for a human speaker; `among_people` if both sides of the conversation are human."""

    message: Message
    position: int
    among_people: bool
    sentences: tuple[Sentence, ...] = ()
    blocks: tuple[CodeBlock, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        return (self.message.id,)

    @property
    def person(self) -> bool:
        return self.message.role is Role.USER or self.among_people

    @property
    def speaker(self) -> tuple[str, str]:
        return self.message.role, self.message.name

    @cached_property
    def topics(self) -> tuple[frozenset[str], ...]:
        """What each sentence is about."""
        return tuple(stems(sentence.text) for sentence in self.sentences)

    @cached_property
    def asks(self) -> bool:
        return any(sentence.is_question for sentence in self.sentences)

    def line_text(self, text: str, length: int = LONGEST_TEXT) -> str:
        """A text of this message as a line: the speaker's name before it, cut at the end of a clause."""
        name = _IN_NAME.sub("", normalized(self.message.name))[:_NAME_LENGTH].strip()
        prefix = f"{name}: " if name and (name[0].isalpha()) else ""
        return prefix + clipped(text, length - len(prefix))


def read_messages(messages: Sequence[Message]) -> list[Reading]:
    """Parse the messages with content, with their positions; skip system messages and reasoning."""
    people = any(message.role is Role.ASSISTANT and message.name for message in messages)
    return [
        _read(message, position, people) for position, message in enumerate(messages) if message.role is not Role.SYSTEM
    ]


def tool_texts(message: Message) -> list[str]:
    """Texts of tool calls and results; a result's own summary replaces it."""
    texts = [
        part.summary or part.text for part in message.parts if part.kind in (PartKind.TOOL_CALL, PartKind.TOOL_RESULT)
    ]
    return [message.content, *texts] if message.role is Role.TOOL else texts


def clipped(text: str, length: int = LONGEST_TEXT) -> str:
    """The text, or its beginning up to the end of a clause with an ellipsis.

    >>> clipped("We keep it, and then we go on", 16)
    'We keep it, …'
    """
    if len(text) <= length:
        return text
    room = max(1, length - len(_ELLIPSIS))
    ends = [match.start() for match in _BREAK.finditer(text[: room + 1])]
    end = next((end for end in reversed(ends) if end >= room // 2), 0) or text.rfind(" ", room // 2, room + 1)
    return text[: end if end > 0 else room].rstrip(" –—-(") + _ELLIPSIS


def clipped_around(text: str, place: int, length: int) -> str:
    """The clause at a place of the text and what follows, up to a length.

    >>> clipped_around("We went home, and then we saw the fox in the park", 30, 24)
    '… then we saw the fox …'
    """
    if place < length * 2 // 3 or len(text) <= length:
        return clipped(text, length)
    starts = [match.end() for match in _BREAK.finditer(text[:place]) if match.end() > place - length // 2]
    start = starts[-1] if starts else text.rfind(" ", 0, max(1, place - length // 3)) + 1
    return clipped("… " + text[start:].lstrip(), length)


def _read(message: Message, position: int, people: bool) -> Reading:
    if message.role is Role.TOOL:
        return Reading(message, position, people)
    written = (part.text for part in message.parts if part.kind in (PartKind.TEXT, PartKind.FILE))
    extra = [text for text in written if text not in message.content]
    sentences, blocks = sentences_of("\n\n".join([message.content, *extra]))
    return Reading(message, position, people, tuple(sentences), tuple(blocks))
