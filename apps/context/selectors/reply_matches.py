"""Search for a message that no model answers: memories, user memory and messages, by words and meaning."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.context.selectors.retrieval import LONGEST_QUERY, retrieved_from_hits
from apps.conversations.models import Conversation
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.policy import Policy
from apps.memory.records.search import QueryVector, SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.relevance import is_anything_relevant
from apps.memory.selectors.search.search_config import search_config

_MOST = 20


def reply_matches(
    actor: Actor, conversation: Conversation, policy: Policy, text: str, vector: QueryVector | None
) -> tuple[RetrievedItem, ...]:
    """The items, best first; none if nothing is relevant. `vector` is the text's embedding, if a provider made it."""
    query = text.strip()[:LONGEST_QUERY]
    if not query or not policy.lookups_enabled:
        return ()
    search = SearchQuery(query, _MOST, corpus="all", conversation_id=conversation.id, vector=vector)
    config = search_config()
    found = find(actor, search, config)
    if not is_anything_relevant(found.hits, found.vector, config.space, with_messages=True):
        return ()
    return tuple(retrieved_from_hits(conversation.id, found.hits))
