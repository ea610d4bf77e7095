"""Run questions by the product's service, and the same statement by the bare driver."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from django.db import connection, connections

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.memory.models import Embedding
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.embedding_spaces import vector_text
from apps.memory.services.search.find import memories_find
from bench._find.corpus import question_text
from bench._packs.percentiles import took_ms

NEAREST = 10
_NEAR = """
SELECT passage_id FROM mem_embeddings WHERE workspace_id = %s AND bank = %s
ORDER BY vector <#> %s::halfvec LIMIT 10
"""

_SETTINGS = """
SELECT set_config('app.workspace', %s, true), set_config('plan_cache_mode', 'force_generic_plan', true)
"""


def ask(person: Actor, number: int) -> int:
    """Search as the API does; return the number of hits."""
    return len(memories_find(person, query=SearchQuery(question_text(number), top_k=NEAREST)).hits)


def asker_of(people: Sequence[Actor], number: int) -> Actor:
    """Choose the person of a question, so that successive questions are of different people."""
    return people[(7 * number) % len(people)]


class Floor:
    """Sends the product's statement for a question in one transaction with the same role, prepared and planned once."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url, autocommit=True)

    def took_ms(self, person: Actor, number: int) -> float:
        statement, values = self._recorded_statement(person, number)

        def send() -> None:
            with self.connection.transaction():
                self.connection.execute(_SETTINGS, [str(person.workspace_id)])
                psycopg.RawCursor(self.connection).execute(statement, values).fetchall()

        return took_ms(send)

    def _recorded_statement(self, person: Actor, number: int) -> tuple[bytes, Any]:
        """Return the longest statement of a search."""
        recorded: list[tuple[str, Any]] = []

        def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            recorded.append((sql, params))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(listen):
            ask(person, number)
        sql, values = max(recorded, key=lambda one: len(one[0]))
        return sql.encode(), values


def recall(person: Actor, numbers: Sequence[int]) -> float:
    """Return the recall of SQL's ten nearest against numpy over all vectors."""
    with workspace(person.workspace_id):
        rows = list(Embedding.objects.filter(bank=person.user_id).values_list("passage_id", "vector"))
        ids, vectors = [row[0] for row in rows], np.array([list(row[1]) for row in rows], dtype=np.float32)
        shares = [_share(person, question_text(number), ids, vectors) for number in numbers]
    return round(float(np.mean(shares)), 3)


def _share(person: Actor, text: str, ids: Sequence[UUID], vectors: Any) -> float:
    (query,) = WordLlamaEmbedder().embed([text])
    near = vectors @ query
    exact = {ids[place] for place in np.argsort(-near)[:NEAREST]}
    with connection.cursor() as cursor:
        cursor.execute(_NEAR, [person.workspace_id, person.user_id, vector_text(query)])
        return len(exact & {row[0] for row in cursor.fetchall()}) / len(exact)


def at_once(people: Sequence[Actor], clients: int, seconds: float) -> tuple[list[float], float]:
    """Search with concurrent clients for some seconds; return the times, and the searches per second."""
    end = time.perf_counter() + seconds

    def client(number: int) -> list[float]:
        times: list[float] = []
        try:
            while time.perf_counter() < end:
                place = number + clients * len(times)
                person = people[place % len(people)]
                times.append(took_ms(lambda: ask(person, place)))  # noqa: B023  # called at once
        finally:
            connections.close_all()
        return times

    with ThreadPoolExecutor(clients) as threads:
        times = [took for client_times in threads.map(client, range(clients)) for took in client_times]
    return times, round(len(times) / seconds, 1)
