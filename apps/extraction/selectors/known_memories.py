"""The memories that new ones may repeat or replace: those of the conversation, and those that its words find."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.own_words import OwnWords
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Arrival
from apps.extraction.extractors.transcript import KnownMemory
from apps.extraction.selectors.candidates import nearby_memories
from apps.memory.models import MemNode, NodeType
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.nodes import in_tree
from apps.memory.selectors.search.find import find

_MOST, _MOST_NEARBY, _MOST_SEARCHES, _FOUND = 40, 20, 10, 5
_LONGEST_QUERY, _LONGEST_STATEMENT = 1_000, 500


def known_memories(actor: Actor, conversation_id: UUID, utterances: Sequence[Utterance]) -> list[KnownMemory]:
    """Return accepted memories that hold now, the nearest first. Proposals are none: a model would pass them on."""
    ids = [*_found(actor, utterances), *nearby_memories(conversation_id)[:_MOST_NEARBY]]
    rows = in_tree(actor.person_id).filter(
        pk__in=ids,
        node_type=NodeType.LEAF,
        arrival=Arrival.ACCEPTED.value,
        archived_at__isnull=True,
        valid_to__isnull=True,
    )
    by_id = {row.id: row for row in rows}
    return [_known(by_id[one]) for one in dict.fromkeys(ids) if one in by_id][:_MOST]


def _found(actor: Actor, utterances: Sequence[Utterance]) -> list[UUID]:
    """Search for the longest of the person's own messages."""
    texts = [OwnWords(one.text).text.strip()[:_LONGEST_QUERY] for one in utterances if one.speaker is Speaker.SELF]
    longest = sorted(filter(None, texts), key=len, reverse=True)[:_MOST_SEARCHES]
    queries = (SearchQuery(text, top_k=_FOUND, owner="mine", with_user_memory=False) for text in longest)
    return [hit.id for query in queries for hit in find(actor, query).hits if hit.kind == "memory"]


def _known(row: MemNode) -> KnownMemory:
    slot = Slot(row.subject, row.attribute, row.value, row.many) if row.attribute else None
    return KnownMemory(str(row.id), row.l2_content[:_LONGEST_STATEMENT], slot)
