"""Moving, merging, archiving and sharing memories, and undoing all of these."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role
from apps.common.errors import Conflict, Forbidden, NotFound, Stale, Unprocessable
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemRevision
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.revisions import revision_list
from apps.memory.services.tree.archive import node_archive, node_unarchive
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.merge import nodes_merge
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.share import node_share
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.trees import at, listed, read, told_state, write

pytestmark = pytest.mark.django_db
ACME = "mem://user/entities/acme"
TEA, COFFEE = "mem://user/preferences/tea", "mem://user/preferences/coffee"


def undo(actor: Actor, node: NodeRecord, number: int) -> NodeRecord:
    with workspace(actor.workspace_id):
        change = MemRevision.objects.get(node_id=node.id, number=number).change
        return change_undo(actor, node_id=node.id, change_id=change)


def states(actor: Actor) -> dict[object, object]:
    with workspace(actor.workspace_id):
        assert tree_faults() == []
        return {row.id: told_state(row) for row in MemNode.objects.all()}


def test_a_directory_moves_with_all_below_it_and_one_revision(alice: Actor) -> None:
    fact = write(alice, f"{ACME}/limits/rate")
    acme = at(alice, ACME)
    before = states(alice)
    with workspace(alice.workspace_id):
        moved = node_move(alice, node_id=acme.id, to=Address("mem://user/entities/acme-2"), version=1)
    assert (moved.uri, moved.version) == ("mem://user/entities/acme-2", 2)
    assert (read(alice, fact.id).uri, read(alice, fact.id).version) == ("mem://user/entities/acme-2/limits/rate", 1)
    assert listed(alice, ACME[: -len("/acme")]) == ["mem://user/entities/acme-2"]
    assert undo(alice, acme, 2).uri == ACME
    assert states(alice) == before


def test_a_move_into_another_category_takes_its_category(alice: Actor) -> None:
    write(alice, "mem://user/events/fair/stand")
    fair = at(alice, "mem://user/events/fair")
    with workspace(alice.workspace_id):
        node_move(alice, node_id=fair.id, to=Address("mem://user/entities/fair"), version=1)
    assert at(alice, "mem://user/entities/fair/stand").category == "entities"


def test_a_move_makes_the_directories_above_and_takes_them_out_of_the_archive(alice: Actor) -> None:
    tea = write(alice, TEA)
    write(alice, f"{ACME}/rate")
    away = at(alice, ACME)
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=away.id)
    before = states(alice)
    to = f"{ACME}/people/ann/tea"
    with workspace(alice.workspace_id):
        assert node_move(alice, node_id=tea.id, to=Address(to), version=1).uri == to
    assert listed(alice, "mem://user/entities", depth=9) == [ACME, f"{ACME}/people", f"{ACME}/people/ann", to]
    assert undo(alice, tea, 2).uri == TEA
    assert listed(alice, "mem://user", depth=9) == ["mem://user/entities", "mem://user/preferences", TEA]
    assert {node_id: state for node_id, state in states(alice).items() if node_id in before} == before


@pytest.mark.parametrize(
    ("to", "error"),
    [
        (f"{ACME}/limits", Unprocessable),
        ("mem://agent/cases/acme", Unprocessable),
        (f"{TEA}/acme", Unprocessable),
        (TEA, Conflict),
    ],
)
def test_a_move_that_would_break_the_tree_is_refused(alice: Actor, to: str, error: type[Exception]) -> None:
    write(alice, f"{ACME}/rate")
    write(alice, TEA)
    before = states(alice)
    with workspace(alice.workspace_id), pytest.raises(error):
        node_move(alice, node_id=at(alice, ACME).id, to=Address(to), version=1)
    assert states(alice) == before


def test_a_merge_archives_the_other_memories_with_a_reference(alice: Actor) -> None:
    target, source = write(alice, TEA, "Likes tea."), write(alice, COFFEE, "Likes coffee.", tags=["drinks"])
    before = states(alice)
    with workspace(alice.workspace_id):
        merged = nodes_merge(alice, target_id=target.id, source_ids=[source.id], version=1)
    assert (merged.content, merged.tags) == ("Likes tea.\n\nLikes coffee.", ("drinks",))
    assert merged.merged_from == (str(source.id),)
    gone = read(alice, source.id)
    assert gone.archived_at is not None
    assert gone.merged_into == target.id
    undo(alice, source, 2)
    assert states(alice) == before


def test_a_person_may_write_the_text_of_a_merge(alice: Actor) -> None:
    target, source = write(alice, TEA, "Likes tea."), write(alice, COFFEE, "Likes coffee.")
    with workspace(alice.workspace_id):
        both = nodes_merge(alice, target_id=target.id, source_ids=[source.id], version=1, content="Likes both.")
        with pytest.raises(Stale):
            nodes_merge(alice, target_id=target.id, source_ids=[source.id], version=1)
        with pytest.raises(Conflict):
            nodes_merge(alice, target_id=target.id, source_ids=[source.id], version=2)
    assert both.content == "Likes both."


def test_the_archive_takes_all_below_and_gives_it_back_with_its_directories(alice: Actor) -> None:
    kept, away = write(alice, f"{ACME}/limits/rate"), write(alice, f"{ACME}/limits/burst")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=away.id)
        node_archive(alice, node_id=at(alice, ACME).id, reason="No customer any more.")
        with pytest.raises(Conflict):
            node_edit(alice, node_id=kept.id, changes={"content": "x"}, version=2)
    assert listed(alice, "mem://user/entities", depth=9) == []
    with workspace(alice.workspace_id):
        node_unarchive(alice, node_id=kept.id)
    assert listed(alice, "mem://user/entities", depth=9) == [ACME, f"{ACME}/limits", kept.uri]
    assert read(alice, away.id).archived_at is not None
    assert states(alice)


def test_a_directory_out_of_the_archive_brings_what_went_with_it(alice: Actor) -> None:
    kept, away = write(alice, f"{ACME}/rate"), write(alice, f"{ACME}/burst")
    acme = at(alice, ACME)
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=away.id)
        node_archive(alice, node_id=acme.id)
        node_unarchive(alice, node_id=acme.id)
    assert listed(alice, ACME) == [kept.uri]


def test_a_new_memory_takes_its_directory_out_of_the_archive(alice: Actor) -> None:
    write(alice, f"{ACME}/rate")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=at(alice, ACME).id)
    write(alice, f"{ACME}/burst")
    assert listed(alice, "mem://user/entities", depth=9) == [ACME, f"{ACME}/burst"]
    assert states(alice)


def test_sharing_gives_a_subtree_to_the_team_under_a_free_name(alice: Actor, bob: Actor) -> None:
    write(alice, "mem://agent/cases/db/locks", "The team's.", shared=True)
    write(alice, "mem://agent/cases/db/locks", "Alice's.")
    with workspace(alice.workspace_id):
        own = MemNode.objects.get(owner_id=alice.user_id, uri="mem://agent/cases/db")
        before = states(alice)
        shared = node_share(alice, node_id=own.id)
    assert (shared.uri, shared.shared) == ("mem://agent/cases/db-2", True)
    assert at(bob, "mem://agent/cases/db-2/locks").content == "Alice's."
    with workspace(alice.workspace_id):
        (change,) = set(MemRevision.objects.filter(operation="share").values_list("change", flat=True))
        change_undo(alice, node_id=own.id, change_id=change)
    assert states(alice) == before
    with workspace(bob.workspace_id), pytest.raises(NotFound):
        revision_list(bob, own.id, limit=1)


def test_only_a_curator_shares(alice: Actor, bob: Actor) -> None:
    his = write(bob, "mem://agent/cases/locks")
    with workspace(bob.workspace_id), pytest.raises(Forbidden):
        node_share(bob, node_id=his.id)
    with workspace(bob.workspace_id):
        assert node_share(replace(bob, role=Role.CURATOR), node_id=his.id).shared
    user = write(alice, TEA)
    with workspace(alice.workspace_id), pytest.raises(Unprocessable):
        node_share(alice, node_id=user.id)


def test_undoing_a_making_archives_and_undoing_that_brings_it_back(alice: Actor) -> None:
    made = write(alice, f"{ACME}/rate")
    before = states(alice)
    undo(alice, made, 1)
    assert listed(alice, "mem://user", depth=9) == ["mem://user/entities"]
    with workspace(alice.workspace_id):
        newest = revision_list(alice, made.id, limit=1).data[0]
        first = revision_list(alice, made.id, limit=5).data[-1]
    assert (newest.operation, newest.undoes, first.undone) == ("undo", first.change_id, True)
    undo(alice, made, 2)
    assert states(alice) == before
    with workspace(alice.workspace_id):
        assert not revision_list(alice, made.id, limit=5).data[-1].undone


def test_undoing_a_making_leaves_a_directory_that_something_else_is_in(alice: Actor) -> None:
    made = write(alice, f"{ACME}/rate")
    write(alice, f"{ACME}/burst")
    undo(alice, made, 1)
    assert listed(alice, "mem://user/entities", depth=9) == [ACME, f"{ACME}/burst"]


def test_undoing_leaves_a_directory_out_of_the_archive_that_something_else_is_in(alice: Actor) -> None:
    undo(alice, write(alice, f"{ACME}/rate"), 1)
    made = write(alice, f"{ACME}/burst")
    write(alice, f"{ACME}/kept")
    undo(alice, made, 1)
    assert listed(alice, "mem://user/entities", depth=9) == [ACME, f"{ACME}/kept"]
    assert states(alice)


def test_what_was_changed_since_is_not_overwritten(alice: Actor) -> None:
    made = write(alice, TEA, "Likes tea.")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=made.id, changes={"content": "Likes green tea."}, version=1)
        node_edit(alice, node_id=made.id, changes={"content": "Likes black tea.", "tags": ["x"]}, version=2)
    with pytest.raises(Conflict) as refused:
        undo(alice, made, 2)
    assert (refused.value.code, refused.value.extra) == ("changed_since", {"fields": ["l2_content"]})
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=made.id, changes={"content": "Likes green tea."}, version=3)
    assert undo(alice, made, 2).content == "Likes tea."


def test_use_since_then_stays_and_hinders_no_undo(alice: Actor) -> None:
    target, source = write(alice, TEA, "Likes tea."), write(alice, COFFEE, "Likes coffee.")
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=source.id).update(access_count=3)
        nodes_merge(alice, target_id=target.id, source_ids=[source.id], version=1)
        MemNode.objects.filter(pk=target.id).update(access_count=9)
    assert (undo(alice, target, 2).access_count, read(alice, target.id).content) == (9, "Likes tea.")


def test_short_tiers_made_since_then_hinder_no_undo(alice: Actor) -> None:
    made = write(alice, TEA, "Likes tea.")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=made.id, changes={"content": "Likes coffee."}, version=1)
        MemNode.objects.filter(pk=made.id).update(l0_abstract="A model's words.", tiers_by="some-model")
    undone = undo(alice, made, 2)
    assert (undone.content, undone.abstract, undone.tiers_stale) == ("Likes tea.", "Likes tea.", False)


def test_a_taken_address_hinders_going_back(alice: Actor) -> None:
    made = write(alice, TEA)
    with workspace(alice.workspace_id):
        node_move(alice, node_id=made.id, to=Address(COFFEE), version=1)
    write(alice, TEA)
    with pytest.raises(Conflict) as refused:
        undo(alice, made, 2)
    assert refused.value.code == "address_taken"


def test_another_persons_change_cannot_be_undone(alice: Actor, bob: Actor) -> None:
    made = write(alice, TEA)
    shared = write(alice, "mem://agent/cases/locks", shared=True)
    with workspace(alice.workspace_id):
        changes = {row.node_id: row.change for row in MemRevision.objects.filter(number=1)}
    with workspace(bob.workspace_id):
        with pytest.raises(NotFound):
            change_undo(bob, node_id=made.id, change_id=changes[made.id])
        with pytest.raises(NotFound):
            change_undo(bob, node_id=shared.id, change_id=changes[made.id])
        with pytest.raises(Forbidden):
            change_undo(bob, node_id=shared.id, change_id=changes[shared.id])
