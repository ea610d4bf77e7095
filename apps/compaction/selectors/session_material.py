"""The material of a conversation's archive: its rolling summary, or else its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.common.secrets.redaction import redacted_texts
from apps.compaction.selectors.contexts import context_state
from apps.compaction.selectors.session_archives import archive_is_allowed
from apps.conversations.models import Conversation, Message
from apps.conversations.records import engine_messages
from apps.engine.extraction.sessions.overview import (
    SessionOverview,
    Withheld,
    messages_overview,
    summary_overview,
)
from apps.engine.extraction.titles import is_title_of, public_title
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import RollingSummary
from apps.extraction.selectors.unread import never_read

_FIRST_MESSAGES, _NEWEST_MESSAGES = 10, 200


@dataclass(frozen=True, slots=True)
class SessionMaterial:
    """What the overview is made of; `state_version` is the conversation's when it was read, and `is_shared` whether
    others could ever write in it."""

    title: str
    summary: RollingSummary
    withheld: Withheld
    messages: Sequence[EngineMessage]
    state_version: int
    is_shared: bool

    def overview(self, policy: Policy) -> SessionOverview:
        if self.summary:
            return summary_overview(self.title, self.summary, self.withheld, is_shared=self.is_shared)
        return messages_overview(self.title, self.messages, policy, self.withheld, is_shared=self.is_shared)


def session_material(conversation_id: UUID, policy: Policy) -> SessionMaterial | None:
    """Read a conversation without messages stored while nothing was learned; None if it has no archive."""
    row = Conversation.objects.filter(pk=conversation_id).first()
    if row is None or not archive_is_allowed(row, policy):
        return None
    messages, off = Message.objects.filter(conversation_id=conversation_id), never_read(conversation_id)
    read, found = messages.filter(excluded=False).exclude(off), context_state(conversation_id).summary
    cited = messages.filter(pk__in={source for _, entry in found.entries() for source in entry.sources})
    private, unread = _ids(cited.filter(content__iregex=r"<\s{0,5}private")), _ids(cited.filter(off))
    summary = _from_read(found, unread)
    return SessionMaterial(
        title=_title(row, messages.filter(Q(excluded=True) | off)),
        summary=summary,
        withheld=Withheld(redacted_texts, private, unread),
        messages=() if summary else _first_and_newest(read),
        state_version=row.state_version,
        is_shared=row.others_could_write,
    )


def _title(row: Conversation, hidden: QuerySet[Message]) -> str:
    """The title, or the date if it has none or the beginning of a hidden message."""
    first = hidden.order_by("index").values_list("content", flat=True)[:_FIRST_MESSAGES]
    title = "" if any(is_title_of(row.title, content) for content in first) else public_title(row.title)
    return title or f"Conversation of {row.created_at.date().isoformat()}"


def _ids(messages: QuerySet[Message]) -> frozenset[str]:
    return frozenset(map(str, messages.values_list("pk", flat=True)))


def _from_read(summary: RollingSummary, unread: frozenset[str]) -> RollingSummary:
    """The summary, or an empty one if all its lines cite messages that are never read."""
    has_lines = any(unread.isdisjoint(entry.sources) for _, entry in summary.entries())
    return summary if has_lines else RollingSummary()


def _first_and_newest(messages: QuerySet[Message]) -> Sequence[EngineMessage]:
    first = list(messages.order_by("index")[:_FIRST_MESSAGES])
    newest = list(messages.order_by("-index")[:_NEWEST_MESSAGES])
    rows = {row.id: row for row in (*first, *reversed(newest))}
    return engine_messages(sorted(rows.values(), key=lambda row: row.index))
