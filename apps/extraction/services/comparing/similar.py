"""Memories that new statements may repeat or replace, or that people ask to forget, before anything is locked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.extraction.candidate import Extraction
from apps.engine.extraction.changes import with_changes
from apps.extraction.selectors.known_memories import (
    messages_of,
    messages_within,
    similar_memories,
    similarity_query,
    statements_of,
)
from apps.extraction.services.comparing.ended_messages import ended_messages_of
from apps.extraction.services.comparing.endings import MOST_COMPARED, endings_of
from apps.extraction.services.forgetting.search import Matches, forget_matches_of
from apps.memory.selectors.search.query_vectors import with_vectors


@dataclass(frozen=True, slots=True)
class Similar:
    """Memories near the new statements, those that requests to forget may mean, and messages that no longer hold.

    `found` is what was compared, with the statements that are kept for what they change. `endings` has for a new
    statement the chance of each earlier one with which it was compared that it no longer holds.
    """

    found: Extraction
    ids: Sequence[UUID] = ()
    endings: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    to_forget: Matches = field(default_factory=dict)
    ended_messages: Mapping[UUID, str] = field(default_factory=dict)


def similar_to(actor: Actor, conversation_id: UUID, found: Extraction, *, by_reader: bool = True) -> Similar:
    """Return the memories near what was found in words and meaning. Call it outside a unit of work.

    `by_reader`: the reader judges which of them the candidates end, as no model did.
    """
    judged = (*found.candidates, *found.possible) if by_reader else found.candidates
    statements = list(dict.fromkeys(one.statement for one in judged))
    queries = with_vectors(actor, [similarity_query(one) for one in statements])
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        hits = dict(zip(statements, similar_memories(actor, queries), strict=True))
        known, source_messages = _nearest(hits) if by_reader and statements else ({}, {})
        own_messages = messages_within(conversation_id, source_messages.values())
    elsewhere = {one for one, message in source_messages.items() if message not in own_messages}
    ids = list(dict.fromkeys(hit for of_statement in hits.values() for hit in of_statement))
    endings = endings_of(found, known, source_messages, elsewhere) if by_reader else {}
    changed = with_changes(found, endings)
    ended = ended_messages_of(actor, conversation_id, changed.candidates) if by_reader and changed.candidates else {}
    return Similar(changed, ids, endings, forget_matches_of(actor, found.forgets), ended)


def _nearest(hits: Mapping[str, Sequence[UUID]]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """What the memories nearest to each statement say, and the messages that they came from."""
    known = statements_of({one for ids in hits.values() for one in ids})
    near = {one: [hit for hit in ids if hit in known][:MOST_COMPARED] for one, ids in hits.items()}
    source_messages = messages_of({hit for ids in near.values() for hit in ids})
    of_statements = {known[hit]: message for hit, message in source_messages.items()}
    return {one: [known[hit] for hit in ids] for one, ids in near.items()}, of_statements
