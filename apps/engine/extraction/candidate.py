"""Utterances, as extraction reads them, and candidates for memories, which quote them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from apps.engine.extraction.own_words import Span
from apps.engine.extraction.refusal import Refusal
from apps.engine.memory.categories import Category
from apps.engine.memory.relations import Related
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Source


class Speaker(StrEnum):
    """Who says something, from the view of the person whose memories are made."""

    SELF = "self"
    MEMBER = "member"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message as extraction reads it; `name` is its author's, empty for the person.

    Dates like "yesterday" count from `stated_at`; without it none is read.
    """

    id: str
    index: int
    speaker: Speaker
    text: str
    name: str = ""
    stated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """The exact words of a message that a memory is based on."""

    message_id: str
    index: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory found in a message.

    `rule` names what found it; `confidence` is from 0 to 1, and what is not `is_sure` waits for a person. `about` names
    whom or what it is about, empty for its author; `attribute` is one of the reader's, and `state_change` one of
    `labels.CHANGES`. `occurred_at` is the fact's own date, if the words give one; `until` is when a passing state ends.
    `context` are the words before the quote, which may name its topic, and `passage` is all that the reader read with
    it. Of a model's candidate, `extractor` is the model, `name` is for its address, and `target` a known memory that it
    repeats or replaces.
    """

    category: Category
    statement: str
    quote: Quote
    source: Source
    rule: str
    confidence: float
    slot: Slot | None = None
    is_sure: bool = True
    about: str = ""
    attribute: str = ""
    state_change: str = ""
    occurred_at: datetime | None = None
    until: datetime | None = None
    context: str = ""
    passage: str = ""
    name: str = ""
    extractor: str = ""
    target: Related | None = None

    @property
    def place(self) -> tuple[str, str]:
        """The message and the passage of it that the candidate was read in."""
        return self.quote.message_id, self.passage


@dataclass(frozen=True, slots=True)
class Refused:
    """Words that look like a memory and are none, with the reason, and what an extractor claimed that they say.

    The claim's statement is empty if nobody may read it.
    """

    quote: Quote
    why: Refusal
    claim: Candidate | None = None


@dataclass(frozen=True, slots=True)
class ForgetCommand:
    """A person's request to forget something; `what` are the words for it, `request` its sentence, and `chance` that it
    is one.

    Nothing that was said after `stated_at` is meant.
    """

    message_id: str
    index: int
    what: str
    chance: float
    stated_at: datetime | None = None
    request: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found in some messages. `possible` are candidates too unlikely to be kept for themselves, which are if
    they change something known. `unretrievable` are those that no other conversation should quote: the ones
    that ask to forget or not to remember, that tell a secret, and that say nothing worth keeping."""

    candidates: tuple[Candidate, ...]
    refused: tuple[Refused, ...]
    forgets: tuple[ForgetCommand, ...] = ()
    unretrievable: frozenset[str] = frozenset()
    possible: tuple[Candidate, ...] = ()

    def without_quotable_secrets(self) -> Extraction:
        """Let no other conversation quote a message of which something was refused as a secret."""
        secret = {one.quote.message_id for one in self.refused if one.why is Refusal.SECRET}
        return replace(self, unretrievable=self.unretrievable | secret)
