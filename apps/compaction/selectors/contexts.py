"""Reads of the current summary, its versions and the compaction runs."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.pagination import Page, page_of
from apps.common.reads import fetch_row
from apps.common.tenancy import current_workspace_id
from apps.compaction.models import UNFINISHED, CompactionRun, ConversationContext, SummaryVersion, VersionCause
from apps.compaction.records import (
    RunRecord,
    SummaryRecord,
    VersionRecord,
    run_record,
    summary_record,
    version_record,
)
from apps.conversations.models import Conversation, Message
from apps.conversations.selectors.access import conversation_access
from apps.engine.compaction.preservation import preservation_ratio
from apps.engine.summary.carry_over import RemovalReason
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json, summary_to_json, without_sources
from apps.memory.selectors.pins import pin_tokens_outside_live

_STATE = """
SELECT context.version, context.rolling_summary::text, context.summary_tokens, context.compaction_count,
    context.paused_below, present.covers_through
FROM conversation_context AS context LEFT JOIN compaction_summaryversion AS present
    ON present.workspace_id = %(workspace)s AND present.conversation_id = context.conversation_id
    AND present.version = context.version
WHERE context.workspace_id = %(workspace)s AND context.conversation_id = %(conversation)s
"""

_DROPPED = """
SELECT line ->> 'field', count(*)
FROM compaction_summaryversion AS version CROSS JOIN LATERAL jsonb_array_elements(version.removed) AS line
WHERE version.workspace_id = %s AND version.conversation_id = %s AND version.version <= %s
    AND NOT version.undone AND line ->> 'reason' = %s
GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class ContextState:
    """The rolling summary with its version, how often the conversation was compacted, and the rest after an undo.

    `covers_through` is the index of the newest compacted message.
    """

    version: int
    summary: RollingSummary
    summary_tokens: int
    compaction_count: int
    paused_below: int | None = None
    covers_through: int | None = None


@dataclass(frozen=True, slots=True)
class Recall:
    """The summary with restored lines, and the messages that it then covers again."""

    summary: RollingSummary
    restored_ids: frozenset[UUID]


def context_state(conversation_id: UUID) -> ContextState:
    """The present state; a conversation that was never compacted has version 0 and an empty summary."""
    row = fetch_row(_STATE, conversation=conversation_id)
    if row is None:
        return ContextState(0, RollingSummary(), 0, 0)
    version, summary, *counts = row
    return ContextState(version, summary_from_json(json.loads(summary)), *counts)


def paused_below(conversation_id: UUID) -> int | None:
    """The live tokens below which automatic compaction pauses after an undo; None if it is not paused."""
    rows = ConversationContext.objects.filter(conversation_id=conversation_id)
    return rows.values_list("paused_below", flat=True).first()


def summary_at(conversation_id: UUID, version: int) -> RollingSummary:
    """The summary as a version stored it; version 0 is empty."""
    row = SummaryVersion.objects.filter(conversation_id=conversation_id, version=version).first()
    return summary_from_json(row.rolling_summary) if row else RollingSummary()


def summary_get(actor: Actor, conversation_id: UUID, version: int | None = None) -> SummaryRecord:
    """The summary now, or as a version stored it."""
    conversation_access(actor, conversation_id)
    rows = SummaryVersion.objects.filter(conversation_id=conversation_id)
    row = (rows.order_by("-version") if version is None else rows.filter(version=version)).first()
    if row is not None:
        return summary_record(row, lines_dropped(conversation_id, row.version))
    if version:
        raise NotFound("Summary version not found.")
    return SummaryRecord(0, "", summary_to_json(RollingSummary()), 0, None, None)


def lines_dropped(conversation_id: UUID, version: int) -> dict[str, int]:
    """Count, by field, the lines that versions up to this one removed because their field was full."""
    values = [current_workspace_id(), conversation_id, version, RemovalReason.LIMIT.value]
    with connection.cursor() as cursor:
        cursor.execute(_DROPPED, values)
        return dict(cursor.fetchall())


def version_list(actor: Actor, conversation_id: UUID, *, after: str | None, limit: int) -> Page[VersionRecord]:
    """The newest first; `after` is the version of the last one seen."""
    conversation_access(actor, conversation_id)
    rows = SummaryVersion.objects.filter(conversation_id=conversation_id).defer("rolling_summary", "removed")
    if after:
        rows = rows.filter(version__lt=int(after))
    found = list(rows.order_by("-version")[: limit + 1])
    made = CompactionRun.objects.filter(conversation_id=conversation_id, version__in=[row.version for row in found])
    runs = {run.version: run for run in made}
    return page_of(found, limit, lambda row: version_record(row, runs.get(row.version)), lambda row: str(row.version))


def run_list(actor: Actor, conversation_id: UUID, *, after: str | None, limit: int) -> Page[RunRecord]:
    """The newest first; `after` is the id of the last one seen."""
    conversation_access(actor, conversation_id)
    rows = CompactionRun.objects.filter(conversation_id=conversation_id)
    if after:
        rows = rows.filter(pk__lt=UUID(after))
    return page_of(rows.order_by("-id")[: limit + 1], limit, run_record, lambda row: str(row.id))


def run_get(actor: Actor, conversation_id: UUID, run_id: UUID) -> RunRecord:
    conversation_access(actor, conversation_id)
    row = CompactionRun.objects.filter(conversation_id=conversation_id, pk=run_id).first()
    if row is None:
        raise NotFound("Compaction not found.")
    return run_record(row)


def run_is_unfinished(conversation_id: UUID) -> bool:
    """Whether a run waits, runs, or is to be tried again."""
    return CompactionRun.objects.filter(UNFINISHED, conversation_id=conversation_id).exists()


def excluded_among(conversation_id: UUID, summary: RollingSummary) -> frozenset[str]:
    """Which of the messages that the summary's lines came from are left out now."""
    sources = {source for _, entry in summary.entries() for source in entry.sources}
    rows = Message.objects.filter(conversation_id=conversation_id, pk__in=sources, excluded=True)
    return frozenset(str(pk) for pk in rows.values_list("pk", flat=True))


def summary_recallable(conversation_id: UUID, message_ids: Collection[UUID]) -> Recall | None:
    """What taking these messages in again brings back; empty where the summary changed otherwise since."""
    present = SummaryVersion.objects.filter(conversation_id=conversation_id).order_by("-version").first()
    if present is None or present.cause != VersionCause.EXCLUSION:
        return None
    now, before = summary_from_json(present.rolling_summary), summary_at(conversation_id, present.version - 1)
    excluded = excluded_among(conversation_id, before)
    if without_sources(before, excluded) != now:
        return None
    back = without_sources(before, excluded - {str(message_id) for message_id in message_ids})
    restored_ids = _sources(back) - _sources(now)
    return Recall(back, restored_ids.intersection(message_ids)) if restored_ids else None


def _sources(summary: RollingSummary) -> frozenset[UUID]:
    return frozenset(UUID(source) for _, entry in summary.entries() for source in entry.sources)


def context_tokens(conversation: Conversation, summary_tokens: int) -> int:
    """Tokens of the union of pins, summary and live messages."""
    return pin_tokens_outside_live(conversation.id) + summary_tokens + conversation.live_tokens


def ratio_of(conversation: Conversation, summary_tokens: int) -> float:
    """The preservation ratio now, in percent."""
    return preservation_ratio(context_tokens(conversation, summary_tokens), conversation.included_tokens)
