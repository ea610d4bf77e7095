"""Search memories and messages by words and by meaning, with one statement and without a model.

Actors find only what they may read. Without embeddings only words are compared, and the result says
so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from pgvector import HalfVector

from apps.accounts.actors import Actor
from apps.common.errors import Invalid
from apps.common.reads import fetch_row
from apps.common.tenancy import use_generic_plans
from apps.engine.language.event_dates import EventDate
from apps.engine.memory.categories import Category
from apps.engine.memory.ranking_features import ASKER, WEIGHTS, Question, event_question
from apps.engine.memory.search.spread import spread
from apps.memory.records.search import (
    CORPORA,
    OWNERS,
    Hit,
    QueryVector,
    ScoreParts,
    SearchQuery,
    SearchResult,
    SpaceRecord,
)
from apps.memory.selectors.search.scope import Banks, banks_for, question_for
from apps.memory.selectors.search.search_config import SearchConfig, search_config
from apps.memory.selectors.search.statement import MOST_FOUND, STATEMENTS, SearchRow, search_values

LONGEST_QUERY = 20_000
_CUT = "…"
_NEAR_DATE = WEIGHTS.date / math.e
"""The part of a score by its date within `DATE_DAYS` of it."""
_ANY_IN = """
SELECT FROM mem_passages
WHERE workspace_id = %(workspace)s AND bank = ANY(%(banks)s::uuid[]) AND user_memory_id IS NULL LIMIT 1
"""
# Why only words were compared.
NO_SPACE, NO_MEANING, NOT_MADE = "no_vectors_yet", "nothing_to_compare", "vector_not_made"


def find(actor: Actor, query: SearchQuery, config: SearchConfig | None = None) -> SearchResult:
    """Return the best matches for the query, at most `top_k`. Call it inside a unit of work.

    The query has its embeddings already (`query_vectors.with_vector`). `config` is read if not given.
    """
    find_query_check(query)
    banks = banks_for(actor, query)
    if not banks.every:
        return SearchResult((), by_meaning=False, reason=NO_MEANING)
    question = question_for(actor, query, banks)
    config = config or search_config()
    with use_generic_plans():
        if question.event:
            question = _with_day(question, question.event, query, banks, config)
        vector, reason = _meaning(query, question, config.space)
        rows = _rows(query, banks, question, config, vector)
    subject = rows[0].subject or None if rows else None
    if question.for_several:
        rows = _over_days(rows, query)
    hits = tuple(_hit(row, explain=query.explain) for row in rows)
    return SearchResult(hits, vector is not None, reason, subject, vector, question.for_several)


def _rows(
    query: SearchQuery, banks: Banks, question: Question, config: SearchConfig, vector: QueryVector | None
) -> Sequence[SearchRow]:
    sent = HalfVector(vector.values) if vector else None
    return STATEMENTS[question.weights].rows(SearchRow, search_values(query, banks, question, config, sent))


def _with_day(question: Question, event: EventDate, query: SearchQuery, banks: Banks, config: SearchConfig) -> Question:
    """Date the question by the day of the best match for the event that it is relative to, if one shares its words."""
    day = _day_of(event, query, banks, config)
    named = event.around(day) if day else None
    return question.dated(named) if named else question


def _day_of(event: EventDate, query: SearchQuery, banks: Banks, config: SearchConfig) -> date | None:
    about = event_question(event)
    best = replace(query, query=event.event, top_k=1, include=())
    vector, _ = _meaning(best, about, config.space)
    rows = _rows(best, banks, about, config, vector)
    return next((row.occurred_at.date() for row in rows if row.lexical_part > 0), None)


def _over_days(rows: Sequence[SearchRow], query: SearchQuery) -> list[SearchRow]:
    chosen = spread(
        rows, query.top_k, score=lambda row: row.score, day=lambda row: (row.series, row.occurred_at.date())
    )
    return [*chosen, *(row for row in rows if row.id in query.include and row not in chosen)]


def has_memories(actor: Actor, *, with_own: bool = True) -> bool:
    """Return whether any memory of the tree is the workspace's, or with `with_own` the actor's."""
    banks = [actor.person_id, actor.workspace_id] if with_own else [actor.workspace_id]
    return fetch_row(_ANY_IN, banks=banks) is not None


def find_query_check(query: SearchQuery) -> None:
    """Raise an error for an inconsistent query."""
    if not query.query.strip() or len(query.query) > LONGEST_QUERY or "\0" in query.query:
        raise Invalid(f"The query must have 1 to {LONGEST_QUERY:,} characters.", code="bad_query")
    if not 1 <= query.top_k <= MOST_FOUND:
        raise Invalid(f"`top_k` must be a number from 1 to {MOST_FOUND}.", code="bad_top_k")
    if not (math.isfinite(query.threshold) and 0 <= query.threshold <= 1):
        raise Invalid("The threshold must be a similarity from 0 to 1.", code="bad_threshold")
    if query.corpus not in CORPORA:
        raise Invalid(f"The corpus must be one of {', '.join(CORPORA)}.", code="bad_corpus")
    if query.category is not None and query.category not in set(Category):
        raise Invalid(f"The category must be one of {', '.join(Category)}.", code="bad_category")
    if query.owner is not None and query.owner not in OWNERS:
        raise Invalid(f"The owner must be one of {', '.join(OWNERS)}.", code="bad_owner")
    if query.corpus == "messages" and query.of_memories:
        raise Invalid(
            "Messages cannot be filtered by category, address, trust, tags or owner.", code="filters_of_memories"
        )


def _meaning(query: SearchQuery, question: Question, space: SpaceRecord | None) -> tuple[QueryVector | None, str]:
    """Return the question's embedding in the serving space, or None and the reason."""
    if space is None:
        return None, NO_SPACE
    if query.vectors is None or query.vectors.model != space.model:
        return None, NOT_MADE
    vector = query.vectors.vector_of(question.text)
    return (vector, "") if vector.values.any() else (None, NO_MEANING)


def _hit(row: SearchRow, *, explain: bool) -> Hit:
    snippet = " ".join(row.snippet.split())
    hit = partial(
        Hit,
        id=row.id,
        score=row.score,
        similarity=row.similarity,
        relevance=row.relevance,
        snippet=_CUT + snippet if row.is_cut else snippet,
        occurred_at=row.occurred_at,
        parts=_parts(row) if explain else None,
        directory=None if row.user_memory_id else row.series,
        shares_words=row.lexical_part > 0,
        matches=_matches(row),
    )
    if row.user_memory_id is not None:
        return hit("user_memory", type=row.memory_type or "", key=row.key or "")
    return _message(hit, row) if row.node_id is None else _memory(hit, row)


def _matches(row: SearchRow) -> bool:
    """Whether words, meaning, the date, the person asked about or neighbors speak for it, and not only that it is the
    asker's."""
    by_asker = row.subject == ASKER
    by_person = 0.0 if by_asker or row.node_id else row.actor_part
    by_neighbors = row.window_part - by_asker * WEIGHTS.window * WEIGHTS.base_actor
    return max(row.lexical_part, row.similarity, by_neighbors, by_person) > 0 or row.date_part >= _NEAR_DATE


def _message(hit: Callable[..., Hit], row: SearchRow) -> Hit:
    return hit(
        "message",
        conversation_id=row.conversation_id,
        message_id=row.message_id,
        index=row.index,
        role=row.role,
        name=row.name,
        tool_text=row.tool_text or "",
        replaced_by=row.replaced_by or "",
        replaced_at=row.replaced_at,
    )


def _memory(hit: Callable[..., Hit], row: SearchRow) -> Hit:
    return hit(
        "memory",
        uri=row.uri,
        abstract=row.abstract,
        category=row.category,
        trust=row.trust,
        tags=tuple(row.tags or ()),
        owner_id=row.owner_id,
        version=row.version,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        disputed_by=row.disputed_by or "",
    )


def _parts(row: SearchRow) -> ScoreParts:
    return ScoreParts(
        lexical=row.lexical_part,
        similarity=row.similarity_part,
        actor=row.actor_part,
        date=row.date_part,
        short_question=row.short_question_part,
        window=row.window_part,
    )
