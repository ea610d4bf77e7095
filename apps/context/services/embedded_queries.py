"""Embeddings and relevance of the texts that packs retrieve for, made before the pack's unit of work."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors.pack_queries import pack_queries
from apps.context.selectors.pack_requests import EmbeddedQuery
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_access
from apps.memory.selectors.search.query_vectors import queries_prepare
from apps.memory.selectors.search.search_config import search_config
from apps.memory.services.search.relevance import query_chances


def query_embed(
    actor: Actor, conversation_id: UUID, message: MessageDraft | None = None, *, as_of: datetime | None = None
) -> EmbeddedQuery | None:
    """Embed a message that is about to be sent, or the one that waits for a reply, and judge which memories it needs.

    The conversation's topics are embedded too. With `as_of` the memories of that time are judged. None if nothing is
    retrieved for it. Call it outside a unit of work.
    """
    with workspace(actor.workspace_id):
        config = search_config()
        if not (config.policy.engine_enabled and config.policy.lookups_enabled):
            return None
        conversation = conversation_access(actor, conversation_id)
        queries = pack_queries(actor, conversation, config.policy, message)
        if not queries.every:
            return None
        prepared = queries_prepare(actor, queries.every, config)
    embedded = prepared.embedded()
    vectors = {one.query: one.vectors for one in embedded if one.vectors}
    if queries.whole is None or conversation.temporary:
        return EmbeddedQuery(vectors)
    judged = replace(embedded[queries.every.index(queries.whole)], with_user_memory=False, as_of=as_of)
    chances = query_chances(actor, judged, config)
    return EmbeddedQuery(vectors, {} if chances is None else {judged.query: chances})
