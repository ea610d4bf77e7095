"""Candidates of a conversation, and the counts of a run."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.pagination import Page, page_of
from apps.conversations.selectors.access import own_conversations
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.extraction.records import CandidateRecord, candidate_record

MOST_NEARBY = 500
_STORED = (Outcome.CREATED, Outcome.PROPOSED, Outcome.REPLACED, Outcome.OUTDATED, Outcome.MERGED)
NOTHING_NEW, NOTHING_FOUND = "nothing_new", "nothing_found"


def candidate_list(
    actor: Actor, conversation_id: UUID, *, outcome: str, after: str | None, limit: int
) -> Page[CandidateRecord]:
    """Return a page of candidates in one's own conversation, newest first."""
    if not own_conversations(actor).filter(pk=conversation_id).exists():
        raise NotFound("Conversation not found.")
    rows = ExtractionCandidate.objects.filter(conversation_id=conversation_id).select_related("message")
    rows = rows.filter(outcome=outcome) if outcome else rows
    rows = rows.filter(pk__lt=UUID(after)) if after else rows
    return page_of(rows.order_by("-id")[: limit + 1], limit, candidate_record, lambda row: str(row.id))


def nearby_memories(conversation_id: UUID) -> list[UUID]:
    """Return the ids of the memories that were last found in a conversation."""
    rows = ExtractionCandidate.objects.filter(conversation_id=conversation_id, node__isnull=False).order_by("-id")
    return list(dict.fromkeys(rows.values_list("node_id", flat=True)[:MOST_NEARBY]))


def run_counts(run_id: UUID, *, messages: int) -> dict[str, Any]:
    """Return what a run read and stored, and why it stored nothing if so."""
    rows = ExtractionCandidate.objects.filter(run=run_id)
    outcomes = dict(rows.order_by().values_list("outcome").annotate(Count("id")))
    refused = rows.filter(outcome=Outcome.REFUSED).order_by().values_list("reason").annotate(Count("id"))
    counts = {outcome.value: outcomes.get(outcome.value, 0) for outcome in Outcome}
    reason = "" if any(counts[one.value] for one in _STORED) else NOTHING_FOUND if messages else NOTHING_NEW
    return {"messages": messages, **counts, "refused_because": dict(refused), "reason": reason}
