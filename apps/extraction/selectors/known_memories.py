"""The memories that new ones may repeat or replace: those of the conversation, and those that its words find."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.conversations.models import Message
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.own_words import OwnWords
from apps.extraction.extractors.transcript import KnownMemory
from apps.extraction.selectors.candidates import nearby_memories
from apps.memory.models import MemNode, MemSource, SourceKind
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.nodes import current_leaves, slot_of
from apps.memory.selectors.search.find import LONGEST_QUERY, find
from apps.memory.selectors.search.search_config import search_config

_MOST, _MOST_NEARBY, _MOST_SEARCHES, _FOUND, _MOST_SIMILAR = 40, 20, 10, 5, 10
_MOST_MESSAGES = 3
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


def messages_of(ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the id of the message that each memory came from, the first one, of those that came from any."""
    sources = MemSource.objects.filter(node_id__in=ids, kind=SourceKind.MESSAGE).order_by("-reference")
    return dict(sources.values_list("node_id", "reference"))


def messages_within(conversation_id: UUID, ids: Collection[str]) -> frozenset[str]:
    """Those of the messages that belong to a conversation."""
    rows = Message.objects.filter(conversation_id=conversation_id, pk__in=ids)
    return frozenset(map(str, rows.values_list("id", flat=True)))


def similarity_query(statement: str) -> SearchQuery:
    """Return the search for what a statement may repeat or replace."""
    return SearchQuery(statement[:LONGEST_QUERY], top_k=_MOST_SIMILAR, owner="mine", with_user_memory=False)


def earlier_messages_query(conversation_id: UUID, passage: str) -> SearchQuery:
    """Return the search for messages of the person's conversations that a passage may end."""
    return SearchQuery(
        passage[:LONGEST_QUERY],
        top_k=_MOST_MESSAGES,
        corpus="messages",
        conversation_id=conversation_id,
        other_conversations="also",
    )


def unremembered_messages(actor: Actor, queries: Sequence[SearchQuery]) -> list[list[Message]]:
    """Return the person's own messages that each query finds, those alone that no memory in use came from."""
    config = search_config()
    found = [[hit.id for hit in find(actor, query, config).hits] for query in queries]
    ids = {message_id for of_query in found for message_id in of_query}
    rows = Message.objects.filter(pk__in=ids, role="user", name="", retrievable=True, excluded=False)
    remembered = set(_sources_in_use(actor, ids))
    by_id = {row.id: row for row in rows if str(row.id) not in remembered}
    return [[by_id[one] for one in of_query if one in by_id] for of_query in found]


def _sources_in_use(actor: Actor, message_ids: Collection[UUID]) -> QuerySet[MemSource, str]:
    sources = MemSource.objects.filter(
        kind=SourceKind.MESSAGE, reference__in=[str(one) for one in message_ids], node__owner_id=actor.person_id
    )
    return sources.filter(node__archived_at__isnull=True).values_list("reference", flat=True)


def known_queries(utterances: Sequence[Utterance]) -> list[SearchQuery]:
    """Return the searches for the longest of the person's own messages."""
    texts = [OwnWords(one.text).text.strip()[:_LONGEST_SEARCHED] for one in utterances if one.speaker is Speaker.SELF]
    longest = sorted(filter(None, texts), key=len, reverse=True)[:_MOST_SEARCHES]
    return [SearchQuery(text, top_k=_FOUND, owner="mine", with_user_memory=False) for text in longest]


def _known(row: MemNode) -> KnownMemory:
    return KnownMemory(str(row.id), row.l2_content[:_LONGEST_STATEMENT], slot_of(row))
