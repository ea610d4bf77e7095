"""Operations on a large folder; in the long run with more memories than two lists of statement parameters (65,535)."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import connection
from django.db.models import Model

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemRevision, Passage
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.move import node_move
from tests.memory.trees import at, write
from tests.stack_fixtures import Connection

pytestmark = pytest.mark.django_db
FOLDER = "mem://user/events/logbook"


@pytest.fixture
def count(thorough: bool) -> int:
    return 33_000 if thorough else 3_000


@pytest.fixture
def folder(alice: Actor, count: int) -> UUID:
    """A folder with copies of one indexed leaf."""
    leaf = write(alice, f"{FOLDER}/day")
    with workspace(alice.workspace_id):
        copy(MemNode, {"uri": "one.uri || '-' || nth"}, f"mem_nodes AS one ON one.id = '{leaf.id}'", count)
        nodes = f"JOIN mem_nodes AS node ON node.uri = '{leaf.uri}-' || nth"
        for model in (MemRevision, Passage):
            source = f"{model._meta.db_table} AS one ON one.node_id = '{leaf.id}' {nodes}"
            copy(model, {"node_id": "node.id"}, source, count)
    return at(alice, FOLDER).id


def copy(model: type[Model], changes: dict[str, str], source: str, count: int) -> None:
    """Insert copies of a row, each with an id of its own and the changed columns."""
    table, names = model._meta.db_table, [field.column for field in model._meta.concrete_fields]
    values = ", ".join({"id": "gen_random_uuid()", **changes}.get(name, f"one.{name}") for name in names)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {values}"  # noqa: S608  # names of columns, and ours
            f" FROM generate_series(1, {count}) AS nth JOIN {source}"
        )


def test_a_large_folder_is_moved_archived_and_erased(
    alice: Actor, folder: UUID, count: int, superuser_connection: Connection
) -> None:
    # Autovacuum may do so during a large write: to the planner the table is then nearly empty.
    superuser_connection.execute("ANALYZE mem_nodes, mem_passages, mem_revisions")
    with workspace(alice.workspace_id):
        node_move(alice, node_id=folder, to=Address("mem://user/events/journal"), version=1)
        assert MemNode.objects.filter(uri__startswith="mem://user/events/journal/").count() == count + 1
        assert Passage.objects.count() == count + 1
        node_archive(alice, node_id=folder)
        assert MemNode.objects.filter(archived_at__isnull=False, node_type="leaf").count() == count + 1
        assert not Passage.objects.exists()
        assert node_erase(alice, node_id=folder).count == count + 2
        assert not MemNode.objects.filter(node_type="leaf").exists()
