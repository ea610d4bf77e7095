"""One question at a time: by the product's own function, and by the same statement from a bare driver."""

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
from apps.memory.records.search import FindWish
from apps.memory.selectors.search.embedding_spaces import vector_text
from apps.memory.services.find import memories_find
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
    """As the web calls it. How many rows came."""
    return len(memories_find(person, wish=FindWish(question_text(number), top_k=NEAREST)).hits)


def asker_of(people: Sequence[Actor], number: int) -> Actor:
    """Neighbours in the order of questions are none among people."""
    return people[(7 * number) % len(people)]


class Floor:
    """The statement that the product sends for a question, sent again in one transaction with the same role.

    It is prepared and planned once, as the product's.
    """

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url, autocommit=True)

    def took_ms(self, person: Actor, number: int) -> float:
        statement, values = self._heard(person, number)

        def send() -> None:
            with self.connection.transaction():
                self.connection.execute(_SETTINGS, [str(person.workspace_id)])
                psycopg.RawCursor(self.connection).execute(statement, values).fetchall()

        return took_ms(send)

    def _heard(self, person: Actor, number: int) -> tuple[bytes, Any]:
        """The longest statement of the search."""
        heard: list[tuple[str, Any]] = []

        def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            heard.append((sql, params))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(listen):
            ask(person, number)
        sql, values = max(heard, key=lambda one: len(one[0]))
        return sql.encode(), values


def recall(person: Actor, numbers: Sequence[int]) -> float:
    """How many of the ten nearest, calculated over every vector, the bank's own scan gives."""
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
    """So many ask again and again for a while: the times, and how many answers came in a second."""
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
        times = [took for taken in threads.map(client, range(clients)) for took in taken]
    return times, round(len(times) / seconds, 1)
