"""What is looked up for the current message of a conversation: the reader's memories and what was said before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from apps.context.selectors.pack_requests import PackContext
from apps.conversations.records import engine_message
from apps.conversations.selectors.messages import messages_at
from apps.engine.messages.display import told
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.layers import most_history, most_just_in_time
from apps.engine.pack.retrieved import Found, is_informative
from apps.memory.models import SourceKind
from apps.memory.records.search import Corpus, FindWish, Hit
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.search.find import find, memories_are_there

# What a question takes up at most: more is no question, and each of its words is looked for.
LONGEST_QUERY = 1_000
# Some of what is found stands in the window, and is not told again.
_TOKENS_A_HIT = 12
_MOST_HITS = 200


def looked_up(order: PackContext, sources: PackSources) -> tuple[Found, ...]:
    """The best first; nothing where no message waits for its reply, or lookups are switched off."""
    asked = told(sources.current).strip()[:LONGEST_QUERY] if sources.current else ""
    if not asked or not order.policy.lookups_enabled:
        return ()
    corpus = _corpus(order, sources)
    if corpus == "memories" and not memories_are_there(order.actor):
        return ()
    wish = FindWish(
        query=asked,
        top_k=hits_for(order.settings.budget),
        corpus=corpus,
        conversation_id=order.conversation.id,
        vector=order.query_vector,
    )
    return tuple(found_of(order.conversation.id, find(order.actor, wish).hits))


def _corpus(order: PackContext, sources: PackSources) -> Corpus:
    """A conversation that fits the window whole has nothing to be looked up."""
    talk = sources.counts
    hides = talk.folded_through is not None or talk.live_tokens > most_history(order.settings.budget)
    return "all" if hides else "memories"


def hits_for(budget: int) -> int:
    """So many are looked up for a pack of that budget."""
    return max(1, min(_MOST_HITS, most_just_in_time(budget) // _TOKENS_A_HIT))


def found_of(conversation_id: UUID, found: Sequence[Hit]) -> Iterator[Found]:
    """Hits as a pack quotes them, but those that tell too little; how faded a memory is does not matter to that."""
    best = max((_as_fresh(hit) for hit in found), default=0.0)
    hits = [hit for hit in found if is_informative(_as_fresh(hit), best)]
    messages = messages_at(conversation_id, [hit.message_id for hit in hits if hit.message_id])
    said = {message.id: message for message in messages}
    sources = sources_of([hit.id for hit in hits if hit.message_id is None])
    for hit in hits:
        if hit.message_id is None:
            told_by = _messages(sources.get(hit.id, ()))
            yield Found(str(hit.id), hit.uri, hit.abstract or hit.snippet, sources=told_by)
        elif row := said.get(hit.message_id):
            yield Found(str(row.id), _origin(hit), told(engine_message(row)), row.index)


def _messages(sources: Sequence[SourceRecord]) -> tuple[str, ...]:
    """The ids of the messages that it all comes from; none where something else tells of it too."""
    return tuple(one.reference for one in sources) if all(one.kind == SourceKind.MESSAGE for one in sources) else ()


def _as_fresh(hit: Hit) -> float:
    return hit.score / hit.relevance


def _origin(hit: Hit) -> str:
    return f"{hit.index} {hit.name or hit.role} {hit.occurred_at:%Y-%m-%d}"


def memories_among(found: Sequence[Found]) -> list[UUID]:
    """The ids of those that are memories."""
    return [UUID(one.id) for one in found if one.index is None]
