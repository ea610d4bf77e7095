"""The memories that new ones may repeat or replace: those of the conversation, and those that its words find."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.own_words import OwnWords
from apps.extraction.extractors.transcript import KnownMemory
from apps.extraction.selectors.candidates import nearby_memories
from apps.memory.models import MemNode
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.nodes import current_leaves, slot_of
from apps.memory.selectors.search.find import LONGEST_QUERY, find
from apps.memory.selectors.search.search_config import search_config

_MOST, _MOST_NEARBY, _MOST_SEARCHES, _FOUND, _MOST_SIMILAR = 40, 20, 10, 5, 10
_LONGEST_SEARCHED, _LONGEST_STATEMENT = 1_000, 500


def known_memories(actor: Actor, conversation_id: UUID, queries: Sequence[SearchQuery]) -> list[KnownMemory]:
    """Return accepted memories that hold now, the nearest first. Proposals are none: a model would pass them on."""
    config = search_config()
    found = [hit.id for query in queries for hit in find(actor, query, config).hits if hit.kind == "memory"]
    ids = [*found, *nearby_memories(conversation_id)[:_MOST_NEARBY]]
    by_id = {row.id: row for row in current_leaves(actor.person_id).filter(pk__in=ids)}
    return [_known(by_id[one]) for one in dict.fromkeys(ids) if one in by_id][:_MOST]


def similar_memories(actor: Actor, queries: Sequence[SearchQuery]) -> list[list[UUID]]:
    """Return the ids of the person's memories that each query finds, those of other conversations too."""
    config = search_config()
    return [[hit.id for hit in find(actor, query, config).hits] for query in queries]


def statements_of(ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the statements of those of the memories that hold."""
    return dict(MemNode.objects.filter(pk__in=ids, valid_to=None).values_list("pk", "l2_content"))


def similarity_query(statement: str) -> SearchQuery:
    """Return the search for what a statement may repeat or replace."""
    return SearchQuery(statement[:LONGEST_QUERY], top_k=_MOST_SIMILAR, owner="mine", with_user_memory=False)


def known_queries(utterances: Sequence[Utterance]) -> list[SearchQuery]:
    """Return the searches for the longest of the person's own messages."""
    texts = [OwnWords(one.text).text.strip()[:_LONGEST_SEARCHED] for one in utterances if one.speaker is Speaker.SELF]
    longest = sorted(filter(None, texts), key=len, reverse=True)[:_MOST_SEARCHES]
    return [SearchQuery(text, top_k=_FOUND, owner="mine", with_user_memory=False) for text in longest]


def _known(row: MemNode) -> KnownMemory:
    return KnownMemory(str(row.id), row.l2_content[:_LONGEST_STATEMENT], slot_of(row))
