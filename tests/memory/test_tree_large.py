"""A folder with more memories in it than a statement has parameters (65,535, where each stands in two lists)."""

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

pytestmark = pytest.mark.django_db
COUNT = 33_000
FOLDER = "mem://user/events/logbook"


@pytest.fixture
def folder(alice: Actor) -> UUID:
    """As many copies of one leaf beside it, found by their words as it is."""
    leaf = write(alice, f"{FOLDER}/day")
    with workspace(alice.workspace_id):
        copy(MemNode, {"uri": "one.uri || '-' || nth"}, f"mem_nodes AS one ON one.id = '{leaf.id}'")
        nodes = f"JOIN mem_nodes AS node ON node.uri = '{leaf.uri}-' || nth"
        for model in (MemRevision, Passage):
            source = f"{model._meta.db_table} AS one ON one.node_id = '{leaf.id}' {nodes}"
            copy(model, {"node_id": "node.id"}, source)
    return at(alice, FOLDER).id


def copy(model: type[Model], told: dict[str, str], source: str) -> None:
    """Each with an id of its own, and with what is told in place of what the one has."""
    table, names = model._meta.db_table, [field.column for field in model._meta.concrete_fields]
    values = ", ".join({"id": "gen_random_uuid()", **told}.get(name, f"one.{name}") for name in names)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {values}"  # noqa: S608  # names of columns, and ours
            f" FROM generate_series(1, {COUNT}) AS nth JOIN {source}"
        )


def test_a_large_folder_is_moved_archived_and_erased(alice: Actor, folder: UUID) -> None:
    with workspace(alice.workspace_id):
        node_move(alice, node_id=folder, to=Address("mem://user/events/journal"), version=1)
        assert MemNode.objects.filter(uri__startswith="mem://user/events/journal/").count() == COUNT + 1
        assert Passage.objects.count() == COUNT + 1
        node_archive(alice, node_id=folder)
        assert MemNode.objects.filter(archived_at__isnull=False, node_type="leaf").count() == COUNT + 1
        assert not Passage.objects.exists()
        assert node_erase(alice, node_id=folder).count == COUNT + 2
        assert not MemNode.objects.filter(node_type="leaf").exists()
