"""Search on behalf of an actor, which counts as an access of the memories found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.conversations.selectors.messages import origins_of
from apps.engine.memory.search.long_queries import searched_part
from apps.engine.memory.trust import Source, trust_of
from apps.memory.records.search import Hit, SearchQuery, SearchResult
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import queries_read
from apps.memory.services.access_buffer import access_buffer
from apps.memory.services.search.relevance import likely_hits


def memories_find(actor: Actor, *, query: SearchQuery) -> SearchResult:
    """Search with the query's embedding, and record accesses of the results, which all share words or meaning with it.

    Of a long query the telling parts are searched for. Call this outside a unit of work: the query is embedded between
    two of them, and with a `min_chance` the memories are judged after them. That raises `ModelError` if there is no
    judge.
    """
    found = _find(actor, query)
    if used := [hit.id for hit in found.hits if hit.kind == "memory"]:
        # Written after the response: a synchronous write costs a quarter of the throughput with eight clients.
        access_buffer.add(actor.workspace_id, used)
    return found


def _find(actor: Actor, whole: SearchQuery) -> SearchResult:
    query = replace(whole, query=searched_part(whole.query))
    prepared = queries_read(actor, [query])
    (ready,) = prepared.embedded()
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        found = _titled(find(actor, ready, prepared.config))
    if query.min_chance is None:
        return replace(found, hits=tuple(hit for hit in found.hits if hit.matches))
    return replace(found, hits=likely_hits(query.query, found.hits, query.min_chance))


def _titled(found: SearchResult) -> SearchResult:
    return replace(found, hits=with_titles(found.hits))


def with_titles(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Add the titles of the conversations that messages are from, and how far those are to be trusted."""
    conversations = origins_of({hit.conversation_id for hit in hits if hit.conversation_id})
    return tuple(
        _in_conversation(hit, conversations[hit.conversation_id]) if hit.conversation_id in conversations else hit
        for hit in hits
    )


def _in_conversation(hit: Hit, conversation: Conversation) -> Hit:
    """A message with its conversation's title. Where others could write, any of them may have written it."""
    trust = trust_of(Source.OTHER_MEMBER) if conversation.others_could_write else hit.trust
    return replace(hit, conversation_title=conversation.title, trust=trust)
