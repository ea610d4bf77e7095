"""Concurrent changes of the same memories by two people or two tabs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from uuid import UUID

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.trust import Source
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.bulk.create_by_name import nodes_create_named
from apps.memory.services.bulk.learn import memories_learn
from apps.memory.services.tree.archive import node_approve, node_archive
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.merge import nodes_merge
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.facts import current, fact, learn, learned
from tests.memory.trees import at, draft, listed, read, write

pytestmark = pytest.mark.django_db(transaction=True)
ACME = "mem://user/entities/acme"
ROUNDS = 5


def together(actor: Actor, *acts: Callable[[], object]) -> list[str]:
    """Run each action concurrently in a unit of its own; return `done` or the error code of each."""
    begin = Barrier(len(acts), timeout=10)

    def perform(act: Callable[[], object]) -> str:
        try:
            with workspace(actor.workspace_id):
                begin.wait()
                act()
        except ContinuityError as error:
            return error.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        outcomes = [future.result() for future in [pool.submit(perform, act) for act in acts]]
    with workspace(actor.workspace_id):
        assert tree_faults() == []
    return sorted(outcomes)


def test_an_address_is_given_once(alice: Actor) -> None:
    for number in range(ROUNDS):
        one = draft(f"{ACME}-{number}/rate")
        outcomes = together(alice, *[partial(node_create, alice, draft=one)] * 4)
        assert outcomes == ["address_taken"] * 3 + ["done"]
        assert listed(alice, f"{ACME}-{number}") == [one.address.text]


def test_a_name_that_many_give_at_once_is_numbered(alice: Actor) -> None:
    """Each creation results in a memory of its own, single or in bulk."""
    uri = "mem://user/events/release"
    said = [f"Release {number}." for number in range(6)]
    drafts = [draft(uri, text, numbered=True) for text in said]
    alone = [partial(node_create, alice, draft=one) for one in drafts[:3]]
    among_many = [partial(nodes_create_named, alice, drafts=[one]) for one in drafts[3:]]
    assert together(alice, *alone, *among_many) == ["done"] * 6
    names = listed(alice, "mem://user/events")
    assert names == [uri, *(f"{uri}-{number}" for number in range(2, 7))]
    assert sorted(at(alice, name).content for name in names) == said


def test_two_merges_at_once_are_one(alice: Actor) -> None:
    target, source = write(alice, f"{ACME}/a", "A."), write(alice, f"{ACME}/b", "B.")
    outcomes = together(
        alice,
        *[lambda: nodes_merge(alice, target_id=target.id, source_ids=[source.id], version=1)] * 2,
    )
    assert outcomes == ["done", "stale"]
    assert at(alice, f"{ACME}/a").content == "A.\n\nB."


def test_merges_across_each_other_end_with_one_of_them(alice: Actor) -> None:
    one, two = write(alice, f"{ACME}/a", "A."), write(alice, f"{ACME}/b", "B.")
    outcomes = together(
        alice,
        lambda: nodes_merge(alice, target_id=one.id, source_ids=[two.id], version=1),
        lambda: nodes_merge(alice, target_id=two.id, source_ids=[one.id], version=1),
    )
    assert outcomes[0] == "done" or outcomes[1] == "done"
    assert len(listed(alice, ACME)) == 1


def test_two_edits_of_one_version_are_one(alice: Actor) -> None:
    made = write(alice, f"{ACME}/a")
    acts = [lambda: node_edit(alice, node_id=made.id, changes={"content": "New."}, version=1)] * 2
    assert together(alice, *acts) == ["done", "stale"]


def test_directories_moved_into_each_other_make_no_cycle(alice: Actor) -> None:
    """The second move goes to the first one's former address, which is created again."""
    for number in range(ROUNDS):
        one, two = f"mem://user/entities/one-{number}", f"mem://user/entities/two-{number}"
        write(alice, f"{one}/x")
        write(alice, f"{two}/x")
        ids = [at(alice, uri).id for uri in (one, two)]
        outcomes = together(
            alice,
            partial(node_move, alice, node_id=ids[0], to=Address(f"{two}/in"), version=1),
            partial(node_move, alice, node_id=ids[1], to=Address(f"{one}/in"), version=1),
        )
        assert outcomes == ["done"] * 2
        assert {read(alice, node_id).uri for node_id in ids} in (
            {f"{one}/in", f"{one}/in/in"},
            {f"{two}/in", f"{two}/in/in"},
        )


def test_two_moves_of_one_folder_at_once_are_one(alice: Actor) -> None:
    """No memory is at the old address, and none at both addresses."""
    for number in range(ROUNDS):
        root = f"mem://user/entities/folder-{number}"
        for name in ("a", "b/c"):
            write(alice, f"{root}/{name}")
        places = [f"mem://user/events/{name}-{number}" for name in ("left", "right")]
        outcomes = together(
            alice,
            *[partial(node_move, alice, node_id=at(alice, root).id, to=Address(one), version=1) for one in places],
        )
        assert outcomes == ["done", "stale"]
        with workspace(alice.workspace_id):
            uris = set(MemNode.objects.filter(uri__endswith=f"-{number}/b/c").values_list("uri", flat=True))
        assert uris in [{f"{place}/b/c"} for place in places]


def test_a_folder_moved_and_merged_into_and_out_of_at_once_loses_nothing(alice: Actor) -> None:
    for number in range(ROUNDS):
        root = f"mem://user/entities/folder-{number}"
        inside, outside = (
            write(alice, f"{root}/a", "Inside."),
            write(alice, f"mem://user/events/b-{number}", "Outside."),
        )
        outcomes = together(
            alice,
            partial(
                node_move, alice, node_id=at(alice, root).id, to=Address(f"mem://user/events/f-{number}"), version=1
            ),
            partial(nodes_merge, alice, target_id=inside.id, source_ids=[outside.id], version=1),
        )
        assert outcomes == ["done"] * 2
        assert read(alice, inside.id).uri == f"mem://user/events/f-{number}/a"
        assert read(alice, inside.id).content == "Inside.\n\nOutside."


def test_an_edit_and_archiving_its_folder_wait_for_each_other(alice: Actor) -> None:
    for number in range(ROUNDS):
        root = f"mem://user/entities/folder-{number}"
        made = write(alice, f"{root}/a", "A.")
        outcomes = together(
            alice,
            partial(node_edit, alice, node_id=made.id, changes={"content": "B."}, version=1),
            partial(node_archive, alice, node_id=at(alice, root).id),
        )
        assert outcomes in (["done"] * 2, ["archived", "done"])


@pytest.mark.parametrize("erased", [True, False])
def test_what_is_written_into_a_directory_that_moves_or_goes_is_not_lost(alice: Actor, erased: bool) -> None:
    for number in range(ROUNDS):
        root = f"mem://user/entities/e-{number}"
        write(alice, f"{root}/a")
        outcomes = together(
            alice,
            partial(node_create, alice, draft=draft(f"{root}/b")),
            partial(nodes_create_bulk, alice, drafts=[draft(f"{root}/c"), draft(f"{root}/d/e")]),
            partial(erase if erased else put_away, alice, at(alice, root).id),
        )
        assert outcomes == ["done"] * 3


def erase(actor: Actor, node_id: UUID) -> None:
    node_erase(actor, node_id=node_id)


def put_away(actor: Actor, node_id: UUID) -> None:
    """Rename and archive a node."""
    moved = node_move(actor, node_id=node_id, to=Address("mem://user/entities").child(str(node_id)), version=1)
    node_archive(actor, node_id=moved.id)


def test_an_undo_twice_at_once_is_one(alice: Actor) -> None:
    made = write(alice, f"{ACME}/a", "A.")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=made.id, changes={"content": "B."}, version=1)
        change = MemRevision.objects.get(node_id=made.id, number=2).change
    acts = [lambda: change_undo(alice, node_id=made.id, change_id=change)] * 2
    assert together(alice, *acts) == ["changed_since", "done"]
    with workspace(alice.workspace_id):
        assert MemNode.objects.get(pk=made.id).version == 3


def test_batches_that_overlap_write_each_memory_once(alice: Actor) -> None:
    drafts = [draft(f"mem://user/events/{number:03}", f"Event {number}.") for number in range(200)]
    results: list[int] = []

    def add(part: slice, step: int) -> None:
        told = nodes_create_bulk(alice, drafts=drafts[part][::step])
        results.append(sum(one.state == "created" for one in told))

    together(alice, lambda: add(slice(0, 150), 1), lambda: add(slice(50, 200), -1), lambda: add(slice(0, 200), 1))
    assert sum(results) == 200
    assert len(listed(alice, "mem://user/events", limit=500)) == 200


def test_two_values_learned_at_once_leave_one_in_use(alice: Actor) -> None:
    for number in range(ROUNDS):
        values = [f"Bonn {number}", f"Ghent {number}"]
        pair = [learned(value, on, attribute=f"town_{number}") for value, on in zip(values, (1, 30), strict=True)]
        acts = [partial(memories_learn, alice, drafts=[one]) for one in pair]
        assert together(alice, *acts) == ["done", "done"]
        assert current(alice, f"town_{number}") == values[1:]


def test_two_proposals_of_one_slot_approved_at_once_leave_one_in_use(alice: Actor) -> None:
    for number in range(ROUNDS):
        values = [f"Bonn {number}", f"Ghent {number}"]
        attribute = f"town_{number}"
        learn(alice, *(learned(value, 1, attribute=attribute, source=Source.TOOL) for value in values))
        acts = [partial(node_approve, alice, node_id=fact(alice, value).id) for value in values]
        assert together(alice, *acts) == ["done", "done"]
        assert len(current(alice, attribute)) == 1
