"""The nearest vectors in large banks: what the search statement takes for them, beside an exact scan of the same bank.

The statement is cut after its nearest vectors, and given the count of passages before them, which its words need
anyway. The exact scan is what the statement did before: every vector by the index on its bank, as the same role and
with a generic plan, which was never parallel. One runs after the other, each with its own pages in memory.

Texts for 100,000 vectors would take minutes to embed. So each vector is the mean of two of the default model's vectors
of the corpus, in varying shares, with a little noise: that keeps their distribution, in which few directions hold most
of the variance. Signs find slightly less among them than among 8,000 real texts. (Independent normal numbers, which no
model yields, are the hardest for signs.)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import psycopg
from pgvector import HalfVector

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.ranking_features import WEIGHTS, read_question
from apps.llm.embedding.model_ids import MINILM
from apps.llm.embedding.registry import embedder_named
from apps.memory.records.search import SearchQuery, SpaceRecord
from apps.memory.selectors.search.embedding_spaces import vector_text
from apps.memory.selectors.search.scope import Banks
from apps.memory.selectors.search.search_config import SearchConfig, search_config
from apps.memory.selectors.search.statement import STATEMENTS, search_values
from bench._find.corpus import FIRST_DAY, memory_text, question_text
from bench._packs.percentiles import p50, took_ms
from config.stack.postgres import APPLICATION, SUPERUSER, Postgres

SIZES = (20_000, 100_000)
# Prime numbers: every vector is another combination.
TEXTS, NOISES = 2_003, 1_009
NOISE = 0.3
QUESTIONS, WARM = 30, 3
NEAREST = 10
_SETTINGS = """
SELECT set_config('app.workspace', %s, true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('max_parallel_workers_per_gather', '0', true)
"""
_EXACT = """
SELECT passage_id FROM mem_embeddings
WHERE workspace_id = $1 AND bank = ANY ($2::uuid[]) AND space_id = $3
ORDER BY vector <#> $4::halfvec, passage_id LIMIT 200
"""
_SPACE = """
INSERT INTO mem_spaces
    (id, workspace_id, model, dimension, state, created_at, since, chosen, failures, error_code, error)
VALUES (%(space)s, %(workspace)s, 'large', %(dimension)s, 'retired', now(), now(), false, 0, '', '')
"""
_PASSAGES = """
INSERT INTO mem_passages (id, workspace_id, bank, node_id, series, session, actor, occurred_at, words, word_count,
    char_count, is_question, text_hash, tool_text)
SELECT uuidv7(), %(workspace)s, %(bank)s, uuidv7(), %(bank)s, 0, '', now(), '', 10, 60, false, 0, ''
FROM generate_series(1, %(size)s)
"""
_VECTORS = f"""
INSERT INTO mem_embeddings (id, workspace_id, bank, space_id, passage_id, vector)
SELECT uuidv7(), %(workspace)s, %(bank)s, %(space)s, passage.id, l2_normalize(one.vector + other.vector + noise.vector)
FROM (
    SELECT id, row_number() OVER (ORDER BY id) AS number FROM mem_passages WHERE bank = %(bank)s
) AS passage
JOIN parts AS one ON one.kind = 'text' AND one.number = passage.number %% {TEXTS}
JOIN parts AS other ON other.kind = 'share' AND other.number = passage.number * 7 / {TEXTS} %% {TEXTS}
JOIN parts AS noise ON noise.kind = 'noise' AND noise.number = passage.number %% {NOISES}
"""  # noqa: S608  # constants

_CORPUS = re.compile(r"SELECT count\(\*\)::float8 AS passage_count, .* FROM passages")

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A statement and its parameters but for the query's vector, run in one transaction as the application."""

    workspace_id: UUID
    text: str
    values: Mapping[str, Any]

    def ids(self, connection: psycopg.Connection[Any], vector: HalfVector) -> list[UUID]:
        values = list({**self.values, **({"query_vector": vector} if "query_vector" in self.values else {})}.values())
        with connection.transaction():
            connection.execute(_SETTINGS, [str(self.workspace_id)])
            rows = psycopg.RawCursor(connection).execute(self.text.encode(), values, prepare=True).fetchall()
        return [row[0] for row in rows]


def large_bank_lines(postgres: Postgres, actor: Actor) -> Iterator[Line]:
    """Yield a line for each size, the largest last."""
    embedder = embedder_named(MINILM, workspace_id=actor.workspace_id)
    asked = [HalfVector(vector) for vector in embedder.embed([question_text(number) for number in range(QUESTIONS)])]
    texts = np.array(embedder.embed([memory_text(number) for number in range(TEXTS)]))
    space = SpaceRecord(uuid4(), "large", embedder.dimension, "retired", chosen=False)
    with psycopg.connect(postgres.url(SUPERUSER), autocommit=True) as owner:
        _parts_store(owner, texts)
        told = {"workspace": actor.workspace_id, "space": space.id, "dimension": space.dimension}
        owner.execute(_SPACE, told)
        for size in SIZES:
            print(f"Filling a bank of {size:,} vectors.", file=sys.stderr)
            bank = uuid4()
            for statement in (_PASSAGES, _VECTORS):
                owner.execute(statement, {**told, "bank": bank, "size": size})
            owner.execute("VACUUM ANALYZE mem_passages, mem_embeddings")
            with psycopg.connect(postgres.url(APPLICATION), autocommit=True) as connection:
                yield _line(size, space, *_compared(connection, actor, bank, space, size, asked))


def _parts_store(owner: psycopg.Connection[Any], texts: Any) -> None:
    chance = np.random.default_rng(7)
    kinds = {
        "text": texts,
        "share": texts * chance.uniform(size=(TEXTS, 1)),
        "noise": chance.normal(scale=NOISE / texts.shape[1] ** 0.5, size=(NOISES, texts.shape[1])),
    }
    owner.execute("CREATE TEMPORARY TABLE parts (kind text, number bigint, vector halfvec)")
    for kind, rows in kinds.items():
        owner.execute(
            "INSERT INTO parts SELECT %s, number - 1, vector::halfvec"
            " FROM unnest(%s::text[]) WITH ORDINALITY AS part (vector, number)",
            [kind, [vector_text(row) for row in rows]],
        )
    owner.execute("ANALYZE parts")


def _compared(
    connection: psycopg.Connection[Any],
    actor: Actor,
    bank: UUID,
    space: SpaceRecord,
    size: int,
    asked: Sequence[HalfVector],
) -> tuple[list[float], list[float], float]:
    """Return the milliseconds of the exact scan and of ours, and our recall."""
    exact = _asked(_exact_scan(actor, bank, space), connection, asked)
    ours = _asked(_nearest_part(actor, bank, space, size), connection, asked)
    shares = [len(found & best) / NEAREST for (_, found), (_, best) in zip(ours, exact, strict=True)]
    return [took for took, _ in exact], [took for took, _ in ours], sum(shares) / len(shares)


def _asked(
    part: Part, connection: psycopg.Connection[Any], asked: Sequence[HalfVector]
) -> list[tuple[float, set[UUID]]]:
    """Return the milliseconds and the nearest of each question."""
    measured = []
    for vector in (*asked[:WARM], *asked):
        found: list[UUID] = []
        took = took_ms(lambda: found.extend(part.ids(connection, vector)))  # noqa: B023  # called at once
        measured.append((took, set(found[:NEAREST])))
    return measured[WARM:]


def _exact_scan(actor: Actor, bank: UUID, space: SpaceRecord) -> Part:
    values = {"workspace": actor.workspace_id, "banks": [bank], "space": space.id, "query_vector": None}
    return Part(actor.workspace_id, _EXACT, values)


def _nearest_part(actor: Actor, bank: UUID, space: SpaceRecord, size: int) -> Part:
    """The search statement up to its nearest vectors, with the count of passages."""
    statement, query = STATEMENTS[WEIGHTS], SearchQuery("?!")
    question = read_question(query.query, speakers=(), asker=(), today=FIRST_DAY.date())
    with workspace(actor.workspace_id):
        config = SearchConfig(space, search_config().policy)
        values = search_values(query, Banks((), (bank,), ()), question, config, None)
    before = statement.text[: statement.text.index("candidates AS (")].rstrip().removesuffix(",")
    text, counted = _CORPUS.subn(f"SELECT {size}::float8 AS passage_count, 1::float8 AS mean_word_count", before)
    assert counted == 1  # noqa: S101  # it is counted once
    # The parameters are numbered as they occur.
    count = max(int(number) for number in re.findall(r"\$(\d+)", text))
    named = {name: values[name] for name in statement.parameters[:count]}
    return Part(actor.workspace_id, text + "\nSELECT id FROM nearest ORDER BY similarity DESC, id", named)


def _line(size: int, space: SpaceRecord, exact_ms: list[float], ours_ms: list[float], recall: float) -> Line:
    return {
        "bench": "find_large",
        "passages": size,
        "dimension": space.dimension,
        "exact_ms": p50(exact_ms),
        "nearest_ms": p50(ours_ms),
        "ratio_to_exact": round(p50(ours_ms) / p50(exact_ms), 3),
        "recall_at_10": round(recall, 4),
        "samples": len(exact_ms),
    }
