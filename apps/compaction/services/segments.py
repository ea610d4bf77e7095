"""Segment summaries of a conversation's history: written once, never out of date, never waited for.

A text is extractive at first and may be rewritten by a model later. A segment that a message leaves or enters
loses its text in the same transaction. Lock order: the conversation's row, then the job's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.utils import timezone

from apps.common.tenancy import current_workspace_id, use_index_order
from apps.compaction.models import SegmentSummary
from apps.compaction.selectors.segments import (
    Material,
    material_of,
    newest_closed,
    segment_of,
    segment_texts,
    segments_at,
    segments_to_close,
)
from apps.compaction.services.summarizer import readable
from apps.compaction.summarizers.segment_prompt import PROMPT_VERSION
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock
from apps.engine.compaction.segments import NOTHING, SEGMENT_MESSAGES, SEGMENT_TOKENS, Segment, SegmentText
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest, digest_again
from apps.jobs.services import job_request
from apps.llm.providers.offline import OFFLINE_MODEL

KIND = "segments"
AT_ONCE = 10
"""Segments that may be summarized while a pack is built. More than that is a backlog, which no model reads."""
MODEL_TRIES = 3

_EMPTY = """
UPDATE compaction_segmentsummary
SET text = '', source_hash = '', model = '', tries_left = %(tries)s, updated_at = statement_timestamp()
WHERE source_hash <> '' AND id IN (
    SELECT affected.id FROM unnest(%(indexes)s::int[]) AS changed (place), generate_series(1, 3) AS of_level
    CROSS JOIN LATERAL (
        SELECT id, last_index FROM compaction_segmentsummary
        WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s
            AND level = of_level AND first_index <= changed.place
        ORDER BY first_index DESC LIMIT 1
    ) AS affected
    WHERE affected.last_index >= changed.place
)
"""


def segments_schedule_if_due(*, conversation: Conversation, policy: Policy) -> None:
    """Schedule the job if a segment can be closed; called whenever messages are stored. At most one short read."""
    if policy.engine_enabled and _may_close(conversation):
        _request(conversation.id, policy, in_s=policy.compaction_debounce_s)


def segments_invalidate(*, conversation_id: UUID, indexes: Collection[int], policy: Policy) -> None:
    """Clear the texts of all segments that contain one of these messages, which were excluded or included again.

    Runs in the transaction of the change; the caller has locked the conversation's row.
    """
    values = {
        "workspace": current_workspace_id(),
        "conversation": conversation_id,
        "indexes": sorted(indexes),
        "tries": MODEL_TRIES if len(indexes) <= AT_ONCE else 0,
    }
    with use_index_order(), connection.cursor() as cursor:
        cursor.execute(_EMPTY, values)
        emptied = cursor.rowcount > 0
    if emptied and policy.engine_enabled:
        _request(conversation_id, policy, in_s=policy.compaction_debounce_s)


def segments_for_pack(
    *, conversation: Conversation, before: int, most: int, policy: Policy
) -> dict[Segment, SegmentText]:
    """Of each level the newest `most` segments that begin before the index `before`, those without a text too.

    A few of the nearest missing ones are closed and summarized immediately, without a model; a job does the rest.
    """
    if not policy.engine_enabled:
        return {}
    told = segment_texts(conversation.id, before=before, most=most)
    if closed := _close_on_the_spot(conversation.id, told, before):
        told = segment_texts(conversation.id, before=before, most=most)
    missing = [node.segment for node in told.values() if not node.text and node.last < before]
    made = _told_on_the_spot(conversation.id, missing, told, policy)
    if closed or missing or _open_before(told, before) >= SEGMENT_MESSAGES:
        _request(conversation.id, policy)
    return told | made


def segments_close(*, conversation_id: UUID, most: int) -> bool:
    """Close the segments that the next `most` messages complete; return whether more may follow. The row is locked."""
    rows, more = segments_to_close(conversation_id, most=most)
    few = sum(row.level == 1 for row in rows) <= AT_ONCE
    for row in rows:
        row.tries_left = MODEL_TRIES if few else 0
    SegmentSummary.objects.bulk_create(rows, batch_size=500)
    return more


def segment_store(*, material: Material, text: str) -> None:
    """Store a segment's first text unless it has one. The caller has checked that its sources are unchanged."""
    SegmentSummary.objects.filter(pk=material.row_id, source_hash="").update(
        text=text,
        source_hash=material.source_hash,
        prompt_version=PROMPT_VERSION,
        model=OFFLINE_MODEL,
        tries_left=F("tries_left") if text != NOTHING else 0,
        updated_at=timezone.now(),
    )


def segment_text_of(material: Material, policy: Policy) -> str:
    """Without a model."""
    if material.segment.level > 1:
        return digest_again(material.texts, material.target) or NOTHING
    return digest([readable(message, policy) for message in material.messages], material.target, policy) or NOTHING


def _may_close(conversation: Conversation) -> bool:
    """Whether there are enough messages since the last closed one. A short conversation needs no read."""
    if conversation.message_count < SEGMENT_MESSAGES and conversation.token_total < SEGMENT_TOKENS:
        return False
    newest = next(iter(newest_closed(conversation.id)), None)
    count = conversation.message_count - (newest.last_index + 1 if newest else 0)
    tokens = conversation.token_total - (newest.tokens_through if newest else 0)
    return count >= SEGMENT_MESSAGES or tokens >= SEGMENT_TOKENS


def _close_on_the_spot(conversation_id: UUID, told: dict[Segment, SegmentText], before: int) -> bool:
    """Close what can be before the index, if that is not much; the row is locked only when something can."""
    count = _open_before(told, before)
    if not 0 < count <= AT_ONCE * SEGMENT_MESSAGES or not segments_to_close(conversation_id, most=count)[0]:
        return False
    conversation_lock(conversation_id)
    segments_close(conversation_id=conversation_id, most=count)
    return True


def _open_before(told: dict[Segment, SegmentText], before: int) -> int:
    """How many messages before the index belong to no closed segment."""
    ends = (node.last + 1 for segment, node in told.items() if segment.level == 1)
    return max(0, before - max(ends, default=0))


def _told_on_the_spot(
    conversation_id: UUID, missing: Collection[Segment], told: dict[Segment, SegmentText], policy: Policy
) -> dict[Segment, SegmentText]:
    """The nearest of level 1, as many as can be read within a request."""
    nearest = sorted((segment for segment in missing if segment.level == 1), reverse=True)[:AT_ONCE]
    if not nearest:
        return {}
    conversation_lock(conversation_id)
    made: dict[Segment, SegmentText] = {}
    room = policy.max_compaction_tokens
    for row in segments_at(conversation_id, nearest):
        material = material_of(row)
        if material is None or room <= 0:
            break
        room -= material.tokens
        text = segment_text_of(material, policy)
        segment_store(material=material, text=text)
        made[segment_of(row)] = replace(told[segment_of(row)], text=text)
    return made


def _request(conversation_id: UUID, policy: Policy, *, in_s: float = 0) -> None:
    now = timezone.now()
    job_request(
        workspace_id=current_workspace_id(),
        kind=KIND,
        key=str(conversation_id),
        due_at=now + timedelta(seconds=in_s),
        deadline_at=now + timedelta(seconds=policy.compaction_max_wait_s),
    )
