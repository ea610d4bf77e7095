"""Memories about the topics of a conversation."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.engine.memory.categories import Category
from apps.memory.records.search import Hit, SearchQuery
from apps.memory.selectors.search.find import find, has_memories
from apps.memory.selectors.search.relevance import about_topics
from apps.memory.selectors.search.search_config import search_config

_TOPICS = frozenset({Category.EVENTS, Category.PATTERNS, Category.CASES})
_MOST_SEARCHED = 30
# Every word of the query is searched for.
_LONGEST_QUERY = 1_000


def memories_of_topics(actor: Actor, text: str) -> list[Hit]:
    """Return the events, patterns and cases that are each relevant to a text about the topics, best first.

    Where a provider computes embeddings, only words are compared.
    """
    if not text or not has_memories(actor):
        return []
    config = search_config()
    found = find(actor, SearchQuery(text[:_LONGEST_QUERY], _MOST_SEARCHED, with_user_memory=False), config)
    return about_topics([hit for hit in found.hits if hit.category in _TOPICS], found.vector, config.space)
