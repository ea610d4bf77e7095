"""Matches for a message that no model answers: memories, user memory and messages, by words and meaning.

They are found by the search of the pack, which is extended to all that the reply may quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from apps.context.selectors.retrieved_hits import retrieved_from_hits
from apps.engine.messages.display import display_text
from apps.engine.messages.message import Message
from apps.engine.pack.retrieved import RetrievedItem
from apps.memory.records.search import Hit, SearchQuery, SearchResult, SpaceRecord
from apps.memory.selectors.search.relevance import is_anything_relevant
from apps.memory.selectors.search.statement import MOST_FOUND

_MOST = 20


def extended(search: SearchQuery, *, temporary: bool) -> SearchQuery:
    """The search of a pack, extended to the whole conversation and to user memory; a temporary chat quotes itself."""
    return replace(
        search,
        # What only the reply quotes takes no place of the pack's.
        top_k=MOST_FOUND,
        corpus="messages" if temporary else "all",
        other_conversations="none" if search.other_conversations == "none" else "also",
        with_user_memory=True,
    )


def in_scope(hits: Sequence[Hit], search: SearchQuery) -> list[Hit]:
    """The hits of the extended search that the search of the pack has too."""
    within = [hit for hit in hits if hit.id not in search.include and _is_in_scope(hit, search)]
    again = [hit for hit in hits if hit.id in search.include]
    return sorted([*within[: search.top_k], *again], key=hits.index)


def _is_in_scope(hit: Hit, search: SearchQuery) -> bool:
    if hit.kind != "message":
        return hit.kind == "memory" and search.corpus != "messages"
    if hit.conversation_id != search.conversation_id:
        return search.other_conversations != "none"
    return search.corpus != "memories" and search.other_conversations != "only"


def reply_matches(
    conversation_id: UUID, found: SearchResult, space: SpaceRecord | None, message: Message
) -> tuple[RetrievedItem, ...]:
    """The matches, best first, without the message itself; none if nothing is relevant.

    What was found is relevant, but for messages of the conversation itself.
    """
    hits = [hit for hit in found.hits if str(hit.id) != message.id][:_MOST]
    own = [hit for hit in hits if hit.conversation_id == conversation_id]
    if not is_anything_relevant(own, found.vector, space, with_messages=True):
        hits = [hit for hit in hits if hit not in own]
    return tuple(retrieved_from_hits(conversation_id, hits, (display_text(message),)))
