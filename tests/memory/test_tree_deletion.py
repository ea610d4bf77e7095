"""Permanent deletion removes a memory with its history; only a person can create it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role
from apps.common.errors import Forbidden, NotFound, Unprocessable
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.trust import Trust
from apps.memory.models import MemAccess, MemNode, MemRevision, MemSource, MemTombstone, Passage
from apps.memory.records.tree import ItemResult
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.accesses import accesses_add
from apps.memory.services.bulk.import_ import ImportItem, tree_import
from apps.memory.services.tree.delete_permanently import node_erase, node_erase_preview
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.merge import nodes_merge
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.share import node_share
from tests.memory.trees import at, draft, read, write

pytestmark = pytest.mark.django_db
ACME = "mem://user/entities/acme"
RATE = f"{ACME}/rate"


def bring(actor: Actor, *items: tuple[str, str]) -> Iterator[ItemResult]:
    with workspace(actor.workspace_id):
        told = [ImportItem(uri, draft(uri, content)) for uri, content in items]
        yield from tree_import(actor, items=told, confirmed=True)


def erase(actor: Actor, uri: str) -> None:
    with workspace(actor.workspace_id):
        node_erase(actor, node_id=at(actor, uri).id)


def test_nothing_of_it_stays_but_digests(alice: Actor) -> None:
    made = write(alice, RATE, "100 calls a minute.")
    write(alice, "mem://user/entities/acme-2/kept")
    with workspace(alice.workspace_id):
        accesses_add([made.id])
        preview = node_erase_preview(alice, at(alice, ACME).id)
        assert (preview.count, preview.examples) == (2, (ACME, RATE))
        node_erase(alice, node_id=at(alice, ACME).id)
        for table in (MemRevision, MemSource, MemAccess, Passage):
            assert not table.objects.filter(node_id=made.id).exists()
        assert list(MemNode.objects.filter(uri__startswith=ACME).order_by("uri").values_list("uri", flat=True)) == [
            "mem://user/entities/acme-2",
            "mem://user/entities/acme-2/kept",
        ]
        told = repr(list(MemTombstone.objects.values()))
        assert "acme" not in told
        assert "calls" not in told
        assert MemTombstone.objects.count() == 2
        assert tree_faults() == []
    with pytest.raises(NotFound):
        read(alice, made.id)


def test_no_import_brings_back_the_address_or_the_text(alice: Actor) -> None:
    write(alice, RATE, "100 calls a minute.")
    erase(alice, ACME)
    back = [(RATE, "Other."), (f"{ACME}/new", "New."), ("mem://user/events/x", "100 calls a minute.")]
    assert [(one.state, one.code) for one in bring(alice, *back)] == [("refused", "erased")] * 3
    assert [one.state for one in bring(alice, ("mem://user/events/x", "Other."))] == ["created"]


def test_a_person_may_create_it_again_and_an_import_may_then_add_to_it(alice: Actor) -> None:
    write(alice, RATE, "100 calls a minute.")
    erase(alice, ACME)
    write(alice, f"{ACME}/burst", "By hand.")
    assert [one.state for one in bring(alice, (f"{ACME}/new", "New."), (RATE, "x"))] == ["created", "refused"]


def test_what_one_erased_others_may_still_import(alice: Actor, bob: Actor) -> None:
    write(alice, RATE, "100 calls a minute.")
    erase(alice, RATE)
    assert [one.state for one in bring(bob, (RATE, "100 calls a minute."))] == ["created"]


def test_deleting_a_merged_memory_leaves_the_target(alice: Actor) -> None:
    target, source = write(alice, RATE, "A."), write(alice, f"{ACME}/burst", "B.")
    with workspace(alice.workspace_id):
        nodes_merge(alice, target_id=target.id, source_ids=[source.id], version=1)
        node_erase(alice, node_id=target.id)
        assert MemNode.objects.get(pk=source.id).merged_into_id is None
        assert (
            MemRevision.objects.get(node_id=source.id, number=3).reason == "The memory it was merged into was deleted."
        )
        assert tree_faults() == []


def test_the_fixed_roots_and_what_is_anothers_cannot_be_erased(alice: Actor, bob: Actor) -> None:
    made, shared = write(alice, RATE), write(alice, "mem://agent/cases/locks", shared=True)
    root = at(alice, "mem://user/entities")
    with workspace(alice.workspace_id), pytest.raises(Unprocessable):
        node_erase(alice, node_id=root.id)
    with workspace(bob.workspace_id):
        with pytest.raises(NotFound):
            node_erase(bob, node_id=made.id)
        for role in (Role.MEMBER, Role.VIEWER):
            with pytest.raises(Forbidden):
                node_erase(replace(bob, role=role), node_id=shared.id)


def test_a_deleted_address_does_not_lower_other_memories(alice: Actor) -> None:
    write(alice, RATE)
    erase(alice, RATE)
    with workspace(alice.workspace_id):
        item = ImportItem(f"{ACME}/b", draft(f"{ACME}/b", "x"), Trust.DIRECT_USER)
        (result,) = tree_import(alice, items=[item], confirmed=True)
    assert result.state == "created"
    assert at(alice, Address(f"{ACME}/b").text).trust == "model_inference"


def test_an_older_file_brings_back_no_earlier_address_or_text(alice: Actor) -> None:
    made = write(alice, RATE, "100 calls a minute.")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=made.id, changes={"content": "200 calls a minute."}, version=1)
        node_move(alice, node_id=at(alice, ACME).id, to=Address("mem://user/entities/acme-2"), version=1)
        node_move(alice, node_id=made.id, to=Address("mem://user/entities/acme-2/calls"), version=2)
        node_erase(alice, node_id=made.id)
    back = [(RATE, "Other."), ("mem://user/events/x", "100 calls a minute."), ("mem://user/events/y", "200 calls")]
    assert [one.code for one in bring(alice, *back)] == ["erased", "erased", ""]


def test_what_was_erased_of_the_team_does_not_come_back_to_who_had_it_before(alice: Actor) -> None:
    made = write(alice, "mem://agent/patterns/deploys", "Deploy on Mondays.")
    with workspace(alice.workspace_id):
        node_share(alice, node_id=made.id)
        node_erase(alice, node_id=made.id)
    back = [("mem://agent/patterns/deploys", "Other."), ("mem://user/events/x", "Deploy on Mondays.")]
    assert [one.code for one in bring(alice, *back)] == ["erased", "erased"]


@pytest.mark.parametrize("text", ["  Café at noon.\n\n", "Cafe\u0301 at noon.", "Ｃafé at noon."])
def test_an_erased_text_is_known_however_it_is_written(alice: Actor, text: str) -> None:
    write(alice, RATE, "Café at noon.")
    erase(alice, RATE)
    assert [one.code for one in bring(alice, ("mem://user/events/x", text))] == ["erased"]
