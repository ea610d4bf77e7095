"""Retrieval for the current message: the reader's memories, and messages of this and of other conversations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from apps.context.selectors.pack_requests import PackContext
from apps.context.selectors.reply_matches import extended, in_scope, reply_matches
from apps.context.selectors.retrieved_hits import retrieved_from_hits
from apps.context.selectors.used_items import retrieved_for_last_reply
from apps.engine.language.chit_chat import is_chit_chat
from apps.engine.messages.display import display_text
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.layers import max_history_tokens, max_just_in_time_tokens
from apps.engine.pack.retrieved import RetrievedItem
from apps.memory.records.search import Corpus, Hit, OtherConversations, SearchQuery, SearchResult
from apps.memory.selectors.search.find import find, has_memories
from apps.memory.selectors.search.relevance import relevant_hits
from apps.memory.selectors.search.search_config import SearchConfig, search_config

# Every word of the query is searched for, so long messages are cut.
LONGEST_QUERY = 1_000
# Some hits are already in the window and are dropped later, so more are requested than fit, and twice as many if
# messages of other conversations compete with memories.
_TOKENS_PER_HIT = 12
_MAX_HITS = 200


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was retrieved for the current message, best first; `matches` are what a reply without a model quotes."""

    items: tuple[RetrievedItem, ...] = ()
    matches: tuple[RetrievedItem, ...] = ()


def retrieved(context: PackContext, sources: PackSources) -> Retrieved:
    """Search once for the current message; nothing without one or with lookups disabled."""
    search = _search(context, sources)
    if search is None or sources.current is None:
        return Retrieved()
    config = search_config()
    if not context.with_matches:
        found = _found(context, search, config)
        return Retrieved(_items(context, sources, found.hits, search, _relevant(context, found, search, config)))
    found = _found(context, extended(search, temporary=context.conversation.temporary), config)
    relevant = _relevant(context, found, search, config)
    quotable = replace(found, hits=tuple(hit for hit in found.hits if hit.id in relevant))
    matches = reply_matches(context.conversation.id, quotable, config.space, sources.current)
    return Retrieved(_items(context, sources, in_scope(found.hits, search), search, relevant), matches)


def _found(context: PackContext, search: SearchQuery, config: SearchConfig) -> SearchResult:
    """What a search finds, with the chances of what was judged."""
    found = find(context.actor, search, config)
    chances = context.chances_of(search.query) or {}
    return replace(found, hits=tuple(replace(hit, chance=chances.get(hit.id)) for hit in found.hits))


def _relevant(context: PackContext, found: SearchResult, search: SearchQuery, config: SearchConfig) -> frozenset[UUID]:
    """This conversation's own messages, and what is relevant of memories and other conversations."""
    chances = {} if is_chit_chat(search.query) else context.chances_of(search.query)
    own = (hit.id for hit in found.hits if hit.conversation_id == context.conversation.id)
    return frozenset((*own, *relevant_hits(found, chances, config)))


def _search(context: PackContext, sources: PackSources) -> SearchQuery | None:
    query = retrieval_query(sources.current)
    if not query or not context.policy.lookups_enabled:
        return None
    own, others = _hides_messages(context, sources), context.allows_other_conversations
    if not (own or others or context.with_matches) and (
        context.conversation.temporary or not has_memories(context.actor, with_own=context.allows_private)
    ):
        return None
    return SearchQuery(
        query=query,
        top_k=hit_limit(context.settings.budget * (2 if others else 1)),
        corpus=_corpus(context, with_messages=own or others),
        conversation_id=context.conversation.id,
        other_conversations=_others(own=own, others=others),
        vectors=context.vectors_of(query),
        with_user_memory=False,
        with_own_memories=context.allows_private,
        as_of=context.as_of,
        include=retrieved_for_last_reply(context.actor, context.conversation.id, sources.earlier),
    )


def _items(
    context: PackContext,
    sources: PackSources,
    hits: Sequence[Hit],
    search: SearchQuery,
    relevant: Collection[UUID],
) -> tuple[RetrievedItem, ...]:
    """What is relevant, and once more what was sent for the last reply."""
    known = [display_text(message) for message in (*sources.newest, *sources.compacted)]
    fresh = [hit for hit in hits if hit.id in relevant]
    again = [hit for hit in hits if hit.id in search.include]
    return tuple(retrieved_from_hits(context.conversation.id, fresh, known, again))


def _corpus(context: PackContext, *, with_messages: bool) -> Corpus:
    """A temporary chat uses no memories of the tree, as in the layers before the messages."""
    if not with_messages:
        return "memories"
    return "messages" if context.conversation.temporary else "all"


def _others(*, own: bool, others: bool) -> OtherConversations:
    if not others:
        return "none"
    return "also" if own else "only"


def retrieval_query(message: EngineMessage | None) -> str:
    """The text that is searched for a message; empty without one."""
    return display_text(message).strip()[:LONGEST_QUERY] if message else ""


def _hides_messages(context: PackContext, sources: PackSources) -> bool:
    """Whether the conversation has messages that do not fit into the window."""
    counts = sources.counts
    return counts.compacted_through is not None or counts.live_tokens > max_history_tokens(context.settings.budget)


def hit_limit(budget: int) -> int:
    """Number of hits to request for a pack of that budget."""
    return max(1, min(_MAX_HITS, max_just_in_time_tokens(budget) // _TOKENS_PER_HIT))
