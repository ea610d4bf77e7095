"""A conversation after the segment job: every segment is closed and summarized."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.compaction.models import SegmentSummary
from apps.compaction.selectors.segments import material_of, segments_without_text
from apps.compaction.services.segments import segment_store, segment_text_of, segments_close
from apps.conversations.selectors.access import conversation_lock
from tests.conversations.long_conversations import huge_talk

PAGE = 2_000


def summarized_conversation(actor: Actor, messages: int) -> UUID:
    """Create a `huge_talk`, summarized by the job's services."""
    talk = huge_talk(actor, messages)
    with workspace(actor.workspace_id):
        conversation_lock(talk)
        while segments_close(conversation_id=talk, most=PAGE):
            pass
        _summarize(talk)
    return talk


def segments_made(actor: Actor, talk: UUID) -> int:
    """Return the number of segments with a summary."""
    with workspace(actor.workspace_id):
        return SegmentSummary.objects.filter(conversation_id=talk).exclude(text="").count()


def _summarize(talk: UUID) -> None:
    """Store one text per level: all messages are alike, and computing every summary would take minutes."""
    policy, texts = policy_for_workspace(), dict[int, str]()
    while rows := segments_without_text(talk, PAGE):
        for material in filter(None, map(material_of, rows)):
            level = material.segment.level
            if level not in texts:
                texts[level] = segment_text_of(material, policy)
            segment_store(material=material, text=texts[level])
