"""Extraction without a model: what the reader finds in people's own words becomes candidates for memories.

The reader gives chances; here they are compared with what a policy asks for, and the words that nobody may read are
left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from apps.engine.extraction.candidate import Candidate, Extraction, ForgetCommand, Refused, Speaker
from apps.engine.extraction.lists import overlaps, surest, with_items
from apps.engine.extraction.parts import Part
from apps.engine.extraction.refusal import Refusal, is_dictated, names_secret, sentences_around
from apps.engine.extraction.span_candidates import candidate_of
from apps.engine.extraction.statements import passage_of
from apps.engine.language.sentences import sentence_spans
from apps.engine.policy import Policy
from apps.engine.reading.certainty import SECRET, certainty, command_of
from apps.engine.reading.chances import DO_NOT_REMEMBER, FORGET, REMEMBER, MessageRead, SpanRead
from apps.engine.reading.labels import COMMANDS

EXTRACTOR = "reader-1"
"""Name of this reader; a later one reads conversations again."""

_ASKED = 0.5
"""What a person asks to remember needs so much of the usual chance."""
_DOUBT = 0.35
"""The least chance that a message asks not to remember, or to forget."""
_WORTH = 0.05
"""The least chance that a message holds anything, which other conversations may quote, or which may be a change."""
_TELLS_SECRET = 0.4
"""The least chance of a message that no other conversation quotes that it tells a secret."""
_POSSIBLE = 0.2
"""The least chance of what is kept if it changes something known."""


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
    groups = list(with_items(zip(parts, reads, strict=True)))
    read = [one for group in groups for one in group]
    unwanted = {part.utterance.id for part, one in read if _is_unwanted(one)}
    judged = [[one for part in group for one in _judged(*part, thresholds, unwanted)] for group in groups]
    found = [one for of_group in judged for one in surest(of_group)]
    candidates = tuple(one for one in found if isinstance(one, Candidate))
    refused = tuple(one for one in found if isinstance(one, Refused))
    worth = {part.utterance.id for part, one in read if one.has_fact >= _WORTH}
    worth |= {one.quote.message_id for one in candidates}
    worthless = {part.utterance.id for part, _ in read} - worth
    secret = {part.utterance.id for part, one in read if _tells_secret(part, one)}
    taken = {one.place for one in candidates}
    possible = tuple(
        one
        for ((part, of_part), *items), of_group in zip(groups, judged, strict=True)
        if _may_change(part, of_part, unwanted)
        for one in _possible(part, of_part, thresholds, taken)
        if not (items and overlaps(one.quote, of_group))
    )
    unretrievable = frozenset(_private(read) | worthless | secret)
    return Extraction(candidates, refused, tuple(_forgets(read)), unretrievable, possible)


def forget_requests(parts: Iterable[Part], reads: Iterable[MessageRead]) -> Extraction:
    """Return the requests in some parts of messages alone: to forget, and in which messages not to remember."""
    read = list(zip(parts, reads, strict=True))
    return Extraction((), (), tuple(_forgets(read)), frozenset(_private(read)))


def _private(read: Iterable[tuple[Part, MessageRead]]) -> set[str]:
    """The messages that ask to forget or not to remember."""
    return {part.utterance.id for part, one in read if command_of(one) in (FORGET, DO_NOT_REMEMBER)}


def _tells_secret(part: Part, read: MessageRead) -> bool:
    is_named = names_secret(f"{part.heading} {part.text}")
    return is_named or (read.whole is not None and read.whole.secret >= _TELLS_SECRET)


def _forgets(read: Iterable[tuple[Part, MessageRead]]) -> Iterator[ForgetCommand]:
    """What the owner asks to forget."""
    for part, one in read:
        said = part.utterance
        if said.speaker is Speaker.SELF and command_of(one) == FORGET and one.commanded:
            yield ForgetCommand(
                said.id, said.index, one.commanded, max(one.command), said.stated_at, _request(part.text, one.commanded)
            )


def _request(text: str, commanded: str) -> str:
    """The sentence of a text that has most of the words for what it asks to forget."""
    words = commanded.split()
    sentences = [text[start:end] for start, end in sentence_spans(text)] or [text]
    return max(sentences, key=lambda sentence: sum(word in sentence for word in words)).strip()


def _is_unwanted(read: MessageRead) -> bool:
    """Whether a message may ask not to remember, or to forget: in doubt nothing is remembered of it."""
    chances = dict(zip(COMMANDS, read.command, strict=True))
    return chances[FORGET] + chances[DO_NOT_REMEMBER] >= _DOUBT


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
        candidate = candidate_of(part, one, chance, is_sure=chance >= share * thresholds.accepted)
        why = Refusal.UNWANTED if part.utterance.id in unwanted else _refusal(part, one, candidate)
        yield Refused(candidate.quote, why) if why else candidate


def _may_change(part: Part, read: MessageRead, unwanted: Collection[str]) -> bool:
    return part.utterance.id not in unwanted and not command_of(read)


def _possible(
    part: Part, read: MessageRead, thresholds: Thresholds, taken: Collection[tuple[str, str]]
) -> Iterator[Candidate]:
    """What is too unlikely for `_judged`, but may say that something changed.

    Of a part of which nothing is `taken` that is all of its words, too.
    """
    chances = [(one, certainty(one.span.chance, one.memorable)) for one in read.spans]
    spans = [(one, chance) for one, chance in chances if _POSSIBLE <= chance < thresholds.proposed]
    is_taken = (part.utterance.id, passage_of(part)) in taken
    if read.whole and read.has_fact >= _WORTH and not is_taken:
        spans.append((read.whole, read.has_fact))
    for one, chance in spans:
        candidate = candidate_of(part, one, chance, is_sure=True)
        if not _refusal(part, one, candidate):
            yield candidate


def _refusal(part: Part, one: SpanRead, found: Candidate) -> Refusal | None:
    sentence = sentences_around(part.own.text, found.quote.span)
    if one.secret >= SECRET or any(map(names_secret, (sentence, found.statement, f"{part.heading} {sentence}"))):
        return Refusal.SECRET
    if part.own.quotes(found.quote.span.start, found.quote.span.end):
        return Refusal.QUOTED
    return Refusal.INSTRUCTION if is_dictated(sentence) or is_dictated(found.statement) else None
