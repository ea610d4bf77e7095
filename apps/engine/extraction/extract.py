"""Extraction without a model: what the reader finds in people's own words becomes candidates for memories.

The reader gives chances; here they are compared with what a policy asks for, and the words that nobody may read are
left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.engine.extraction.candidate import Candidate, Extraction, ForgetCommand, Quote, Refused, Speaker
from apps.engine.extraction.occurrence import days_of
from apps.engine.extraction.own_words import Span
from apps.engine.extraction.parts import Part
from apps.engine.extraction.refusal import Refusal, is_dictated, names_secret, sentences_around
from apps.engine.extraction.slots import SlotReader
from apps.engine.extraction.statements import context_of, dated, is_bare, question_of, statement_of
from apps.engine.memory.categories import Category
from apps.engine.memory.slots import USER, Slot
from apps.engine.memory.trust import Source
from apps.engine.policy import Policy
from apps.engine.reading.attributes import ATTRIBUTES
from apps.engine.reading.certainty import COMMAND, SECRET, certainty
from apps.engine.reading.chances import DO_NOT_REMEMBER, FORGET, REMEMBER, MessageRead, SpanRead
from apps.engine.reading.labels import CATEGORIES, CHANGES, COMMANDS

EXTRACTOR = "reader-1"
"""Name of this reader; a later one reads conversations again."""
RULE = "reader"

_SOURCES = {Speaker.SELF: Source.QUOTED, Speaker.MEMBER: Source.OTHER_MEMBER}
_ASKED = 0.5
"""What a person asks to remember needs so much of the usual chance."""
_DOUBT = 0.35
"""The least chance that a message asks not to remember, or to forget."""
_WORTH = 0.05
"""The least chance of a message that other conversations quote that it says something worth keeping."""
_NAME = 0.6
"""The least chance of a name that a statement gets."""
_FULL_STOPS = (".", "!", "。", "！")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The chances from which on words become a memory, or a proposal."""

    accepted: float
    proposed: float

    @classmethod
    def of(cls, policy: Policy) -> Thresholds:
        return cls(policy.memory_accepted_chance_percent / 100, policy.memory_proposed_chance_percent / 100)


def extract(parts: Iterable[Part], reads: Iterable[MessageRead], thresholds: Thresholds) -> Extraction:
    """Return the candidates in some parts of messages, of which the reader read each."""
    read = list(zip(parts, reads, strict=True))
    unwanted = {part.utterance.id for part, one in read if _is_unwanted(one)}
    found = [one for part, of_part in read for one in _judged(part, of_part, thresholds, unwanted)]
    candidates = tuple(one for one in found if isinstance(one, Candidate))
    refused = tuple(one for one in found if isinstance(one, Refused))
    worth = {part.utterance.id for part, one in read if one.has_fact >= _WORTH}
    worth |= {one.quote.message_id for one in candidates}
    worthless = {part.utterance.id for part, _ in read} - worth
    return Extraction(candidates, refused, tuple(_forgets(read)), frozenset(_private(read) | worthless))


def forget_requests(parts: Iterable[Part], reads: Iterable[MessageRead]) -> Extraction:
    """Return the requests in some parts of messages alone: to forget, and in which messages not to remember."""
    read = list(zip(parts, reads, strict=True))
    return Extraction((), (), tuple(_forgets(read)), frozenset(_private(read)))


def _private(read: Iterable[tuple[Part, MessageRead]]) -> set[str]:
    """The messages that ask to forget or not to remember."""
    return {part.utterance.id for part, one in read if command_of(one) in (FORGET, DO_NOT_REMEMBER)}


def _forgets(read: Iterable[tuple[Part, MessageRead]]) -> Iterator[ForgetCommand]:
    """What the owner asks to forget."""
    for part, one in read:
        said = part.utterance
        if said.speaker is Speaker.SELF and command_of(one) == FORGET and one.commanded:
            yield ForgetCommand(said.id, said.index, one.commanded, max(one.command), said.stated_at)


def command_of(read: MessageRead) -> str:
    """The command that a message gives, one of `COMMANDS`; empty if it gives none."""
    return _likeliest(read.command, COMMANDS) if max(read.command) >= COMMAND else ""


def _is_unwanted(read: MessageRead) -> bool:
    """Whether a message may ask not to remember, or to forget: in doubt nothing is remembered of it."""
    chances = dict(zip(COMMANDS, read.command, strict=True))
    return chances[FORGET] + chances[DO_NOT_REMEMBER] >= _DOUBT


def _likeliest(chances: Sequence[float], labels: Sequence[str]) -> str:
    return max(zip(chances, labels, strict=True), key=lambda pair: pair[0])[1]


def _judged(
    part: Part, read: MessageRead, thresholds: Thresholds, unwanted: Collection[str]
) -> Iterator[Candidate | Refused]:
    """What is likely enough, or refused; `unwanted` are the messages that ask not to remember, or to forget."""
    is_wanted = command_of(read) == REMEMBER
    share = _ASKED if is_wanted else 1.0
    chances = [(one, certainty(one.span.chance, one.memorable)) for one in read.spans]
    likely = [(one, chance) for one, chance in chances if chance >= share * thresholds.proposed]
    if is_wanted and read.to_remember and not likely:
        likely = [(read.to_remember, max(read.command))]
    for one, chance in likely:
        candidate = _candidate(part, one, chance, is_sure=chance >= share * thresholds.accepted)
        why = Refusal.UNWANTED if part.utterance.id in unwanted else _refusal(part, one, candidate)
        yield Refused(candidate.quote, why) if why else candidate


def _quote(part: Part, one: SpanRead) -> Quote:
    """The words of a span, with the full stop behind them."""
    end = one.span.end + (part.text[one.span.end : one.span.end + 1] in _FULL_STOPS)
    span = Span(part.start + one.span.start, part.start + end)
    return Quote(part.utterance.id, part.utterance.index, span, part.utterance.text[span.start : span.end])


def _refusal(part: Part, one: SpanRead, found: Candidate) -> Refusal | None:
    sentence = sentences_around(part.own.text, found.quote.span)
    if one.secret >= SECRET or names_secret(sentence) or names_secret(found.statement):
        return Refusal.SECRET
    if part.own.quotes(found.quote.span.start, found.quote.span.end):
        return Refusal.QUOTED
    return Refusal.INSTRUCTION if is_dictated(sentence) or is_dictated(found.statement) else None


def _candidate(part: Part, one: SpanRead, chance: float, *, is_sure: bool) -> Candidate:
    utterance, quote = part.utterance, _quote(part, one)
    question = question_of(part, quote.text)
    about = one.about if one.about_chance >= _NAME else ""
    said = statement_of(utterance, quote.text, about, question, part.text[: one.span.start])
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
        attribute=_likeliest(one.attribute, ("", *ATTRIBUTES)),
        state_change=_likeliest(one.change, CHANGES),
        occurred_at=at,
        until=until,
        context=context_of(part.own.text, quote.span.start),
    )


def _slot(speaker: str, statement: str) -> Slot | None:
    return SlotReader(speaker).read(statement) if speaker else None


def _category(one: SpanRead) -> Category:
    """The likeliest category; a profile is only the user's."""
    likeliest = sorted(zip(one.category, CATEGORIES, strict=True), reverse=True, key=lambda pair: pair[0])
    return next(name for _, name in likeliest if name is not Category.PROFILE or not one.about)
