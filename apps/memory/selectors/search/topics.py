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


def topics_query(text: str, *, with_own: bool = True) -> SearchQuery:
    """The search for a text about the topics, `with_own` memories or among the workspace's alone."""
    return SearchQuery(text[:_LONGEST_QUERY], _MOST_SEARCHED, with_user_memory=False, with_own_memories=with_own)


def memories_of_topics(actor: Actor, query: SearchQuery) -> list[Hit]:
    """Return the events, patterns and cases that are each relevant to the topics, best first."""
    if not has_memories(actor, with_own=query.with_own_memories):
        return []
    config = search_config()
    found = find(actor, query, config)
    return about_topics([hit for hit in found.hits if hit.category in _TOPICS], found.vector, config.space)
