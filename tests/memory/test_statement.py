"""The search statement: every variant uses the banks' indexes, and psql can run it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from psycopg import RawCursor

from apps.accounts.actors import Actor
from apps.common.sql import sql_file
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.ranking_features import WEIGHTS
from apps.engine.memory.trust import Trust
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search import statement
from apps.memory.selectors.search.find import find
from config.stack.postgres import binaries
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import at, index, look, make_vectors, remember
from tests.stack_fixtures import Connection

FOLDER = Path(statement.__file__).parent
SHAPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "messages": {"corpus": "messages"},
    "both": {"corpus": "all"},
    "explained": {"explain": True},
    "threshold": {"threshold": 0.01},
    "category": {"category": "preferences"},
    "below an address": {"within": Address("mem://user/preferences")},
    "trusted": {"trust_at_least": Trust.DIRECT_USER},
    "tagged": {"tags": ("drink",)},
    "since": {"since": at("2025-06-01")},
    "until": {"until": at("2025-06-01") + timedelta(days=30)},
    "all filters": {
        "category": "preferences",
        "within": Address("mem://user"),
        "trust_at_least": Trust.DIRECT_USER,
        "tags": ("drink",),
        "since": at("2025-06-01"),
        "until": at("2025-07-01"),
        "owner": "mine",
    },
}
QUERIES = ("Which tea do I drink?", "tea in June", "tea on 3 June", "tea in June 2025", "?!")


@pytest.fixture
def tea(alice: Actor) -> None:
    """A memory and a message about tea, and a memory that every filter excludes."""
    remember(alice, "mem://user/preferences/tea", "Tea at four.", tags=["drink"], occurred_at=at("2025-06-10"))
    remember(alice, "mem://user/events/boat", "A boat.", occurred_at=at("2020-01-01"))
    talk = conversation(alice)
    say(alice, talk, "Tea is said here.")
    index(alice, talk)
    make_vectors(alice)


@pytest.mark.django_db
@pytest.mark.parametrize("shape", SHAPES)
def test_a_search_of_every_shape_finds_the_tea_whatever_is_asked(alice: Actor, tea: None, shape: str) -> None:
    for query in QUERIES:
        found = look(alice, query, **{"owner": None, **SHAPES[shape], "top_k": 5})
        texts = [hit.snippet for hit in found.hits]
        if query != "?!" or shape != "threshold":
            assert "Tea" in texts[0] or query == "?!", (query, texts)
            assert any("Tea" in text for text in texts)
        assert ("A boat." in texts) <= (shape not in {"category", "tagged", "since", "all filters"})
        assert all((hit.parts is not None) is (shape == "explained") for hit in found.hits)


@pytest.mark.django_db
@pytest.mark.parametrize("shape", SHAPES)
def test_a_search_reads_its_banks_by_their_indexes_under_row_level_security(
    alice: Actor, tea: None, shape: str
) -> None:
    plan = planned(alice, SearchQuery("tea in June", **SHAPES[shape]))
    assert plan.count("bank = ANY") >= 2
    for table in ("mem_passages", "mem_embeddings", "mem_nodes"):
        assert f"Seq Scan on {table}" not in plan


@pytest.mark.django_db(transaction=True)
def test_names_are_looked_up_by_the_index_where_one_bank_is_the_whole_table(
    alice: Actor, superuser_connection: Connection
) -> None:
    told = {"workspace": alice.workspace_id, "bank": alice.person_id}
    superuser_connection.execute(PASSAGES, told)
    superuser_connection.execute("ANALYZE mem_passages")
    plan = planned(alice, SearchQuery("Does Bob drink tea?", since=at("2100-01-01")), sequential="on")
    names = plan[plan.index("CTE subject") : plan.index("CTE chosen_nodes")]
    assert "passage_by_actor" in names and "Seq Scan" not in names


PASSAGES = """
INSERT INTO mem_passages (id, workspace_id, bank, node_id, series, session, actor, occurred_at, words, word_count,
    char_count, is_question, text_hash, tool_text)
SELECT uuidv7(), %(workspace)s, %(bank)s, uuidv7(), %(bank)s, 0, (ARRAY['', 'ann', 'user'])[1 + n %% 3], now(),
    to_tsvector('simple', repeat('tea boat ', 20)), 40, 180, false, 0, ''
FROM generate_series(1, 5000) AS n
"""


def planned(actor: Actor, query: SearchQuery, *, sequential: str = "off") -> str:
    """Return the search's generic plan, by default without sequential scans."""
    with workspace(actor.workspace_id), heard() as statements:
        find(actor, query)
        (sql, values) = next(one for one in statements if "query_terms AS" in one[0])
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL enable_seqscan = {sequential}")
            cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        lines = RawCursor(connection.connection).execute(f"EXPLAIN {sql}".encode(), values, prepare=True).fetchall()
    return "\n".join(line for (line,) in lines)


@contextmanager
def heard() -> Iterator[list[tuple[str, Any]]]:
    statements: list[tuple[str, Any]] = []

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(listen):
        yield statements


@pytest.mark.django_db(transaction=True)
def test_psql_runs_the_file_and_finds_what_the_server_finds(alice: Actor, tea: None) -> None:
    (hit,) = [hit for hit in look(alice, "Which tea do I drink?").hits if hit.uri == "mem://user/preferences/tea"]
    told = f"{{{alice.user_id},{alice.workspace_id}}}"
    example = (FOLDER / "search.psql").read_text()
    example = re.sub(r"(?m)^\\set workspace .*$", rf"\\set workspace '''{alice.workspace_id}''::uuid'", example)
    example = re.sub(r"(?m)^\\set banks .*$", rf"\\set banks '''{told}'''", example)
    assert hit.uri in psql(example.replace("\\ir search.sql", f"\\i {FOLDER / 'search.sql'}"))


def psql(script: str) -> str:
    values = connection.settings_dict
    argv = [str(binaries() / "psql"), "-X", "-q", "-A", "-v", "ON_ERROR_STOP=1"]
    argv += ["-h", values["HOST"], "-p", values["PORT"] or "5432", "-U", values["USER"], "-d", values["NAME"]]
    done = subprocess.run(argv, input=script, capture_output=True, text=True, check=False)  # ours
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_for_psql_sets_every_parameter_and_the_constants_of_the_engine() -> None:
    told = dict(re.findall(r"(?m)^\\set (\w+) (.*)$", (FOLDER / "search.psql").read_text()))
    named = set(sql_file(FOLDER / "search.sql").parameters)
    assert set(told) == named
    constants = named - set(statement.STATEMENTS[WEIGHTS].parameters)
    read = {name: float(told[name]) for name in constants}
    assert (
        sql_file(FOLDER / "search.sql", **{name: int(x) if "." not in told[name] else x for name, x in read.items()})
        == statement.STATEMENTS[WEIGHTS]
    )
