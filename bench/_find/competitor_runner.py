"""Time memory search of other libraries on PostgreSQL; runs in their own environment.

Each library uses its defaults and the same embedder, and searches ten memories of one person. The program prints
`ready` once it has stored the memories, and runs as many questions as each line on stdin says.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import psycopg
from langchain_core.embeddings import Embeddings
from langgraph.store.postgres import PostgresStore
from langgraph.store.postgres.base import PutOp
from mem0 import Memory

from apps.llm.embedding.static_vectors import static_vectors

DIMENSIONS, WANTED, BATCH = 256, 10, 500

Find = Callable[[str, str], Sequence[str]]


class OurEmbeddings(Embeddings):
    """Our embedding model."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector.tolist() for vector in static_vectors(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def embed(self, text: str, memory_action: str = "") -> list[float]:
        return self.embed_query(text)


def main(folder: Path, url: str, open_ones: ExitStack) -> None:
    task = json.loads((folder / "task.json").read_text())
    memories, questions = task["memories"], task["questions"]
    exact = list(_exact(memories, questions, np.load(folder / "vectors.npy")))
    for name, ready in (("langgraph-checkpoint-postgres", _langgraph), ("mem0ai", _mem0)):
        begun = time.perf_counter()
        find = ready(memories, OurEmbeddings(), url, open_ones)
        added = time.perf_counter() - begun
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ANALYZE")
        line = _timed(find, questions, exact)
        measured = {"peer": f"{name} {version(name)}", "memories": len(memories), **line}
        print(json.dumps({**measured, "added_per_s": round(len(memories) / added)}), flush=True)


def _langgraph(memories: Sequence[tuple[str, str]], same: OurEmbeddings, url: str, open_ones: ExitStack) -> Find:
    index: Any = {"dims": DIMENSIONS, "embed": same, "fields": ["text"]}
    store = open_ones.enter_context(PostgresStore.from_conn_string(url, index=index))
    store.setup()
    for begin in range(0, len(memories), BATCH):
        batch = memories[begin : begin + BATCH]
        store.batch([PutOp(("memories", owner), str(uuid4()), {"text": text}) for owner, text in batch])

    def find(owner: str, text: str) -> Sequence[str]:
        return [item.value["text"] for item in store.search(("memories", owner), query=text, limit=WANTED)]

    return find


def _mem0(memories: Sequence[tuple[str, str]], same: OurEmbeddings, url: str, open_ones: ExitStack) -> Find:
    store = {"connection_string": url, "embedding_model_dims": DIMENSIONS, "collection_name": "memories"}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "pgvector", "config": store},
            "embedder": {"provider": "openai", "config": {"embedding_dims": DIMENSIONS}},
        }
    )
    # It has no setting for a custom embedder.
    memory.embedding_model = same
    for begin in range(0, len(memories), BATCH):
        batch = memories[begin : begin + BATCH]
        memory.vector_store.insert(
            same.embed_documents([text for _, text in batch]),
            [{"data": text, "user_id": owner, "hash": "", "created_at": None} for owner, text in batch],
            [str(uuid4()) for _ in batch],
        )

    def find(owner: str, text: str) -> Sequence[str]:
        found = memory.search(text, filters={"user_id": owner}, top_k=WANTED, threshold=0.0)
        return [item["memory"] for item in found["results"]]

    return find


def _timed(find: Find, questions: Sequence[tuple[str, str]], exact: Sequence[set[str]]) -> dict[str, Any]:
    times: list[float] = []
    rows: list[int] = []
    shares: list[float] = []
    left = zip(questions, exact, strict=True)
    print("ready", flush=True)
    while len(times) < len(questions):
        for (owner, text), nearest in islice(left, int(sys.stdin.readline())):
            begun = time.perf_counter()
            found = find(owner, text)
            times.append(1_000 * (time.perf_counter() - begun))
            rows.append(len(found))
            shares.append(len(nearest & set(found)) / len(nearest))
        print("asked", flush=True)
    ordered = sorted(times)
    return {
        "p50_ms": round(ordered[len(ordered) // 2], 3),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 3),
        "rows": round(sum(rows) / len(rows), 2),
        "recall_at_10": round(sum(shares) / len(shares), 3),
        "samples": len(times),
    }


def _exact(memories: Any, questions: Any, vectors: Any) -> Iterator[set[str]]:
    """Yield the texts of the ten nearest memories of the person."""
    owners = np.array([owner for owner, _ in memories])
    for number, (owner, _) in enumerate(questions):
        own = np.flatnonzero(owners == owner)
        near = vectors[own] @ vectors[len(memories) + number]
        yield {memories[place][1] for place in own[np.argsort(-near)[:WANTED]]}


if __name__ == "__main__":
    with ExitStack() as stack:
        main(Path(sys.argv[1]), sys.argv[2], stack)
