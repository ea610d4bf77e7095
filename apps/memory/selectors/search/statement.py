"""The search statement `search.sql`: its constants, its parameters and its rows."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils import timezone
from pgvector import HalfVector

from apps.common.sql import Statement, sql_file
from apps.common.tenancy import current_workspace_id
from apps.engine.language.search_words.analysis import search_words
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.engine.memory.ranking_features import (
    CANDIDATES,
    DATE_DAYS,
    LENGTH_SHARE,
    LIST_WEIGHTS,
    SATURATION,
    SHORT_QUESTION_LENGTH,
    WEIGHTS,
    WINDOW,
    Question,
    Weights,
)
from apps.engine.memory.trust import Trust, lowest
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.scope import Banks
from apps.memory.selectors.search.search_config import SearchConfig

MAX_TERMS = 64
MOST_FOUND = CANDIDATES
MOST_EXACT = 5_000
"""Among so many passages every vector is compared as a whole, which is as fast as comparing signs first."""
RESCORED, PER_RESCORED = 400, 120
"""Among more, so many are whose signs differ least from the query's, and one more for each `PER_RESCORED` passages.

Among 8,000 to 60,000 vectors of texts they hold 99 to 99.8 % of the ten nearest, and no more if a mean is subtracted.
"""
SAMPLED, NEAR_IN_SAMPLE = 2_000, 150
"""Vectors whose so many nearest bound the distances worth sorting: 7.5 %.

That is more than are rescored in all but the smallest of these banks.
"""
# Results to choose from, for each one wanted, when they are spread over days.
_CHOICE = 3
SNIPPET_LENGTH, SNIPPET_LEAD = 300, 80
_OF_PARTS = re.compile(r"^((?:base_|memory_)?)(.+)")


def _named(weights: Weights) -> dict[str, float]:
    """The names of the weights in the statement: `weight_…`, `base_weight_…` and `memory_weight_…`."""
    return {_OF_PARTS.sub(r"\1weight_\2", name): weight for name, weight in asdict(weights).items()}


def _statement(weights: Weights) -> Statement:
    return sql_file(
        Path(__file__).with_name("search.sql"),
        max_terms=MAX_TERMS,
        candidates=CANDIDATES,
        most_exact=MOST_EXACT,
        sampled=SAMPLED,
        near_in_sample=NEAR_IN_SAMPLE,
        rescored=RESCORED,
        per_rescored=PER_RESCORED,
        short_question_length=SHORT_QUESTION_LENGTH,
        neighbors=WINDOW,
        date_days=DATE_DAYS,
        bm25_k1=SATURATION,
        bm25_b=LENGTH_SHARE,
        snippet_length=SNIPPET_LENGTH,
        snippet_lead=SNIPPET_LEAD,
        **_named(weights),
    )


STATEMENTS = {weights: _statement(weights) for weights in (WEIGHTS, LIST_WEIGHTS)}
"""The search statement for each set of weights, which are constants of it."""


@dataclass(frozen=True, slots=True)
class SearchRow:
    """One row of the statement: a memory, a message or an item of user memory; `id` is its id."""

    id: UUID
    node_id: UUID | None
    message_id: UUID | None
    user_memory_id: UUID | None
    series: UUID
    occurred_at: datetime
    score: float
    similarity: float
    relevance: float
    subject: str
    lexical_part: float
    similarity_part: float
    actor_part: float
    date_part: float
    short_question_part: float
    window_part: float
    uri: str | None
    abstract: str | None
    category: str | None
    trust: str | None
    tags: list[str] | None
    owner_id: UUID | None
    version: int | None
    valid_from: datetime | None
    valid_to: datetime | None
    replaced_by: str | None
    replaced_at: datetime | None
    disputed_by: str | None
    conversation_id: UUID | None
    index: int | None
    role: str | None
    name: str | None
    tool_text: str | None
    memory_type: str | None
    key: str | None
    snippet: str
    is_cut: bool


def search_values(
    query: SearchQuery, banks: Banks, question: Question, config: SearchConfig, vector: HalfVector | None
) -> dict[str, Any]:
    """The statement's parameters. Without a vector, words alone decide."""
    named, policy = question.named, config.policy
    return {
        "workspace": current_workspace_id(),
        "banks": banks.every,
        "memory_banks": list(banks.memories),
        "readers": list(banks.readers),
        "query_words": search_words(question.text),
        "people": list(question.people),
        "phrases": list(question.phrases),
        "query_vector": vector,
        "space": config.space.id if config.space else None,
        "top_k": min(MOST_FOUND, query.top_k * _CHOICE) if question.for_several else query.top_k,
        "threshold": query.threshold,
        "with_user_memory": query.with_user_memory,
        "month": named.month if named else None,
        "day": named.day if named else None,
        "first_date": named.first if named else None,
        "last_date": named.last if named else None,
        "now_epoch": timezone.now().timestamp(),
        "relevance_floor": policy.relevance_floor_percent / 100,
        "half_life_days": policy.memory_half_life_days,
        "exempt_uri": RELATIONAL_PROFILE.text,
        **_filters(query),
    }


def _filters(query: SearchQuery) -> dict[str, Any]:
    first, end = query.within.descendant_range if query.within else (None, None)
    filters_memories = bool(query.category or query.within or query.trust_at_least or query.tags)
    return {
        "is_filtered": filters_memories or any((query.since, query.until, query.as_of)),
        "since": query.since,
        "until": query.until,
        "as_of": query.as_of,
        "filters_memories": filters_memories,
        "category": query.category or None,
        "within": query.within.text if query.within else None,
        "within_first": first,
        "within_end": end,
        "trusts": _trusts(query.trust_at_least),
        "tags": list(query.tags) or None,
        "directories": list(query.directories) or None,
        "include": list(query.include) or None,
    }


def _trusts(least: Trust | None) -> list[str] | None:
    """Return the trust levels at or above `least`."""
    return [trust.value for trust in Trust if lowest((trust, least)) is least] if least else None
