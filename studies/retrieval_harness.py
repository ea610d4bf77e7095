"""Harness for retrieval studies: recorded conversations imported and indexed by the product's own jobs."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors.retrieval import hit_limit
from apps.context.selectors.retrieved_hits import retrieved_from_hits
from apps.conversations.imports.formats import Source
from apps.conversations.models import Message
from apps.engine.language.search_words.analysis import search_words
from apps.engine.memory.categories import Category, named_address
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.pack.builder import build_pack, window_pack
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.pack.provider_formats import render_plain
from apps.engine.pack.retrieved import RetrievedItem
from apps.jobs.models import DueJob
from apps.jobs.services import claim_due, run_job
from apps.llm.embedding.registry import default_embedder_name, embedder_named
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.embedding_spaces import vector_text
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector, with_vectors
from apps.memory.services.search.tree_search import memories_search
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.turns.services.imports.batches import ImportRequest, conversation_import
from studies.coverage import replay_sample
from studies.engine.abstention import Abstention
from studies.engine.coverage import Share, evidence_in
from studies.relevance_decision import finds_relevant
from studies.samples import Sample
from studies.workspaces import alice

MOST = 200
# Jobs become due within seconds.
_SOON_S, _IDLE_ENOUGH = 0.05, 140
_INDEXES = ("memory_messages", "memory_vectors")

_DENSE = """
SELECT p.place FROM mem_embeddings AS e JOIN mem_passages AS p ON p.id = e.passage_id
WHERE e.workspace_id = %(workspace)s AND e.bank = %(bank)s ORDER BY e.vector <=> %(vector)s::halfvec LIMIT %(most)s
"""
# IDF-weighted words; BM25 with k1 = 0.9, b = 0.5 and each word counted once.
_WORDS = """
WITH query_terms AS (SELECT unnest(tsvector_to_array(stemmed_words(%(words)s))) AS word),
bank AS (SELECT count(*) AS n, avg(word_count) AS mean FROM mem_passages
    WHERE workspace_id = %(workspace)s AND bank = %(bank)s),
hit AS (SELECT p.place, p.word_count, count(*) OVER (PARTITION BY query_terms.word) AS df
    FROM mem_passages AS p JOIN query_terms ON p.words @@ quote_literal(query_terms.word)::tsquery
    WHERE p.workspace_id = %(workspace)s AND p.bank = %(bank)s)
SELECT place FROM hit CROSS JOIN bank GROUP BY place
ORDER BY sum(ln(1 + (n - df + 0.5) / (df + 0.5)) * 1.9 / (1 + 0.9 * (0.5 + 0.5 * word_count / mean))) DESC
LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Ranking:
    by: str
    turns: list[str]
    took_ms: float


class Library:
    """All conversations of a file in a workspace of Alice; `ms_per_turn` is the indexing time per message."""

    def __init__(self, path: Path) -> None:
        self.actor = alice("Acme")
        with path.open("rb") as file:
            request = ImportRequest(Source(path.name))
            report = conversation_import(self.actor, file=file, request=request, on_progress=lambda _: None)
        print(f"Indexing {report.stored:,} messages.", file=sys.stderr)
        self.ms_per_turn = 1_000 * run_due_jobs() / report.stored

    def conversation(self, sample: Sample) -> RecordedConversation:
        with workspace(self.actor.workspace_id):
            rows = Message.objects.filter(external_id__startswith=f"{sample.name}:").order_by("index")
            named = [(row.conversation_id, row.index, str(row.external_id).partition(":")[2]) for row in rows]
        return RecordedConversation(self, sample, named[0][0], {index: name for _, index, name in named})


@dataclass(frozen=True)
class RecordedConversation:
    """One conversation; `names` maps message indexes to turns."""

    library: Library
    sample: Sample
    id: UUID
    names: dict[int, str]

    def rankings(self, question: str) -> Iterator[Ranking]:
        """Rank the turns by the search and by baselines."""
        values = {"words": search_words(question), "vector": self._vector(question), "most": MOST}
        yield self._ranked("find", lambda: self._found(question))
        yield self._ranked("search", lambda: self._searched(question))
        yield self._ranked("meaning alone", lambda: self._rows(_DENSE, values))
        yield self._ranked("words alone (BM25)", lambda: self._rows(_WORDS, values))
        yield self._ranked("recency", lambda: sorted(self.names, reverse=True)[:MOST])

    def packed(self, budget: int) -> tuple[Share, Share]:
        """Evidence coverage of packs and of windows of the same budget, over all questions."""
        replay, epoch, _ = replay_sample(self.sample, budget)
        pack, window = Share(), Share()
        for question, query in zip(self.sample.questions, self._queries, strict=True):
            turns = [self.sample.turns[name].content for name in question.evidence]
            retrieved = self._retrieved_items(query, budget, replay.messages)
            sources = replace(replay.sources(question.text), retrieved=retrieved)
            pack += _covered(partial(build_pack, sources, budget, replay.policy, epoch), turns)
            window += _covered(partial(window_pack, replay.window(question.text), budget, replay.policy), turns)
        return pack, window

    @cached_property
    def _queries(self) -> list[SearchQuery]:
        """All questions, embedded at once: a unit of work must not wait for the embedder of a busy machine."""
        return with_vectors(self.library.actor, [self._query(question.text) for question in self.sample.questions])

    def note_abstention(self, abstention: Abstention) -> None:
        """Search for each question, and for those without an answer here."""
        unanswerable = with_vectors(self.library.actor, list(map(self._query, self.sample.unanswerable)))
        for queries, is_answerable in ((self._queries, True), (unanswerable, False)):
            for query in queries:
                is_found = finds_relevant(self.library.actor, query)
                abstention.note(is_answerable=is_answerable, is_found=is_found)

    def _retrieved_items(
        self, query: SearchQuery, budget: int, messages: Sequence[EngineMessage]
    ) -> tuple[RetrievedItem, ...]:
        """The items that the product would retrieve, with the ids of the replay, so that none is shown twice."""
        with workspace(self.library.actor.workspace_id):
            found = find(self.library.actor, replace(query, top_k=hit_limit(budget)))
            items = retrieved_from_hits(self.id, found.hits)
            return tuple(replace(item, id=messages[item.index].id) for item in items if item.index is not None)

    def _query(self, question: str) -> SearchQuery:
        return SearchQuery(question, top_k=MOST, corpus="messages", conversation_id=self.id)

    def _found(self, question: str) -> list[int]:
        query = with_vector(self.library.actor, self._query(question))
        with workspace(self.library.actor.workspace_id):
            hits = find(self.library.actor, query).hits
        return [hit.index for hit in hits if hit.index is not None]

    def _searched(self, question: str) -> list[int]:
        """What a search ranks, without its abstention, which is measured by itself."""
        result = memories_search(self.library.actor, query=self._query(question), abstains=False)
        return [one.hit.index for one in result.hits if one.hit.index is not None]

    def _vector(self, question: str) -> str:
        embedder = embedder_named(default_embedder_name(), workspace_id=self.library.actor.workspace_id)
        (vector,) = embedder.embed_queries([question])
        return vector_text(vector)

    def _rows(self, statement: str, values: dict[str, Any]) -> list[int]:
        workspace_id = self.library.actor.workspace_id
        with workspace(workspace_id), connection.cursor() as cursor:
            cursor.execute(statement, {**values, "workspace": workspace_id, "bank": self.id})
            return [place for (place,) in cursor.fetchall()]

    def _ranked(self, by: str, ranked: Callable[[], list[int]]) -> Ranking:
        began = time.perf_counter()
        places = ranked()
        took_ms = 1_000 * (time.perf_counter() - began)
        return Ranking(by, [self.names[place] for place in places], took_ms)


def _covered(build: Callable[[], ContextPack], turns: Sequence[str]) -> Share:
    """Count the turns in a pack; none if the budget is too small for the question."""
    try:
        return evidence_in(render_plain(build()), turns)
    except BudgetExceeded:
        return Share(0, len(turns))


def memories_store(actor: Actor, memories: Sequence[Mapping[str, Any]]) -> list[UUID]:
    """Store memories of the form of `memories.json`, and wait until they are indexed; return their ids."""
    with workspace(actor.workspace_id):
        drafts = [NodeDraft(named_address(Category(m["category"]), m["name"]), m["content"]) for m in memories]
        ids = [node_create(actor, draft=draft).id for draft in drafts]
    run_due_jobs()
    return ids


def run_due_jobs() -> float:
    """Run due jobs like a worker until everything is indexed; return the seconds spent on indexing."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    seconds = 0.0
    idle = 0
    while idle < _IDLE_ENOUGH:
        claims = claim_due(10)
        for claim in claims:
            indexes = DueJob.objects.get(pk=claim.job_id).kind in _INDEXES
            began = time.perf_counter()
            run_job(claim.job_id, claim.token)
            seconds += indexes * (time.perf_counter() - began)
        idle = 0 if claims else idle + 1
        time.sleep(0 if claims else _SOON_S)
    return seconds
