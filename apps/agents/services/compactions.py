"""An agent's own compaction: its summary is stored and compared with ours, and what it lost is recorded."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.compaction.selectors.contexts import context_state
from apps.conversations.models import Message, MessageRole
from apps.conversations.records import engine_messages
from apps.engine.policy import Level
from apps.engine.summary.extractive import summarize
from apps.engine.summary.foreign_summary import compare
from apps.engine.summary.rolling_summary import RollingSummary

LONGEST_SUMMARY = 20_000
_NEWEST = 100
_SPOKEN = (MessageRole.USER, MessageRole.ASSISTANT)


def summary_of_session(conversation_id: UUID) -> RollingSummary:
    """The rolling summary with what the messages since then settle, so that it covers the whole session."""
    state = context_state(conversation_id)
    rows = Message.objects.filter(
        conversation_id=conversation_id, excluded=False, compacted_in__isnull=True, role__in=_SPOKEN
    )
    newest = list(rows.exclude(content="").order_by("-index")[:_NEWEST])[::-1]
    return summarize(state.summary, engine_messages(newest), Level.LIGHT, policy_for_workspace())


def compaction_details(conversation_id: UUID, summary: str) -> dict[str, Any]:
    """What an observation stores of the agent's summary, which has been cleaned."""
    if not summary:
        return {}
    comparison = compare(summary_of_session(conversation_id), summary)
    return {"summary": summary[:LONGEST_SUMMARY], **comparison.to_json()}
