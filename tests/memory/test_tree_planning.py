"""The rows that changes of memories read, while the planner has no statistics of the workspace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

import psycopg
import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.search.embedding_backlog import BATCH, Waiting, wanted_texts
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.recall import make_vectors, waiting
from tests.memory.trees import at, draft, write

pytestmark = pytest.mark.django_db(transaction=True)

COUNT = 1_000
FOLDER = "mem://user/events/logbook"
READ = """
SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables
WHERE relname IN ('mem_nodes', 'mem_passages', 'mem_embeddings')
"""


@pytest.fixture
def newcomer(charlie: Actor, alice: Actor, superuser_connection: psycopg.Connection[object]) -> Actor:
    """A workspace without statistics: only Charlie's was analyzed."""
    for number in range(20):
        write(charlie, f"mem://user/events/{number}")
    make_vectors(charlie)
    superuser_connection.execute("ANALYZE mem_nodes, mem_passages, mem_embeddings, mem_revisions, mem_sources")
    return alice


def add(actor: Actor, uri: str) -> None:
    with workspace(actor.workspace_id):
        nodes_create_bulk(actor, drafts=[draft(f"{uri}/{number}") for number in range(COUNT)])


def rows_read() -> int:
    """Return the number of rows that this connection has read."""
    with connection.cursor() as cursor:
        cursor.execute(READ)
        return int(cursor.fetchone()[0])


def reads(work: Callable[[], object]) -> int:
    """Return the number of rows that the work reads."""
    before = rows_read()
    work()
    return rows_read() - before


def last_change(node_id: UUID) -> UUID:
    return MemRevision.objects.filter(node_id=node_id).latest("number").change


def test_a_thousand_more_are_added_without_reading_those_before_for_each(newcomer: Actor) -> None:
    add(newcomer, FOLDER)
    drafts = [draft(f"mem://user/events/diary/{number}") for number in range(COUNT)]
    with workspace(newcomer.workspace_id):
        assert COUNT < reads(lambda: nodes_create_bulk(newcomer, drafts=drafts)) < 12 * COUNT


def test_their_vectors_are_made_without_reading_the_others_for_each(newcomer: Actor) -> None:
    add(newcomer, FOLDER)
    with workspace(newcomer.workspace_id):
        texts: list[Waiting] = []
        assert reads(lambda: texts.extend(wanted_texts())) < 5 * COUNT
        assert len(texts) == BATCH


def test_a_folder_is_moved_archived_and_restored_with_few_queries(newcomer: Actor) -> None:
    add(newcomer, FOLDER)
    folder = at(newcomer, FOLDER).id
    journal = Address("mem://user/events/journal")
    with workspace(newcomer.workspace_id):
        for work in (
            lambda: node_move(newcomer, node_id=folder, to=journal, version=1),
            lambda: node_archive(newcomer, node_id=folder),
            lambda: change_undo(newcomer, node_id=folder, change_id=last_change(folder)),
        ):
            assert COUNT < reads(work) < 30 * COUNT
        assert MemNode.objects.filter(archived_at__isnull=True, node_type="leaf").count() == COUNT


def test_one_is_edited_without_reading_the_others_for_each(newcomer: Actor) -> None:
    add(newcomer, FOLDER)
    while waiting(newcomer):
        make_vectors(newcomer)
    with workspace(newcomer.workspace_id):
        node = at(newcomer, f"{FOLDER}/7")
        work = partial(node_edit, newcomer, node_id=node.id, changes={"tags": ["other"]}, version=node.version)
        assert reads(work) < 10 * COUNT
