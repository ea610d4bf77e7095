"""Schedule of `bench.find`: workspace sizes and one large bank next to the baseline, other libraries, tree reads."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from apps.common.tenancy import workspace
from apps.llm.embedding.model_ids import MINILM, WORDLLAMA
from apps.llm.embedding.registry import embedder_named
from apps.memory.models import MemNode
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.tree import node_get, tree_list
from apps.memory.services.access_buffer import access_buffer
from apps.memory.services.search.tree_search import memories_search
from bench._find.competitors import peers_lines
from bench._find.corpus import memory_text, question_text
from bench._find.fixtures import PLACE, Filled
from bench._find.large_banks import large_bank_lines
from bench._find.queries import Floor, ask, asker_of, at_once, recall
from bench._packs.percentiles import p50, p95, ratio, took_ms
from config.stack.postgres import APPLICATION, Postgres
from tests.people import person

NOBODY = UUID(int=0)
LOCAL_MODELS = (MINILM, WORDLLAMA)
PEOPLE = 100
SIZES, LARGEST = (1_000, 10_000), 100_000
THOUSAND = 1_000
LARGE_BANK = 20_000
QUESTIONS, WARM = 120, 5
CLIENTS, SECONDS = 8, 3.0
WRITERS = 2
READS = 60
# The largest size is skipped, with a line that says so, if it would not be filled by then: the limit is six minutes.
FILLED_BY_S = 290.0
_LIST = """
SELECT id, uri, node_type, category, l0_abstract, owner_id, trust, arrival, base_relevance, last_access, archived_at,
    version, updated_at FROM mem_nodes
WHERE workspace_id = %s AND parent_id = %s AND archived_at IS NULL ORDER BY uri LIMIT 51
"""
_READ = "SELECT * FROM mem_nodes WHERE workspace_id = %s AND id = %s"

Line = dict[str, Any]


def measured(postgres: Postgres) -> Iterator[Line]:
    begun = time.perf_counter()
    acme = Workspace.objects.create(name="Acme")
    people = [person(f"Person{number}", acme, Role.MEMBER) for number in range(PEOPLE)]
    filled, floor = Filled(), Floor(postgres.url(APPLICATION))
    for size in SIZES:
        filled.fill(people, size // PEOPLE - filled.count // PEOPLE)
        _gather(postgres)
        yield _line(size, people, floor)
    yield from peers_lines(postgres, people)
    owner = person("Owner", acme, Role.MEMBER)
    filled.fill([owner], LARGE_BANK)
    _gather(postgres)
    yield _line(LARGE_BANK, [owner], floor, of="one bank")
    each_s = filled.spent_s / filled.count
    if time.perf_counter() - begun + LARGEST * each_s < FILLED_BY_S:
        filled.fill(people, LARGEST // PEOPLE - SIZES[-1] // PEOPLE, clients=WRITERS)
    else:
        yield {"bench": "find", "memories": LARGEST, "skipped": "this machine is too busy to fill it within the time"}
        people = people[:5]
        filled.fill(people, THOUSAND - SIZES[-1] // PEOPLE)
    _gather(postgres)
    if len(people) == PEOPLE:
        yield _line(LARGEST, people, floor)
    yield _rates(filled)
    yield from _reads(people)
    yield _service(people, floor)
    yield _search(people)
    yield from map(_embedding, LOCAL_MODELS)
    yield from large_bank_lines(postgres, people[0])
    access_buffer.write()


def _line(size: int, people: Sequence[Actor], floor: Floor, of: str = "100 people") -> Line:
    print(f"Asking among {size:,}.", file=sys.stderr)
    ours, bare, rows = _times(people, floor, QUESTIONS)
    shared, per_s = at_once(people, CLIENTS, SECONDS)
    return {
        "bench": "find",
        "memories": size,
        "of": of,
        "p50_ms": p50(ours),
        "p95_ms": p95(ours),
        "floor_p50_ms": p50(bare),
        "floor_p95_ms": p95(bare),
        "ratio": ratio(p50(ours), p50(bare)),
        "clients": CLIENTS,
        "clients_p50_ms": p50(shared),
        "clients_p95_ms": p95(shared),
        "clients_per_s": per_s,
        "rows": round(sum(rows) / len(rows), 2),
        "recall_at_10": recall(people[0], range(20)),
        "samples": len(ours),
    }


def _times(people: Sequence[Actor], floor: Floor, count: int) -> tuple[list[float], list[float], list[int]]:
    """Ours and the floor's, in turns, and the rows that came."""
    ours: list[float] = []
    bare: list[float] = []
    rows: list[int] = []
    for number in range(WARM + count):
        asker = asker_of(people, number)
        floor_ms, found = floor.took_ms(asker, number), [0]
        ours_ms = took_ms(lambda: found.append(ask(asker, number)))  # noqa: B023  # called at once
        if number >= WARM:
            ours.append(ours_ms)
            bare.append(floor_ms)
            rows.append(found[-1])
    return ours, bare, rows


def _service(people: Sequence[Actor], floor: Floor) -> Line:
    """Banks of 1,000: what the product adds to the statement."""
    ours, bare, _ = _times(people, floor, 2 * QUESTIONS)
    told = {"bank": THOUSAND, "p50_ms": p50(ours), "p95_ms": p95(ours), "floor_p50_ms": p50(bare)}
    return {"bench": "find_service", **told, "samples": len(ours), "ratio": ratio(p50(ours), p50(bare))}


def _search(people: Sequence[Actor]) -> Line:
    """Search with intent by rules in banks of 1,000, in which every question leads into the tree."""
    times = []
    for number in range(WARM + QUESTIONS):
        query = SearchQuery(question_text(number), top_k=10)
        times.append(took_ms(lambda: memories_search(asker_of(people, number), query=query)))  # noqa: B023  # called at once
    told = {"bank": THOUSAND, "p50_ms": p50(times[WARM:]), "p95_ms": p95(times[WARM:])}
    return {"bench": "search", **told, "samples": QUESTIONS}


def _embedding(model: str) -> Line:
    """What a local model takes for the vector of a question, and for each of many texts."""
    embedder = embedder_named(model, workspace_id=NOBODY)
    embedder.embed([question_text(0)])
    questions = [took_ms(lambda: embedder.embed([question_text(number)])) for number in range(QUESTIONS)]  # noqa: B023
    texts = [memory_text(number) for number in range(QUESTIONS)]
    each_ms = took_ms(lambda: embedder.embed(texts)) / len(texts)
    return {"bench": "find_embedding", "model": model, "question_p50_ms": p50(questions), "text_ms": round(each_ms, 2)}


def _rates(filled: Filled) -> Line:
    return {
        "bench": "find_filling",
        "memories": filled.count,
        "added_per_s": filled.added_per_s(1),
        "clients": WRITERS,
        "clients_added_per_s": filled.added_per_s(WRITERS),
        "embedded_per_s": round(filled.count / filled.embed_s),
        "added_with": "revisions, sources and passages, 900 or 1,000 a call",
    }


def _reads(people: Sequence[Actor]) -> Iterator[Line]:
    """A folder's first page and one memory, beside the bare statements in the same unit."""
    chance = random.Random(7)  # noqa: S311  # no secrets
    with workspace(people[0].workspace_id):
        count = MemNode.objects.count()
        folders = dict(MemNode.objects.filter(uri=PLACE.text).values_list("owner_id", "id"))
        leaves = {one.user_id: MemNode.objects.filter(owner_id=one.user_id, node_type="leaf").first() for one in people}
    for name, ours, bare in (
        (
            "ls",
            lambda one: tree_list(one, PLACE, limit=50),
            lambda one: _sent(_LIST, one.workspace_id, folders[one.user_id]),
        ),
        (
            "read",
            lambda one: node_get(one, leaves[one.user_id].id),
            lambda one: _sent(_READ, one.workspace_id, leaves[one.user_id].id),
        ),
    ):
        asked = [chance.choice(people) for _ in range(READS)]
        times = [(_in_unit(one, ours), _in_unit(one, bare)) for one in asked]
        ours_ms, bare_ms = p50([pair[0] for pair in times]), p50([pair[1] for pair in times])
        told = {"p50_ms": ours_ms, "floor_p50_ms": bare_ms, "ratio": ratio(ours_ms, bare_ms), "samples": READS}
        yield {"bench": f"memory_{name}", "nodes": count, **told}


def _in_unit(one: Actor, call: Callable[[Actor], object]) -> float:
    with workspace(one.workspace_id):
        return took_ms(lambda: call(one))


def _sent(statement: str, *values: object) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def _gather(postgres: Postgres) -> None:
    """What the server would do by itself, had it the time."""
    postgres.execute(f"\\connect {postgres.database}\nVACUUM ANALYZE;")
