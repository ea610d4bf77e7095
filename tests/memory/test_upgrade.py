"""What was indexed by an earlier version is indexed again, in batches that nobody has to wait for."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.db.migrations.operations import RunPython
from django.db.migrations.state import ProjectState
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.common.migration_batches import in_batches
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob
from apps.jobs.services import claim_named
from apps.memory.services.tree.create import node_ensure
from config.stack import schema
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import index, passages_of, remember
from tests.memory.test_tool_texts import ERROR, use_tool
from tests.memory.trees import draft, write
from tests.stack import TestServers

pytestmark = pytest.mark.django_db(transaction=True)


def migrate(name: str) -> None:
    (operation,) = import_module(f"apps.memory.migrations.{name}").Migration.operations
    run(operation)


def run(operation: RunPython) -> None:
    with connection.schema_editor(atomic=False) as editor:
        operation.code(ProjectState().apps, editor)


def execute(actor: Actor, statement: str, *values: Any) -> list[Any]:
    with workspace(actor.workspace_id), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def indexed_without_tools(actor: Actor) -> UUID:
    talk = conversation(actor)
    say(actor, talk, "Why is the total wrong?")
    use_tool(actor, talk, ERROR)
    say(actor, talk, "It rounds.", role="assistant")
    index(actor, talk)
    tools = [one.id for one in passages_of(actor, talk) if one.tool_text]
    execute(actor, "DELETE FROM mem_passages WHERE id = ANY(%s)", tools)
    execute(actor, "DELETE FROM mem_embeddings WHERE passage_id = ANY(%s)", tools)
    return talk


def places(actor: Actor, talk: UUID) -> list[int | None]:
    return [passage.place for passage in passages_of(actor, talk)]


def test_conversations_from_before_tools_were_indexed_are_indexed_again_at_once(alice: Actor) -> None:
    talks = [indexed_without_tools(alice) for _ in range(2)]
    assert execute(alice, "SELECT count(*) FROM mem_embeddings") == [(4,)]
    migrate("0007_index_tools")
    assert [places(alice, talk) for talk in talks] == [[0], [0]]
    assert execute(alice, "SELECT count(*) FROM mem_embeddings") == [(2,)]
    for talk in talks:
        index(alice, talk)
    assert [places(alice, talk) for talk in talks] == [[0, 2, 3], [0, 2, 3]]


def test_a_conversation_that_is_indexed_with_its_tools_stays_indexed(alice: Actor) -> None:
    talk = indexed_without_tools(alice)
    migrate("0007_index_tools")
    index(alice, talk)
    migrate("0007_index_tools")
    assert places(alice, talk) == [0, 2, 3]
    assert not DueJob.objects.filter(kind="memory_messages", key=str(talk)).exists()


def test_a_running_job_loses_its_lease_and_is_due_again(alice: Actor) -> None:
    talk = indexed_without_tools(alice)
    say(alice, talk, "And now?")
    DueJob.objects.filter(kind="memory_messages").update(due_at="2020-01-01T00:00Z")
    claim = claim_named(workspace_id=alice.workspace_id, kind="memory_messages", key=str(talk))
    assert claim is not None
    migrate("0007_index_tools")
    row = DueJob.objects.get(pk=claim.job_id)
    assert (row.lease_token, row.generation) == (None, 2)


def test_the_upgrade_requests_the_sweep_that_renews_the_words_of_every_workspace(alice: Actor) -> None:
    DueJob.objects.filter(kind="memory_sweep").delete()
    *_, operation = import_module("apps.memory.migrations.0014_renew_words").Migration.operations
    for _ in range(2):
        execute(alice, operation.sql)
    (row,) = DueJob.objects.filter(kind="memory_sweep", workspace_id=alice.workspace_id)
    assert (row.key, row.generation, row.lease_token) == ("", 2, None)


def test_every_row_is_changed_once_in_a_transaction_of_its_batch(alice: Actor) -> None:
    for name in "abcde":
        remember(alice, f"mem://user/events/{name}", f"The {name}.")
    change = "UPDATE mem_passages SET word_count = word_count + 1000 WHERE id = ANY(%(ids)s::uuid[])"
    with CaptureQueriesContext(connection) as queries:
        run(in_batches("mem_passages", change, size=2))
    changed = execute(
        alice, "SELECT count(*) FILTER (WHERE word_count BETWEEN 1000 AND 1999), count(*) FROM mem_passages"
    )
    assert changed == [(5, 5)]
    assert sum(one["sql"].startswith("UPDATE mem_passages") for one in queries) == 3
    assert sum(one["sql"] == "COMMIT" for one in queries) == 4
    (setting,) = execute(alice, "SELECT coalesce(current_setting('app.operator', true), '')")
    assert setting == ("",)


_SIGNS = """
BEGIN;
CREATE SCHEMA before CREATE TABLE mem_embeddings (vector public.halfvec);
INSERT INTO before.mem_embeddings (vector) SELECT array_fill(1, ARRAY[384])::public.halfvec;
SET LOCAL search_path = before, public;
{change};
INSERT INTO mem_embeddings (vector) SELECT array_fill(1, ARRAY[384])::halfvec;
SELECT pg_column_size(signs) FROM mem_embeddings;
ROLLBACK;
"""


def test_the_signs_of_vectors_from_before_are_stored_like_those_of_new_ones(stack: TestServers) -> None:
    """Both unpacked: otherwise searches of an upgraded installation stay slower than those of a new one."""
    (operation,) = import_module("apps.memory.migrations.0011_sign_bits").Migration.operations
    script = _SIGNS.format(change=operation.database_operations[0].sql)
    rows = schema.run(stack.postgres, "psql", "-X", "-q", "-A", "-t", "-c", script)
    header, length = 4, 4
    assert rows.split() == [str(header + length + 384 // 8)] * 2


def test_memories_from_before_their_text_was_hashed_are_found_when_they_are_posted_again(alice: Actor) -> None:
    made = write(alice, "mem://user/preferences/tea", "I'm fond of tea.")
    execute(alice, "UPDATE mem_nodes SET same_text_hash = ''")
    (fill,) = (
        operation
        for operation in import_module("apps.memory.migrations.0015_same_text").Migration.operations
        if isinstance(operation, RunPython)
    )
    again = draft("mem://user/preferences/what-i-drink", "I am fond of tea", numbered=True)
    run(fill)
    with workspace(alice.workspace_id):
        found, is_new = node_ensure(alice, draft=again)
    assert (found.id, is_new) == (made.id, False)
    assert execute(alice, "SELECT count(*) FROM mem_nodes WHERE node_type = 'dir' AND same_text_hash <> ''") == [(0,)]
