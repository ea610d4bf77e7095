"""Retrieval for the current message of a conversation: the reader's memories and earlier messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from apps.context.selectors.pack_requests import PackContext
from apps.conversations.models import Message
from apps.conversations.records import engine_message
from apps.conversations.selectors.messages import messages_at
from apps.engine.messages.display import display_text
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.layers import max_history_tokens, max_just_in_time_tokens
from apps.engine.pack.retrieved import RetrievedItem, disputed_note, is_informative, superseded_note
from apps.memory.models import SourceKind
from apps.memory.records.search import Corpus, Hit, SearchQuery
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.search.find import find, has_memories

# Every word of the query is searched for, so long messages are cut.
LONGEST_QUERY = 1_000
# Some hits are already in the window and are dropped later, so more are requested than fit.
_TOKENS_PER_HIT = 12
_MAX_HITS = 200
_DIGITS = 3


def retrieved_items(context: PackContext, sources: PackSources) -> tuple[RetrievedItem, ...]:
    """Retrieve items, best first; none without a current message or with lookups disabled."""
    query = retrieval_query(sources.current)
    if not query or not context.policy.lookups_enabled:
        return ()
    corpus = _corpus(context, sources)
    if corpus == "memories" and not has_memories(context.actor):
        return ()
    search = SearchQuery(
        query=query,
        top_k=hit_limit(context.settings.budget),
        corpus=corpus,
        conversation_id=context.conversation.id,
        vector=context.vector_of(query),
        with_user_memory=False,
        as_of=context.as_of,
    )
    return tuple(retrieved_from_hits(context.conversation.id, find(context.actor, search).hits))


def retrieval_query(message: EngineMessage | None) -> str:
    """The text that is searched for a message; empty without one."""
    return display_text(message).strip()[:LONGEST_QUERY] if message else ""


def _corpus(context: PackContext, sources: PackSources) -> Corpus:
    """Search only memories if the whole conversation fits into the window."""
    counts = sources.counts
    hides = counts.compacted_through is not None or counts.live_tokens > max_history_tokens(context.settings.budget)
    return "all" if hides else "memories"


def hit_limit(budget: int) -> int:
    """Number of hits to request for a pack of that budget."""
    return max(1, min(_MAX_HITS, max_just_in_time_tokens(budget) // _TOKENS_PER_HIT))


def retrieved_from_hits(conversation_id: UUID, items: Sequence[Hit]) -> Iterator[RetrievedItem]:
    """Convert informative hits to items of a pack; decay does not affect whether a memory is informative."""
    best = max((_score_without_decay(hit) for hit in items), default=0.0)
    hits = [hit for hit in items if is_informative(_score_without_decay(hit), best)]
    rows = messages_at(conversation_id, [hit.message_id for hit in hits if hit.message_id])
    messages_by_id = {message.id: message for message in rows}
    sources = sources_of([hit.id for hit in hits if hit.message_id is None])
    for hit in hits:
        if hit.message_id is None:
            yield _memory(hit, _messages(sources.get(hit.id, ())))
        elif row := messages_by_id.get(hit.message_id):
            yield _message(hit, row)


def _memory(hit: Hit, message_ids: tuple[str, ...]) -> RetrievedItem:
    return RetrievedItem(
        id=str(hit.id),
        origin=hit.uri,
        text=hit.abstract or hit.snippet,
        sources=message_ids,
        correction=_correction(hit),
        score=_rounded(hit.score),
        similarity=_rounded(hit.similarity),
        version=hit.version,
    )


def _message(hit: Hit, row: Message) -> RetrievedItem:
    return RetrievedItem(
        id=str(row.id),
        origin=_origin(hit),
        text=display_text(engine_message(row)),
        index=row.index,
        correction=_correction(hit),
        score=_rounded(hit.score),
        similarity=_rounded(hit.similarity),
    )


def _rounded(value: float) -> float:
    """Round a number that changes a little with every millisecond of decay."""
    return round(value, _DIGITS)


def _messages(sources: Sequence[SourceRecord]) -> tuple[str, ...]:
    """Ids of the messages a memory was derived from; none if it has other sources too."""
    return tuple(one.reference for one in sources) if all(one.kind == SourceKind.MESSAGE for one in sources) else ()


def _correction(hit: Hit) -> str:
    if hit.replaced_by and hit.replaced_at:
        return superseded_note(hit.replaced_by, f"{hit.replaced_at:%Y-%m-%d}")
    return disputed_note(hit.disputed_by) if hit.disputed_by else ""


def _score_without_decay(hit: Hit) -> float:
    return hit.score / hit.relevance


def _origin(hit: Hit) -> str:
    return f"{hit.index} {hit.name or hit.role} {hit.occurred_at:%Y-%m-%d}"


def memory_ids(items: Sequence[RetrievedItem]) -> list[UUID]:
    """Ids of the items that are memories."""
    return [UUID(one.id) for one in items if one.index is None]
