"""Histories of memories in an import: what a team may not read stays out, and damaged ones are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.bulk.restored_revisions import _CHECKS
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.node_snapshot import EMPTY
from apps.memory.services.tree.share import node_share
from apps.transfer.services.export import memories
from tests.memory.trees import write
from tests.people import client_of
from tests.transfer.round_trips import comparable, exported, moved
from tests.transfer.test_import_sources import Result, run

pytestmark = pytest.mark.django_db
URI = "mem://agent/patterns/release"
PRIVATE, PUBLIC = "Only for me.", "For the team."
Line = dict[str, Any]
Damage = Callable[[Line], object]


@pytest.fixture
def shared(alice: Actor) -> MemNode:
    """Alice's private memory, edited and then shared."""
    node = write(alice, URI, PRIVATE)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": PUBLIC}, version=1)
        node_share(alice, node_id=node.id)
        node_edit(alice, node_id=node.id, changes={"content": f"{PUBLIC} Again."}, version=3)
        return MemNode.objects.get(pk=node.id)


def with_private_beginning(actor: Actor, node: MemNode, file: Path, size: int) -> None:
    """Write the history of the memory as a file has it that begins before it was shared, `size` revisions an item."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    with workspace(actor.workspace_id):
        rows = list(MemRevision.objects.filter(node=node).order_by("number"))
    owners = {None: "team", str(node.author_id): "owner"}
    history = [
        {
            "change": str(row.change),
            "operation": row.operation,
            "before": _named(row.before, owners),
            "after": _named(row.after, owners),
            "created_at": row.created_at.isoformat(),
        }
        for row in rows
    ]
    parts = [
        {
            "key": f"node_history:{node.id}:{first + 1}",
            "kind": "node_history",
            "node": str(node.id),
            "number": first + 1,
            "revisions": history[first : first + size],
        }
        for first in range(0, len(history), size)
    ]
    others = [line for line in lines if line.get("kind") != "node_history"]
    file.write_text("".join(json.dumps(line) + "\n" for line in [*others, *parts]), encoding="utf-8")


def _named(state: Line, owners: dict[Any, str]) -> Line:
    values = {name: value for name, value in state.items() if name != "sources"}
    return values | ({"owner": owners[values["owner"]]} if "owner" in values else {})


def revisions_of(actor: Actor, uri: str = URI) -> list[Line]:
    """What a member of the workspace reads of a memory's history."""
    with workspace(actor.workspace_id):
        node_id = MemNode.objects.get(uri=uri).id
    answer = client_of(actor).get(f"/api/memories/{node_id}/revisions")
    assert answer.status_code == 200, answer.content
    return list(answer.json()["data"])


def history_results(results: list[Result]) -> list[tuple[str, str]]:
    return [(one["status"], one["reason"]) for one in results if one["key"].startswith("node_history:")]


@pytest.mark.parametrize("size", [1, 2])
def test_a_team_never_reads_what_was_private_before_a_part_with_the_sharing_arrives(
    shared: MemNode, alice: Actor, bob: Actor, tmp_path: Path, size: int
) -> None:
    file, _ = exported(alice, tmp_path)
    with_private_beginning(alice, shared, file, size)
    with workspace(alice.workspace_id):
        MemRevision.objects.filter(node=shared).delete()
        MemNode.objects.filter(pk=shared.id).delete()
    results = history_results(run(alice, "json", file))
    assert ("refused", "private_history") in results
    assert PRIVATE not in json.dumps(revisions_of(bob))
    with workspace(alice.workspace_id):
        assert not tree_faults()


def test_a_history_begins_where_a_memory_was_shared(
    shared: MemNode, alice: Actor, charlie: Actor, tmp_path: Path
) -> None:
    file, _ = exported(alice, tmp_path)
    with_private_beginning(alice, shared, file, 10)
    run(charlie, "json", file)
    listed = revisions_of(charlie)
    assert [(one["number"], one["operation"]) for one in listed if one["operation"] != "create"] == [
        (2, "edit"),
        (1, "share"),
    ]
    assert PRIVATE not in json.dumps(listed)
    with workspace(charlie.workspace_id):
        assert MemNode.objects.get(uri=URI).version == 2


def test_an_export_has_no_revisions_from_before_a_memory_was_shared(
    shared: MemNode, alice: Actor, charlie: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "_REVISIONS", 2)
    file, lines = exported(alice, tmp_path)
    histories = [line for line in lines if line.get("node") == str(shared.id)]
    assert [(line["number"], len(line["revisions"])) for line in histories] == [(1, 2)]
    assert PRIVATE not in json.dumps(histories)
    results, theirs = moved(file, charlie, tmp_path)
    assert {one["status"] for one in results} == {"created"}
    assert comparable(theirs) == comparable(lines)


DAMAGES: dict[str, Damage] = {
    "no owner before": lambda one: one["after"].update(owner="team"),
    "a field only before": lambda one: one["before"].update(value="x"),
    "an unknown arrival": lambda one: (one["before"].update(arrival="zzz"), one["after"].update(arrival="accepted")),
    "an empty trust": lambda one: (one["before"].update(trust=""), one["after"].update(trust="model_inference")),
    "a number as text": lambda one: (one["before"].update(value=3), one["after"].update(value="x")),
    "a time without a zone": lambda one: (
        one["before"].update(valid_to="2026-01-01T00:00:00"),
        one["after"].update(valid_to=None),
    ),
    "a relevance beyond one": lambda one: (
        one["before"].update(base_relevance=5),
        one["after"].update(base_relevance=1),
    ),
    "a long attribute": lambda one: (one["before"].update(attribute="x" * 5_000), one["after"].update(attribute="")),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_history_is_refused_and_breaks_nothing_for_others(
    alice: Actor, bob: Actor, tmp_path: Path, damage: Damage
) -> None:
    node = write(alice, URI, "One.", shared=True)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": "Two."}, version=1)
    file, lines = exported(alice, tmp_path)
    with workspace(alice.workspace_id):
        MemRevision.objects.filter(node_id=node.id).delete()
        MemNode.objects.filter(pk=node.id).delete()
    (history,) = [line for line in lines if line.get("node") == str(node.id)]
    damage(history["revisions"][1])
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    results = {one["key"]: one for one in run(alice, "json", file)}
    assert (results[history["key"]]["status"], results[history["key"]]["reason"]) == ("refused", "bad_revision")
    assert [one["operation"] for one in revisions_of(bob)] == ["import"]
    assert any(line.get("key") for line in exported(bob, tmp_path)[1])


def test_a_damaged_revision_that_is_stored_hides_no_history_from_members(
    shared: MemNode, alice: Actor, bob: Actor, tmp_path: Path
) -> None:
    with workspace(alice.workspace_id):
        MemRevision.objects.filter(node=shared, operation="share").update(before={})
    assert [one["number"] for one in revisions_of(bob)] == [4, 3]
    assert any(line.get("node") == str(shared.id) for line in exported(bob, tmp_path)[1])


def test_every_field_of_a_snapshot_is_checked() -> None:
    assert _CHECKS.keys() == EMPTY.keys()
