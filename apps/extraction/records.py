"""Candidates as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.extraction.models import ExtractionCandidate, Outcome

OUTCOMES = tuple((outcome.value, outcome.value) for outcome in Outcome)


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """Words of a message and what became of them; `end` is the index of the character after the last."""

    id: UUID
    message_id: UUID
    index: int
    start: int
    end: int
    quote: str
    category: str
    rule: str
    outcome: str
    reason: str
    memory_id: UUID | None
    created_at: datetime


def candidate_record(row: ExtractionCandidate) -> CandidateRecord:
    return CandidateRecord(
        id=row.id,
        message_id=row.message_id,
        index=row.message.index,
        start=row.start,
        end=row.end,
        quote=row.message.content[row.start : row.end],
        category=row.category,
        rule=row.rule,
        outcome=row.outcome,
        reason=row.reason,
        memory_id=row.node_id,
        created_at=row.created_at,
    )
