"""The words of a span as a candidate: its statement, and what the reader takes it for."""

from __future__ import annotations

from apps.engine.extraction.candidate import Candidate, Quote, Speaker
from apps.engine.extraction.occurrence import days_of
from apps.engine.extraction.own_words import Span
from apps.engine.extraction.parts import Part
from apps.engine.extraction.slots import SlotReader
from apps.engine.extraction.statements import (
    context_of,
    dated,
    heading_of,
    is_bare,
    passage_of,
    question_of,
    statement_of,
)
from apps.engine.memory.categories import Category
from apps.engine.memory.slots import USER, Slot
from apps.engine.memory.trust import Source
from apps.engine.reading.attributes import ATTRIBUTES
from apps.engine.reading.certainty import NAME, likeliest
from apps.engine.reading.chances import SpanRead
from apps.engine.reading.labels import CATEGORIES, CHANGES

RULE = "reader"

_SOURCES = {Speaker.SELF: Source.QUOTED, Speaker.MEMBER: Source.OTHER_MEMBER}
_FULL_STOPS = (".", "!", "。", "！")


def candidate_of(part: Part, one: SpanRead, chance: float, *, is_sure: bool) -> Candidate:
    utterance, quote = part.utterance, _quote(part, one)
    question = question_of(part, quote.text)
    about = one.about if one.about_chance >= NAME else ""
    topic = question or ("" if about else heading_of(part, quote.text))
    said = statement_of(utterance, quote.text, about, topic, part.text[: one.span.start])
    statement = dated(said, utterance)
    at, until = days_of(quote.text, utterance.stated_at)
    speaker = utterance.name if utterance.speaker is Speaker.MEMBER else USER
    return Candidate(
        _category(one),
        statement,
        quote,
        # An answer takes words of the assistant's.
        Source.INFERRED if question and utterance.speaker is Speaker.SELF else _SOURCES[utterance.speaker],
        RULE,
        chance,
        # A passing state replaces nothing for good.
        None if until else _slot(speaker, said),
        is_sure=is_sure and not (question and is_bare(quote.text)),
        about=one.about,
        attribute=likeliest(one.attribute, ("", *ATTRIBUTES)),
        state_change=likeliest(one.change, CHANGES),
        occurred_at=at,
        until=until,
        context=context_of(part.own.text, quote.span.start),
        passage=passage_of(part),
    )


def _quote(part: Part, one: SpanRead) -> Quote:
    """The words of a span, with the full stop behind them."""
    end = one.span.end + (part.text[one.span.end : one.span.end + 1] in _FULL_STOPS)
    span = Span(part.start + one.span.start, part.start + end)
    return Quote(part.utterance.id, part.utterance.index, span, part.utterance.text[span.start : span.end])


def _slot(speaker: str, statement: str) -> Slot | None:
    return SlotReader(speaker).read(statement) if speaker else None


def _category(one: SpanRead) -> Category:
    """The likeliest category; a profile is only the user's."""
    likeliest = sorted(zip(one.category, CATEGORIES, strict=True), reverse=True, key=lambda pair: pair[0])
    return next(name for _, name in likeliest if name is not Category.PROFILE or not one.about)
