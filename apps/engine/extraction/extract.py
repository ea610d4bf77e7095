"""Extraction without a model: each clause of a person's own words is judged, and remembered if a rule knows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from apps.engine.extraction.candidate import Candidate, Extraction, Quote, Refused, Speaker, Utterance
from apps.engine.extraction.clauses import Clause, sentences
from apps.engine.extraction.judgement import Refusal, is_negated, refusal_of
from apps.engine.extraction.occurrence import ends_at, occurred_at
from apps.engine.extraction.own_words import OwnWords, Span, without_middle
from apps.engine.extraction.rules.catalog import RULES, SLOT_OF_OTHERS, SLOT_OF_SELF
from apps.engine.extraction.rules.rule import Reach, Rule
from apps.engine.extraction.slot_phrases import OF_PERSON
from apps.engine.extraction.slots import SlotReader
from apps.engine.extraction.statements import opened, statement_of
from apps.engine.language.sentences import sentence_spans
from apps.engine.language.similarity import normalized
from apps.engine.memory.slots import USER, Slot
from apps.engine.memory.trust import Source

EXTRACTOR = "rules-2"
"""Name of these rules; a later one reads conversations again."""

_SOURCES = {Speaker.SELF: Source.QUOTED, Speaker.MEMBER: Source.OTHER_MEMBER}
_SHORTEST = 8
_CONFIDENCE = 0.8
_LEADING_WORDS = 3
# At each end of a message; what is longer was pasted.
_MOST_READ = 20_000
_LONGEST_CONTEXT, _CONTEXT_SENTENCES = 300, 2


@dataclass(frozen=True, slots=True)
class _Judged:
    """A clause with the reason against it or the rule for it; neither if it says nothing lasting.

    `is_denied`: a rule would hold if the clause were not negated.
    """

    clause: Clause
    refusal: Refusal | None
    rule: Rule | None
    is_denied: bool


def extract(utterances: Iterable[Utterance]) -> Extraction:
    """Find memories in what people say of themselves; assistants, tools and system text are no source.

    >>> message = Utterance("1", 0, Speaker.SELF, "We use Postgres 16 now. Is that fine?")
    >>> [(str(one.category), one.quote.text) for one in extract([message]).candidates]
    [('entities', 'We use Postgres 16 now.')]
    """
    candidates: list[Candidate] = []
    refused: list[Refused] = []
    for utterance in utterances:
        if utterance.speaker not in _SOURCES:
            continue
        own = OwnWords(utterance.text)
        for clauses in sentences(without_middle(own.text, _MOST_READ)):
            judged = _with_slot([_judged(clause, own) for clause in clauses])
            found = list(_candidates(utterance, own, judged))
            candidates.extend(found)
            refused.extend(_refused(utterance, judged, [one.quote.span for one in found]))
    return Extraction(tuple(candidates), tuple(refused))


def is_read_in_part(text: str) -> bool:
    """Whether a message is so long that its middle is not read."""
    return len(text) > 2 * _MOST_READ


def _judged(clause: Clause, own: OwnWords) -> _Judged:
    refusal = Refusal.QUOTED if own.quotes(clause.start, clause.end) else refusal_of(clause)
    rules = [rule for rule in RULES if rule.pattern.search(clause.text)]
    denied = None
    if refusal is None and is_negated(clause):
        denied = rules[0] if rules else None
        rules = [rule for rule in rules if rule.negated]
    return _Judged(clause, refusal, rules[0] if rules else None, denied is not None and not rules)


def _with_slot(judged: list[_Judged]) -> list[_Judged]:
    """The clauses of a sentence, the first one with a rule if only all of them together give a slot.

    So "I'm not at Cobalt any more, I'm at Lumen" is remembered, though each part of it says too little.
    """
    first = judged[0]
    if first.rule or any(one.refusal for one in judged):
        return judged
    slot = SlotReader().read(opened(first.clause.sentence_text))
    if slot and any(SlotReader().read(one.clause.text) for one in judged if one.rule):
        return judged
    if slot is None:
        return judged
    return [replace(first, rule=_rule_of(slot), is_denied=False), *(replace(one, rule=None) for one in judged[1:])]


def _rule_of(slot: Slot) -> Rule:
    return SLOT_OF_SELF if slot.subject == USER and slot.attribute in OF_PERSON else SLOT_OF_OTHERS


def _candidates(utterance: Utterance, own: OwnWords, judged: Iterable[_Judged]) -> Iterator[Candidate]:
    """One candidate for neighboring clauses with the same kind of memory; others in between belong to it."""
    for is_refused, run in groupby(judged, key=lambda one: one.refusal is not None):
        for rule, span in [] if is_refused else _groups(list(run)):
            text = utterance.text[span.start : span.end]
            if len(text) >= _SHORTEST or not text.isascii():
                quote = Quote(utterance.id, utterance.index, span, text)
                yield _candidate(utterance, rule, quote, _context(own.text, span.start))


def _groups(run: Sequence[_Judged]) -> list[tuple[Rule, Span]]:
    """Each independent fact of some neighboring clauses; one without a rule belongs to the fact next to it."""
    groups: list[tuple[Rule, Span]] = []
    for one in run:
        if one.rule is None:
            continue
        if groups and _joins(one, groups[-1][0]):
            rule = one.rule if one.rule.reach is Reach.SENTENCE else groups[-1][0]
            groups[-1] = (rule, Span(groups[-1][1].start, one.clause.end))
        else:
            start = one.clause.start if groups else _beginning(one, one.rule, run)
            groups.append((one.rule, Span(start, one.clause.end)))
    return _with_what_follows(groups, run)


def _joins(one: _Judged, before: Rule) -> bool:
    """Whether a clause continues the fact before it; cause and remedy are one."""
    if one.rule is None or one.rule.reach is Reach.SENTENCE or one.clause.is_consequence:
        return True
    is_alike = one.rule.category is before.category
    return is_alike and (before.reach is Reach.SENTENCE or not one.clause.adds_fact)


def _beginning(first: _Judged, rule: Rule, run: Sequence[_Judged]) -> int:
    """Where the first fact begins: with the clauses that lead to it, but for an answer or a call before it."""
    start = first.clause
    for before in reversed([one.clause for one in run if one.clause.end <= first.clause.start]):
        if (
            (start.is_added and rule.reach is Reach.CLAUSE)
            or not start.continues(before)
            or len(before.text.split()) < _LEADING_WORDS
        ):
            break
        start = before
    return start.start


def _with_what_follows(groups: list[tuple[Rule, Span]], run: Sequence[_Judged]) -> list[tuple[Rule, Span]]:
    """Extend each group to the beginning of the next, the last to the end of the run."""
    starts = [span.start for _, span in groups[1:]]
    ends = [max(one.clause.end for one in run if one.clause.end <= start) for start in starts] + [run[-1].clause.end]
    return [(rule, Span(span.start, end)) for (rule, span), end in zip(groups, ends, strict=False)]


def _context(text: str, start: int) -> str:
    """The two sentences before a place, or their end: what "it" may mean."""
    before = text[max(0, start - _LONGEST_CONTEXT) : start]
    ends = [end for _, end in sentence_spans(before)]
    return normalized(before[ends[-3] :] if len(ends) > _CONTEXT_SENTENCES else before)


def _candidate(utterance: Utterance, rule: Rule, quote: Quote, context: str) -> Candidate:
    speaker = utterance.name if utterance.speaker is Speaker.MEMBER else USER
    until = ends_at(quote.text, utterance.stated_at) if utterance.stated_at else None
    return Candidate(
        category=rule.category,
        statement=statement_of(utterance, quote.text),
        quote=quote,
        source=_SOURCES[utterance.speaker],
        rule=rule.name,
        confidence=_CONFIDENCE,
        # A passing state replaces nothing for good.
        slot=SlotReader(speaker).read(opened(quote.text)) if speaker and not until else None,
        occurred_at=occurred_at(quote.text, utterance.stated_at) if utterance.stated_at else None,
        until=until,
        context=context,
    )


def _refused(utterance: Utterance, judged: Iterable[_Judged], found: Sequence[Span]) -> Iterator[Refused]:
    """What a rule would have remembered; a negated clause can still belong to a memory next to it."""
    for one in judged:
        span = Span(one.clause.start, one.clause.end)
        is_used = any(other.start <= span.start and span.end <= other.end for other in found)
        refusal = Refusal.NEGATED if one.is_denied and not is_used else one.refusal if one.rule else None
        if refusal is not None:
            text = utterance.text[span.start : span.end]
            yield Refused(Quote(utterance.id, utterance.index, span, text), refusal)
