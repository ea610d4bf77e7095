"""The material of a conversation's archive: its rolling summary, or else its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from apps.compaction.selectors.contexts import context_state
from apps.conversations.models import Conversation, Message
from apps.conversations.records import engine_messages
from apps.engine.extraction.session_overview import SessionOverview, messages_overview, summary_overview
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import RollingSummary
from apps.extraction.selectors.switches import learning_of

_FIRST_MESSAGES, _NEWEST_MESSAGES = 10, 200


@dataclass(frozen=True, slots=True)
class SessionMaterial:
    """What the overview is made of; `state_version` is the conversation's when it was read."""

    title: str
    summary: RollingSummary
    private_ids: frozenset[str]
    messages: Sequence[EngineMessage]
    state_version: int

    def overview(self, policy: Policy) -> SessionOverview:
        if self.summary:
            return summary_overview(self.title, self.summary, self.private_ids)
        return messages_overview(self.title, self.messages, policy)


def session_material(conversation_id: UUID, policy: Policy) -> SessionMaterial | None:
    """Read a conversation; None if it has no archive."""
    row = Conversation.objects.filter(pk=conversation_id).first()
    if row is None or learning_of(row, policy).off_by:
        return None
    messages = Message.objects.filter(conversation_id=conversation_id, excluded=False)
    private = messages.filter(content__iregex=r"<\s{0,5}private").values_list("pk", flat=True)
    summary = context_state(conversation_id).summary
    return SessionMaterial(
        title=row.title or f"Conversation of {row.created_at.date().isoformat()}",
        summary=summary,
        private_ids=frozenset(map(str, private)) if summary else frozenset(),
        messages=() if summary else _first_and_newest(messages),
        state_version=row.state_version,
    )


def _first_and_newest(messages: QuerySet[Message]) -> Sequence[EngineMessage]:
    first = list(messages.order_by("index")[:_FIRST_MESSAGES])
    newest = list(messages.order_by("-index")[:_NEWEST_MESSAGES])
    rows = {row.id: row for row in (*first, *reversed(newest))}
    return engine_messages(sorted(rows.values(), key=lambda row: row.index))
