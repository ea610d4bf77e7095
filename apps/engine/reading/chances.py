"""The reader's input and output: messages, and what they hold as chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.reading.spans import MemorableSpan

REMEMBER, FORGET, DO_NOT_REMEMBER = "remember", "forget", "do_not_remember"
"""The commands of `labels.COMMANDS`."""


@dataclass(frozen=True, slots=True)
class MessageInput:
    """A message or a part of one, and what was said just before it."""

    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class SpanRead:
    """A span of a message, and the chances of what it says.

    Those of categories and changes are in the order of `labels`, those of attributes in the order of `attributes` after
    one for any other. `about` are the words that likely name whom it is about, with their chance: empty for the
    user, whose chance is `about_user`.
    """

    span: MemorableSpan
    memorable: float
    secret: float
    until: float
    category: Sequence[float]
    change: Sequence[float]
    attribute: Sequence[float]
    about: str
    about_chance: float
    about_user: float


@dataclass(frozen=True, slots=True)
class MessageRead:
    """What a message holds; the chances of commands by the order of `labels.COMMANDS`.

    `commanded` are the words for what is to be remembered or forgotten, `ended` those for what held until now, and
    `to_remember` is the span of what is to be remembered, if the message says so, and `whole` all of its words as one
    span, for a message that only says something beside what is known.
    """

    has_fact: float
    command: Sequence[float]
    commanded: str
    ended: str
    spans: Sequence[SpanRead]
    to_remember: SpanRead | None = None
    whole: SpanRead | None = None


NOTHING = MessageRead(0.0, (1.0, 0.0, 0.0, 0.0), "", "", ())
"""What is read of an empty message."""
