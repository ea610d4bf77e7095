"""Texts that an agent is given: what is known when its session starts, and what is retrieved for a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.context.services.injection import ContextLimits, session_context
from apps.conversations.models import Message, MessageRole
from apps.engine.language.text_sizes import json_size
from apps.engine.pack.after_compaction import SessionState, after_compaction
from apps.engine.pack.injection import NOTICE
from apps.engine.summary.rendering import BETWEEN_SECTIONS, quoted_from
from apps.hooks.dialects.answers import TEXT_BYTES
from apps.hooks.selectors.observations import tool_lines
from apps.hooks.selectors.sessions import session_of_conversation
from apps.hooks.services.compactions import summary_of_session
from apps.memory.records.search import Hit
from apps.memory.selectors.pins import pins_for_pack
from apps.memory.services.accesses import accesses_add

TOKEN_BUDGET = 4_000
_LEAST_REST = 1_000
_MOST_SAYINGS = 200


def start_context(actor: Actor, conversation_id: UUID, *, max_bytes: int = TEXT_BYTES) -> str:
    """What is known about the actor, in the sections of a new session's context."""
    limits = ContextLimits(TOKEN_BUDGET, max_bytes, json_size)
    return session_context(actor, limits=limits, session=str(conversation_id)).injection.text


def compacted_context(actor: Actor, conversation_id: UUID) -> str:
    """What a compaction may have lost, then as much of what is known about the actor as there is room for."""
    session = session_of_conversation(conversation_id)
    if session is None or not policy_for_workspace().engine_enabled:
        return ""
    rows = Message.objects.filter(conversation_id=conversation_id, excluded=False, role=MessageRole.USER)
    sayings = list(rows.order_by("-index").values_list("content", flat=True)[:_MOST_SAYINGS])[::-1]
    summary, pins = summary_of_session(conversation_id), pins_for_pack(conversation_id)
    text = after_compaction(SessionState(pins, summary, sayings, tool_lines(session)), TEXT_BYTES)
    left = TEXT_BYTES - json_size(f"{text}{BETWEEN_SECTIONS}")
    known = start_context(actor, conversation_id, max_bytes=left) if left >= _LEAST_REST else ""
    return BETWEEN_SECTIONS.join(part for part in (text, known.removeprefix(NOTICE).strip() if text else known) if part)


def recalled_context(hits: Sequence[Hit]) -> str:
    """Quote the memories that a search retrieved; they count as used."""
    quotes = list(_quotes(hits))
    accesses_add([hit.id for hit in hits if hit.kind == "memory"])
    return BETWEEN_SECTIONS.join([NOTICE, "\n".join(quotes)]) if quotes else ""


def _quotes(hits: Sequence[Hit]) -> Iterator[str]:
    for hit in hits:
        origin = hit.uri or f"user memory, {hit.type}: {hit.key}"
        yield quoted_from(origin, hit.abstract or hit.snippet)
