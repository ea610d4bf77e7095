"""One list of what rules and a model found: of the same words, one candidate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from apps.engine.extraction.candidate import Candidate, Extraction, Quote, Refused
from apps.engine.memory.trust import is_low, trust_of

_SAME_WORDS = 0.5


def united(rules: Extraction, judged: Iterable[Candidate | Refused]) -> Extraction:
    """Unite the rules' candidates with a model's judged ones, in the order of their words.

    A model's statement of the same words takes the rules' place, with their slot if it has none, unless its words are
    not the person's, and the rules' are.
    """
    claims = list(dict.fromkeys(judged))
    found = [
        _with_slot(one, rules.candidates)
        for one in claims
        if isinstance(one, Candidate) and not _is_surpassed(one, rules.candidates)
    ]
    others = [one for one in rules.candidates if not _is_among(one.quote, found)]
    refused = [one for one in claims if isinstance(one, Refused)]
    refused += [one for one in rules.refused if not _is_among(one.quote, found)]
    candidates = sorted([*found, *others], key=lambda one: (one.quote.index, one.quote.span.start))
    return Extraction(tuple(candidates), tuple(refused))


def _is_surpassed(one: Candidate, rules: Sequence[Candidate]) -> bool:
    same = (other for other in rules if shares_words(one.quote, other.quote))
    return is_low(trust_of(one.source)) and any(not is_low(trust_of(other.source)) for other in same)


def _with_slot(claim: Candidate, rules: Sequence[Candidate]) -> Candidate:
    """The claim with the slot that the rules found in its words, if it states the value."""
    if claim.slot:
        return claim
    slots = (one.slot for one in rules if one.slot and shares_words(one.quote, claim.quote))
    stated = [slot for slot in slots if slot.value.casefold() in claim.statement.casefold()]
    return replace(claim, slot=stated[0]) if len(stated) == 1 else claim


def _is_among(quote: Quote, found: Sequence[Candidate]) -> bool:
    return any(shares_words(quote, one.quote) for one in found)


def shares_words(one: Quote, other: Quote) -> bool:
    """Whether two quotes have half of the shorter one in common.

    >>> from apps.engine.extraction.own_words import Span
    >>> quotes = [Quote("1", 0, Span(start, start + 10), "-") for start in (0, 4, 8)]
    >>> shares_words(quotes[0], quotes[1]), shares_words(quotes[0], quotes[2])
    (True, False)
    """
    if one.message_id != other.message_id:
        return False
    first, second = one.span, other.span
    shared = min(first.end, second.end) - max(first.start, second.start)
    return shared > 0 and shared >= _SAME_WORDS * min(first.end - first.start, second.end - second.start)


def is_mostly_within(quote: Quote, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether spans of its message, which don't overlap, have more than half of a quote.

    >>> from apps.engine.extraction.own_words import Span
    >>> quote = Quote("1", 0, Span(10, 20), "-")
    >>> is_mostly_within(quote, [(0, 12), (15, 30)]), is_mostly_within(quote, [(0, 12)])
    (True, False)
    """
    first, last = quote.span.start, quote.span.end
    shared = sum(max(0, min(last, end) - max(first, start)) for start, end in spans)
    return shared > _SAME_WORDS * (last - first)
