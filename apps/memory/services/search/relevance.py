"""The chance of what was found that it is relevant, by the judge of this installation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.language.chit_chat import is_chit_chat
from apps.engine.memory.search.intent import intent_by_rules
from apps.llm.errors import ModelError
from apps.llm.relevance.installed import chances_for_each, require_judge
from apps.memory.records.search import Hit, SearchQuery
from apps.memory.selectors.quotable import quotable_elsewhere
from apps.memory.selectors.search.find import find, has_memories
from apps.memory.selectors.search.relevance import is_likely, least_chance
from apps.memory.selectors.search.search_config import SearchConfig

MOST_JUDGED = 24
"""Memories of a search that are judged at most, each in some milliseconds."""
_BATCH, _BATCH_OF_REPLY = 6, 3
"""So many of the best are judged, and as many more while any of them is relevant; fewer at once where a reply waits."""
MOST_MESSAGES_JUDGED = 3
"""Messages of other conversations that are judged."""
_TIMEOUT_S = 0.25
"""A reply waits so long while the judge is busy with other messages; then likeness decides."""


def can_judge() -> bool:
    """Whether the judge of relevance is installed."""
    try:
        require_judge()
    except ModelError:
        return False
    return True


def query_chances(actor: Actor, query: SearchQuery, config: SearchConfig) -> Mapping[UUID, float] | None:
    """Return the chances of the best memories, and of the best messages of other conversations; None without a judge.

    `query`, which has its embeddings, says which conversations are searched. Nothing is relevant to chit-chat. A judge
    that is busy with other messages is as none. Call it outside a unit of work.
    """
    if is_chit_chat(query.query):
        return {}
    if not can_judge():
        return None
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        memories, messages = _memories(actor, query, config), _messages(actor, query, config)
    best = memories[:_BATCH_OF_REPLY]
    try:
        first = _judged(query.query, (*best, *messages), _TIMEOUT_S)
    except ModelError:
        return None
    least = least_chance(query.min_chance, config)
    following = _with_following(query.query, memories, least, first[: len(best)], timeout_s=0)
    return {hit.id: hit.chance for hit in (*following, *first[len(best) :]) if hit.chance is not None}


def _memories(actor: Actor, query: SearchQuery, config: SearchConfig) -> Sequence[Hit]:
    if not (has_memories(actor, with_own=query.with_own_memories) or query.with_user_memory):
        return ()
    own = replace(query, corpus="memories", conversation_id=None, other_conversations="none", top_k=MOST_JUDGED)
    return find(actor, own, config).hits


def _messages(actor: Actor, query: SearchQuery, config: SearchConfig) -> Sequence[Hit]:
    if query.other_conversations == "none":
        return ()
    others = replace(query, corpus="messages", other_conversations="only", top_k=3 * MOST_MESSAGES_JUDGED)
    hits = find(actor, others, config).hits
    quotable = quotable_elsewhere(actor.person_id, [hit.id for hit in hits])
    return [hit for hit in hits if hit.id in quotable][:MOST_MESSAGES_JUDGED]


def likely_hits(text: str, hits: Sequence[Hit], least: float) -> tuple[Hit, ...]:
    """Return the messages, and the memories with at least a chance; raises `ModelError` if there is no judge."""
    judged = with_memory_chances(text, hits, least)
    return tuple(hit for hit in judged if hit.kind == "message" or is_likely(hit, least))


def with_memory_chances(text: str, hits: Sequence[Hit], least: float) -> list[Hit]:
    """Return the hits, the best memories among them with their chance, as `judged_hits` does."""
    memories = {hit.id: hit for hit in judged_hits(text, [hit for hit in hits if hit.kind != "message"], least)}
    return [memories.get(hit.id, hit) for hit in hits]


def judged_hits(text: str, hits: Sequence[Hit], least: float) -> list[Hit]:
    """Return the best hits with their chances; it goes on while any of a batch has at least a chance.

    Call it outside a unit of work; raises `ModelError` if there is no judge.
    """
    return _with_following(text, hits, least, _judged(text, hits[:_BATCH]))


def _with_following(
    text: str, hits: Sequence[Hit], least: float, judged: Sequence[Hit], timeout_s: float | None = None
) -> list[Hit]:
    """Add batches of the size of the first one to it; with a timeout, as long as the judge is not busy."""
    every, size = list(judged), len(judged)
    while len(every) < min(len(hits), MOST_JUDGED) and any(is_likely(hit, least) for hit in every[-size:]):
        try:
            every += _judged(text, hits[len(every) : len(every) + size], timeout_s)
        except ModelError:
            if timeout_s is None:
                raise
            break
    return every


def _judged(text: str, hits: Sequence[Hit], timeout_s: float | None = None) -> list[Hit]:
    """The hits with their chances: what one of several questions calls for, all of them together hardly seem to.

    Hits with the same text are judged once.
    """
    asked = list(dict.fromkeys((text, *(one.text for one in intent_by_rules(text).sub_queries))))
    memories = list(dict.fromkeys(map(_text, hits)))
    chances = zip(*chances_for_each(asked, memories, timeout_s), strict=True)
    best = dict(zip(memories, map(max, chances), strict=True))
    return [replace(hit, chance=best[_text(hit)]) for hit in hits]


def _text(hit: Hit) -> str:
    return hit.abstract or hit.snippet
