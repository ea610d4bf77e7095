"""The reader's judgments of people's sentences and of a summary's lines: how much each is worth keeping.

Each is read alone, after the sentence before it: among the many sentences of a long message the reader finds half as
much.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.engine.memory.categories import Category
from apps.engine.messages.message import Message
from apps.engine.messages.parsing import Reading, read_messages
from apps.engine.reading.attributes import ATTRIBUTES
from apps.engine.reading.certainty import NAME, certainty, likeliest
from apps.engine.reading.chances import MessageInput, MessageRead, SpanRead
from apps.engine.reading.labels import CATEGORIES, CHANGES
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.summary.salience import body_text


@dataclass(frozen=True, slots=True)
class SentenceRead:
    """The chance that a sentence is worth keeping, and what it says: labels of the reader.

    `about` names whom or what it is about, empty for its author; `change` is one of `reading.labels.CHANGES`.
    """

    chance: float
    category: Category = Category.PROFILE
    attribute: str = ""
    about: str = ""
    change: str = ""


SentenceReads = Mapping[str, SentenceRead]
"""By the words of the sentence or line; those that are not in it were not read."""
NOTHING_READ: SentenceReads = {}

_AIMED = frozenset(("goal", "wants"))
_REQUIRED = frozenset(
    ["rule", "forbids", "limit", "budget", "deadline", "permission", "allergy", "access_need", "diet", "medication"]
)
_WANTED = (Category.PREFERENCES, Category.PATTERNS)
_HAPPENED = (Category.EVENTS, Category.CASES)


def sentences_to_read(current: RollingSummary, messages: Sequence[Message]) -> list[MessageInput]:
    """Return each line of the summary, and each sentence of people where it is first said, after the one before it.

    The first one of a message may answer an assistant's question.
    """
    asked = {body_text(entry): "" for _, entry in current.entries()}
    question = ""
    for reading in read_messages(messages):
        if reading.person:
            texts = [sentence.text for sentence in reading.sentences]
            for before, text in zip([question, *texts], texts, strict=False):
                asked.setdefault(text, before)
        question = "" if reading.person else _last_question(reading)
    return [MessageInput(text, before) for text, before in asked.items()]


def sentence_reads(asked: Iterable[MessageInput], reads: Iterable[MessageRead]) -> SentenceReads:
    """Return what was read of each sentence, by its words."""
    return {one.text: _sentence_read(read.spans) for one, read in zip(asked, reads, strict=True)}


def field_of(read: SentenceRead) -> str:
    """The field of the summary that a fact belongs to.

    >>> field_of(SentenceRead(0.9, attribute="deadline")), field_of(SentenceRead(0.9, attribute="pet"))
    ('requirements', 'definitions')
    """
    if read.change:
        return "decisions"
    if read.attribute in _AIMED:
        return "goals"
    if read.attribute in _REQUIRED or read.category in _WANTED:
        return "requirements"
    return "decisions" if read.category in _HAPPENED else "definitions"


def _last_question(reading: Reading) -> str:
    return next((sentence.text for sentence in reversed(reading.sentences) if sentence.is_question), "")


def _sentence_read(spans: Sequence[SpanRead]) -> SentenceRead:
    return max(map(_span_read, spans), key=lambda one: one.chance, default=SentenceRead(0.0))


def _span_read(one: SpanRead) -> SentenceRead:
    return SentenceRead(
        certainty(one.span.chance, one.memorable),
        likeliest(one.category, CATEGORIES),
        likeliest(one.attribute, ("", *ATTRIBUTES)),
        one.about if one.about_chance >= NAME else "",
        likeliest(one.change, CHANGES),
    )
