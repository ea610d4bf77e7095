"""Candidates that the reader found in their message before."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from apps.engine.extraction.candidate import Extraction, Quote
from apps.extraction.selectors.candidates import read_spans

_MOST_SHARED = 0.5


def without_read(found: Extraction, read: Collection[str], *, by_reader: bool = True) -> tuple[Extraction, int]:
    """Leave out other messages, and what the reader found in them before, whose number is returned too.

    What a model claims is left in: the tree compares it with what was remembered of the same words.
    """
    spans = read_spans([UUID(message_id) for message_id in read]) if by_reader else {}

    def is_new(quote: Quote) -> bool:
        return quote.message_id in read and not is_mostly_within(quote, spans.get(UUID(quote.message_id), ()))

    new = Extraction(
        tuple(one for one in found.candidates if is_new(one.quote)),
        tuple(one for one in found.refused if is_new(one.quote)),
        tuple(one for one in found.forgets if one.message_id in read),
        found.unretrievable.intersection(read),
    )
    of_messages = sum(one.quote.message_id in read for one in found.candidates)
    return new, of_messages - len(new.candidates)


def is_mostly_within(quote: Quote, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether spans of its message, which don't overlap, have more than half of a quote.

    >>> from apps.engine.extraction.own_words import Span
    >>> quote = Quote("1", 0, Span(10, 20), "-")
    >>> is_mostly_within(quote, [(0, 12), (15, 30)]), is_mostly_within(quote, [(0, 12)])
    (True, False)
    """
    first, last = quote.span.start, quote.span.end
    shared = sum(max(0, min(last, end) - max(first, start)) for start, end in spans)
    return shared > _MOST_SHARED * (last - first)
