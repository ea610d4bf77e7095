"""Candidates of a run that a signal made memories of already, when their message was stored."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from apps.engine.extraction.candidate import Extraction, Quote
from apps.engine.extraction.union import is_mostly_within
from apps.extraction.selectors.candidates import signaled_spans


def without_signaled(found: Extraction, read: Collection[str]) -> tuple[Extraction, int]:
    """Leave out other messages, and what was remembered for a signal already, whose number is returned too."""
    spans = signaled_spans([UUID(message_id) for message_id in read])

    def is_new(quote: Quote) -> bool:
        return not is_mostly_within(quote, spans.get(UUID(quote.message_id), ()))

    candidates = [one for one in found.candidates if one.quote.message_id in read]
    refused = [one for one in found.refused if one.quote.message_id in read]
    new = Extraction(
        tuple(one for one in candidates if is_new(one.quote)), tuple(one for one in refused if is_new(one.quote))
    )
    return new, len(candidates) - len(new.candidates)
