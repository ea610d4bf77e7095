"""Embeddings of the messages that packs retrieve for, where a provider computes them."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors.pack_requests import EmbeddedQuery
from apps.context.selectors.past_chats import quotes_others
from apps.context.selectors.retrieval import retrieval_query
from apps.conversations.models import MessageRole, MessageStatus
from apps.conversations.records import MessageDraft, engine_message
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import newest_message
from apps.engine.messages.message import Message, Role
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import with_vector
from apps.memory.selectors.search.search_config import search_config

_UNFINISHED = (MessageStatus.PARTIAL, MessageStatus.FAILED)


def query_embed(actor: Actor, conversation_id: UUID, message: MessageDraft | None = None) -> EmbeddedQuery | None:
    """Embed a message that is about to be sent, or the one that waits for a reply. Call it outside a unit of work.

    None if nothing is retrieved for it, if no provider is needed, or if the provider fails.
    """
    with workspace(actor.workspace_id):
        config = search_config()
        retrieves = config.policy.engine_enabled and config.policy.lookups_enabled
        if not (config.needs_provider and retrieves):
            return None
        conversation = conversation_access(actor, conversation_id)
        others = quotes_others(actor, conversation, config.policy)
        text = retrieval_query(_sent(message) if message else _waiting(conversation_id))
    if not text:
        return None
    query = SearchQuery(
        text, corpus="all", conversation_id=conversation_id, other_conversations="also" if others else "none"
    )
    vector = with_vector(actor, query).vector
    return EmbeddedQuery(text, vector) if vector else None


def _sent(draft: MessageDraft) -> Message | None:
    if draft.role != MessageRole.USER:
        return None
    return Message("", 0, Role.USER, draft.content, 0, draft.name, draft.parts)


def _waiting(conversation_id: UUID) -> Message | None:
    """The newest message if it is the user's, also if a failed reply follows it, which a retry replaces."""
    row = newest_message(conversation_id)
    if row is not None and row.status in _UNFINISHED:
        row = newest_message(conversation_id, roles=(MessageRole.USER,))
    return engine_message(row) if row is not None and row.role == MessageRole.USER else None
