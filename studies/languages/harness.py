"""Harness of the study of languages: memories in the running product, found by their questions."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.categories import Category, named_address
from apps.llm.embedding.registry import default_embedder_name, embedder_named
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.node_drafts import NodeDraft
from studies.engine.retention import FindRetention
from studies.languages.ranks import ENGLISH, FITTED, HELD_OUT, OWN, Ranks
from studies.retrieval_harness import run_due_jobs
from studies.workspaces import alice

_TOP_K = 10
_NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory of one language with its questions."""

    actor: Actor
    language: str
    memory_id: UUID
    half: str
    questions: dict[str, str]


def ranks_by_language(folder: Path) -> tuple[Ranks, list[str]]:
    """Store and index all memories, ask for each: the ranks, and the fitted questions whose memory is not the first."""
    # Without the model, words alone would be measured.
    embedder_named(default_embedder_name(), workspace_id=_NOBODY)
    stored = [one for path in sorted(folder.glob("*.json")) for one in _stored(path)]
    run_due_jobs()
    ranks: dict[tuple[str, str], FindRetention] = defaultdict(FindRetention)
    missed: list[str] = []
    began = time.perf_counter()
    for one in stored:
        for asked_in, question in one.questions.items():
            found = _found(one.actor, question)
            retention = ranks[one.language, asked_in]
            retention.note(one.half, str(one.memory_id), found)
            if one.half == FITTED and found[:1] != [str(one.memory_id)]:
                missed.append(f"{one.language}, place {retention.ranks[-1][1]}: {question}")
    took_ms = 1_000 * (time.perf_counter() - began) / (2 * len(stored))
    print(f"{took_ms:.1f} ms per question", file=sys.stderr)
    return ranks, missed


def _stored(path: Path) -> list[StoredMemory]:
    actor = alice(path.stem)
    memories = json.loads(path.read_text())
    with workspace(actor.workspace_id):
        ids = [
            # The name is searched too, so it says nothing.
            node_create(actor, draft=NodeDraft(named_address(Category.PREFERENCES, f"m{number}"), one["content"])).id
            for number, one in enumerate(memories)
        ]
    return [
        StoredMemory(actor, path.stem, memory_id, _half(number), {OWN: one["question"], ENGLISH: one["english"]})
        for number, (one, memory_id) in enumerate(zip(memories, ids, strict=True))
    ]


def _half(number: int) -> str:
    return HELD_OUT if number % 2 else FITTED


def _found(actor: Actor, question: str) -> list[str]:
    query = with_vector(actor, SearchQuery(question, top_k=_TOP_K, corpus="memories"))
    with workspace(actor.workspace_id):
        hits = find(actor, query).hits
    return [str(hit.id) for hit in hits]
