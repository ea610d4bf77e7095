"""The outcome of a message's request to forget."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from apps.engine.pack.offline_reply import forget_notice
from apps.extraction.models import ExtractionCandidate, Outcome


def forget_notice_for(message_id: UUID) -> str:
    """Say what became of a message's request to forget; empty without one."""
    outcomes = ExtractionCandidate.objects.filter(message_id=message_id).values_list("outcome", flat=True)
    counts = Counter(outcomes)
    return forget_notice(forgotten=counts[Outcome.FORGOTTEN], to_choose=counts[Outcome.TO_FORGET])
