"""Texts that an agent is given when its session starts, and after it compacted itself."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.agents.clients.answers import TEXT_BYTES
from apps.agents.selectors.instructions import already_read
from apps.agents.selectors.observations import tool_lines
from apps.agents.selectors.sessions import session_of_conversation
from apps.agents.services.compactions import summary_of_session
from apps.context.services.injection import ContextLimits, session_context
from apps.conversations.models import Message, MessageRole
from apps.engine.language.text_sizes import json_size
from apps.engine.pack.after_compaction import SessionState, after_compaction
from apps.engine.pack.injection import NOTICE
from apps.engine.summary.rendering import BETWEEN_SECTIONS
from apps.memory.selectors.pins import pins_for_pack

TOKEN_BUDGET = 4_000
_LEAST_REST = 1_000
_MOST_SAYINGS = 200


def start_context(
    actor: Actor, conversation_id: UUID, *, max_bytes: int = TEXT_BYTES, is_compacted: bool = False
) -> str:
    """What is known about the actor, in the sections of a new session's context."""
    limits = ContextLimits(TOKEN_BUDGET, max_bytes, json_size)
    read = already_read(session_of_conversation(conversation_id), is_compacted=is_compacted)
    return session_context(actor, limits=limits, session=str(conversation_id), read=read).injection.text


def compacted_context(actor: Actor, conversation_id: UUID) -> str:
    """What a compaction may have lost, then as much of what is known about the actor as there is room for."""
    session = session_of_conversation(conversation_id)
    if session is None or not policy_for_workspace().engine_enabled:
        return ""
    rows = Message.objects.filter(conversation_id=conversation_id, excluded=False, role=MessageRole.USER)
    sayings = list(rows.order_by("-index").values_list("content", flat=True)[:_MOST_SAYINGS])[::-1]
    summary, pins = summary_of_session(conversation_id), pins_for_pack(conversation_id)
    is_shared = session.conversation.others_could_write
    text = after_compaction(SessionState(pins, summary, sayings, tool_lines(session), is_shared), TEXT_BYTES)
    left = TEXT_BYTES - json_size(f"{text}{BETWEEN_SECTIONS}")
    known = ""
    if left >= _LEAST_REST:
        known = start_context(actor, conversation_id, max_bytes=left, is_compacted=True)
    return BETWEEN_SECTIONS.join(part for part in (text, known.removeprefix(NOTICE).strip() if text else known) if part)
