"""Candidates of a conversation, and the counts of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Count, F
from django.db.models.functions import Substr

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.pagination import Page, page_of
from apps.conversations.selectors.access import own_conversations
from apps.engine.extraction.extract import EXTRACTOR
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.extraction.records import CandidateRecord, candidate_record

MOST_NEARBY = 500
QUOTED = Substr("message__content", F("start") + 1, F("end") - F("start"))
"""The words that a candidate quotes, as an expression: a query with it does not read whole messages."""
STORED = (Outcome.CREATED, Outcome.PROPOSED, Outcome.REPLACED, Outcome.OUTDATED, Outcome.MERGED)
OF_FORGETTING = (Outcome.FORGOTTEN, Outcome.TO_FORGET)
_KNOWN = (Outcome.KNOWN, Outcome.DELETED)


class Reason(StrEnum):
    """Why a run stored nothing."""

    SWITCHED_OFF = "switched_off"
    NOTHING_NEW = "nothing_new"
    ALL_KNOWN = "all_known"
    ALL_REFUSED = "all_refused"
    NOTHING_FOUND = "nothing_found"


REASONS = tuple(reason.value for reason in Reason)


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
    found = ExtractionCandidate.objects.filter(conversation_id=conversation_id, node__isnull=False)
    rows = found.exclude(outcome__in=OF_FORGETTING).order_by("-id")
    return list(dict.fromkeys(rows.values_list("node_id", flat=True)[:MOST_NEARBY]))


def run_counts(run_id: UUID, *, messages: int, at_once: int = 0, off: bool = False) -> dict[str, Any]:
    """Return what a run read and stored, and why it stored nothing if so; `at_once` were stored before it."""
    rows = ExtractionCandidate.objects.filter(run=run_id)
    outcomes = dict(rows.order_by().values_list("outcome").annotate(Count("id")))
    refused = rows.filter(outcome=Outcome.REFUSED).order_by().values_list("reason").annotate(Count("id"))
    counts = {outcome.value: outcomes.get(outcome.value, 0) for outcome in Outcome if outcome not in OF_FORGETTING}
    counts[Outcome.KNOWN.value] += at_once
    reason = Reason.SWITCHED_OFF if off else _reason(counts, messages)
    return {"messages": messages, **counts, "refused_reasons": dict(refused), "reason": reason}


def _reason(counts: Mapping[str, int], messages: int) -> str:
    if any(counts[outcome] for outcome in STORED):
        return ""
    if not messages:
        return Reason.NOTHING_NEW
    if any(counts[outcome] for outcome in _KNOWN):
        return Reason.ALL_KNOWN
    return Reason.ALL_REFUSED if counts[Outcome.REFUSED] else Reason.NOTHING_FOUND


def read_spans(message_ids: Collection[UUID]) -> dict[UUID, list[tuple[int, int]]]:
    """Return, by message, the words that the reader found before, refused ones too."""
    rows = ExtractionCandidate.objects.filter(message_id__in=message_ids, extractor=EXTRACTOR)
    spans: dict[UUID, list[tuple[int, int]]] = defaultdict(list)
    for message_id, start, end in rows.values_list("message_id", "start", "end"):
        spans[message_id].append((start, end))
    return spans
