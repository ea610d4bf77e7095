"""Search for a message that no model answers: memories, user memory and messages, by words and meaning."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.context.selectors.pack_requests import EmbeddedQuery, vector_for
from apps.context.selectors.past_chats import quotes_others
from apps.context.selectors.retrieval import retrieval_query
from apps.context.selectors.retrieved_hits import retrieved_from_hits
from apps.conversations.models import Conversation
from apps.engine.messages.display import display_text
from apps.engine.messages.message import Message
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.policy import Policy
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.relevance import is_anything_relevant
from apps.memory.selectors.search.search_config import search_config

_MOST = 20


def reply_matches(
    actor: Actor, conversation: Conversation, policy: Policy, message: Message | None, embedded: EmbeddedQuery | None
) -> tuple[RetrievedItem, ...]:
    """The matches, best first; none if nothing is relevant. `embedded` is the message, if a provider embedded it.

    A temporary chat quotes itself alone.
    """
    query = retrieval_query(message)
    if message is None or not query or not (policy.engine_enabled and policy.lookups_enabled):
        return ()
    search = SearchQuery(
        query,
        _MOST,
        corpus="messages" if conversation.temporary else "all",
        conversation_id=conversation.id,
        other_conversations="also" if quotes_others(actor, conversation, policy) else "none",
        vector=vector_for(embedded, query),
    )
    config = search_config()
    found = find(actor, search, config)
    hits = [hit for hit in found.hits if str(hit.id) != message.id]
    if not is_anything_relevant(hits, found.vector, config.space, with_messages=True):
        return ()
    return tuple(retrieved_from_hits(conversation.id, hits, (display_text(message),)))
