"""Embeddings of the texts that packs retrieve for, made before the pack's unit of work."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors.pack_queries import pack_queries
from apps.context.selectors.pack_requests import EmbeddedQuery
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_access
from apps.memory.selectors.search.query_vectors import queries_prepare
from apps.memory.selectors.search.search_config import search_config


def query_embed(actor: Actor, conversation_id: UUID, message: MessageDraft | None = None) -> EmbeddedQuery | None:
    """Embed a message that is about to be sent, or the one that waits for a reply, and the conversation's topics.

    None if nothing is retrieved for it, or if there is no model or it fails. Call it outside a unit of work.
    """
    with workspace(actor.workspace_id):
        config = search_config()
        if not (config.space and config.policy.engine_enabled and config.policy.lookups_enabled):
            return None
        conversation = conversation_access(actor, conversation_id)
        queries = pack_queries(actor, conversation, config.policy, message)
        prepared = queries_prepare(actor, queries, config)
    vectors = {one.query: one.vectors for one in prepared.embedded() if one.vectors}
    return EmbeddedQuery(vectors) if vectors else None
