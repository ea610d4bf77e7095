"""Memories about a conversation's lasting topics and entities: chosen when a cache epoch begins, then read by id."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from apps.accounts.time_zones import local_day
from apps.context.selectors.pack_requests import PackContext
from apps.engine.memory.entity_names import lasting_names
from apps.engine.memory.trust import Trust
from apps.engine.messages.display import display_text
from apps.engine.messages.message import Role
from apps.engine.pack.context_pack import Epoch, PackSources
from apps.engine.pack.profile import ProfileMemory, within_entity_limit
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import RollingSummary
from apps.memory.models import MemNode, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.active_entities import memories_of_entities
from apps.memory.selectors.nodes import current_memories, sources_of
from apps.memory.selectors.search.topics import memories_of_topics, topics_query

# What a tool wrote names nothing.
_SPOKEN = (Role.USER, Role.ASSISTANT)
_MOST_TOPICS, _MOST_ENTITIES = 8, 8


def with_stored_lasting(context: PackContext, sources: PackSources, epoch: Epoch | None) -> PackSources:
    """Add the memories that an epoch began with, as they are now; those that are no longer in use are omitted.

    A past time has none, as when an epoch begins.
    """
    if epoch is None or context.as_of or not (epoch.topic_ids or epoch.entity_ids):
        return sources
    ids = [UUID(one) for one in (*epoch.topic_ids, *epoch.entity_ids)]
    found = current_memories(context.actor, ids, with_own=context.allows_private)
    rows = {str(row.id): _memory(row) for row in found}
    topics, entities = ([rows[one] for one in chosen if one in rows] for chosen in (epoch.topic_ids, epoch.entity_ids))
    return replace(sources, topics=topics, entities=entities)


def with_chosen_lasting(context: PackContext, sources: PackSources) -> PackSources:
    """Add what is known about the topics and entities that the conversation is about now.

    Memories of which all sources are among the live messages are omitted. There are none in a temporary chat, with
    lookups disabled, or for a past time, of which only the messages and their summary are known.
    """
    if context.conversation.temporary or not context.policy.lookups_enabled or context.as_of:
        return sources
    return replace(sources, topics=_topics(context, sources), entities=_entities(context, sources))


def _topics(context: PackContext, sources: PackSources) -> list[ProfileMemory]:
    """Memories of events, patterns and cases that a search for the goals and the plan finds, best first."""
    text = topic_text(context.conversation.title, sources.summary)
    if not text:
        return []
    query = topics_query(text, with_own=context.allows_private)
    hits = memories_of_topics(context.actor, replace(query, vectors=context.vectors_of(query.query)))
    memories = [
        ProfileMemory(str(one.id), one.uri, one.abstract, date=local_day(one.stated_at), trust=Trust(one.trust))
        for one in hits
    ]
    return _beyond_live(memories, sources)[:_MOST_TOPICS]


def topic_text(title: str, summary: RollingSummary) -> str:
    """Title, goals and plan; empty until a summary has goals or a plan."""
    lines = [line.text for line in (*summary.goals, *summary.current_plan)]
    return "\n".join(filter(None, [title, *lines])) if lines else ""


def _entities(context: PackContext, sources: PackSources) -> list[ProfileMemory]:
    """Memories of the entities that the conversation names most, entity by entity; all of them are private."""
    if not context.allows_private:
        return []
    headlines = [context.conversation.title, *(entry_text(entry) for _, entry in sources.summary.entries())]
    messages = [display_text(message) for message in sources.earlier if message.role in _SPOKEN]
    names = lasting_names(headlines, messages)
    rows = memories_of_entities(context.actor.person_id, names, most=_MOST_ENTITIES)
    return list(within_entity_limit(_beyond_live(map(_memory, rows), sources)))


def _beyond_live(memories: Iterable[ProfileMemory], sources: PackSources) -> list[ProfileMemory]:
    """Drop memories that say only what live messages or pinned ones say."""
    known = {*(message.id for message in sources.newest), *sources.pinned_ids}
    candidates = [memory for memory in memories if memory.text]
    by_memory = sources_of([UUID(memory.id) for memory in candidates]) if candidates else {}
    return [one for one in candidates if not _is_known(by_memory.get(UUID(one.id), ()), known)]


def _is_known(sources: Sequence[SourceRecord], known: Container[str]) -> bool:
    return bool(sources) and all(one.kind == SourceKind.MESSAGE and one.reference in known for one in sources)


def _memory(row: MemNode) -> ProfileMemory:
    return ProfileMemory(str(row.id), row.uri, row.l0_abstract, date=local_day(row.stated_at), trust=Trust(row.trust))
