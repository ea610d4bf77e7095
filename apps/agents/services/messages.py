"""Messages of an agent's session: prompts, replies, and tool calls with their results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession
from apps.conversations.limits import LONGEST_CONTENT, LONGEST_NAME
from apps.conversations.models import Conversation
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.events import conversation_announce
from apps.conversations.services.messages import Appended
from apps.engine.language.excerpt import shortened
from apps.engine.messages.message import Part, PartKind, Role
from apps.engine.messages.tool_digest import LONGEST_RESULT, LONGEST_SUMMARY, result_digest
from apps.turns.services.messages import messages_store

_CALL, _RESULT = "call-", "result-"
LONGEST_CALL_ID = 40
_LONGEST_TEXT = LONGEST_CONTENT // 4


def text_store(actor: Actor, session: AgentSession, role: Role, text: str, key: str, at: datetime) -> Appended:
    """Store a prompt or a reply once."""
    content = shortened(text, f"[… shortened, {len(text)} characters in all …]", _LONGEST_TEXT)
    draft = MessageDraft(role.value, content, external_id=key, created_at=at)
    return _store(actor, session, [draft])


def tool_exchange_store(
    actor: Actor, session: AgentSession, name: str, texts: tuple[str, str], key: str, at: datetime
) -> Appended:
    """Store a tool's call and result, which belong together, once; `texts` are the input and the whole result."""
    call_id, name = key.partition(":")[2][-LONGEST_CALL_ID:], name[:LONGEST_NAME]
    given, result = texts
    call = Part(PartKind.TOOL_CALL, given, call_id, name)
    text = result_digest(result)
    summary = result_digest(result, LONGEST_SUMMARY) if len(result) > LONGEST_SUMMARY else ""
    answer = Part(PartKind.TOOL_RESULT, text[:LONGEST_RESULT], call_id, name, summary)
    drafts = [
        MessageDraft(Role.ASSISTANT.value, "", parts=(call,), external_id=call_name(key), created_at=at),
        MessageDraft(Role.TOOL.value, "", parts=(answer,), external_id=f"{_RESULT}{key}", created_at=at),
    ]
    return _store(actor, session, drafts)


def call_name(key: str) -> str:
    """The external id of the message with the call that an event of this key brought."""
    return f"{_CALL}{key}"


def exchange_key(external_id: str) -> str:
    """The key of the event that a tool's call or result came from; empty for other messages.

    >>> exchange_key("call-tool:t1"), exchange_key("prompt:p1")
    ('tool:t1', '')
    """
    prefix = next((prefix for prefix in (_CALL, _RESULT) if external_id.startswith(prefix)), "")
    return external_id.removeprefix(prefix) if prefix else ""


def _store(actor: Actor, session: AgentSession, drafts: Sequence[MessageDraft]) -> Appended:
    _unarchive(session)
    return messages_store(actor, conversation_id=session.conversation_id, drafts=drafts, at_once=False)


def _unarchive(session: AgentSession) -> None:
    """A session that goes on is no longer put away."""
    if not Conversation.objects.filter(pk=session.conversation_id, archived_at__isnull=False).exists():
        return
    conversation = conversation_lock(session.conversation_id)
    conversation.archived_at = None
    conversation.version += 1
    conversation.save(update_fields=["archived_at", "version", "updated_at"])
    conversation_announce(conversation_id=conversation.id)
