"""Excluding messages archives the memories extracted from them, and including restores these."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import MemRevision, Operation
from apps.memory.records.tree import NodeRecord, SourceRecord
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive, node_unarchive
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.current_facts import supersede
from apps.turns.services.messages import messages_set_excluded
from tests.conversations.long_conversations import conversation, say
from tests.inbox.inboxes import memory, row
from tests.memory.facts import current, day, fact, learn, learned, said
from tests.memory.recall import found_uris
from tests.memory.trees import at, read, write

pytestmark = pytest.mark.django_db
ROME = "mem://user/events/rome"


@pytest.fixture
def talk(alice: Actor) -> tuple[UUID, list[UUID]]:
    """A conversation, with the ids of its messages."""
    conversation_id = conversation(alice)
    return conversation_id, [one.id for one in say(alice, conversation_id, "I moved to Rome.", "Oh!", "In May.")]


def leave_out(actor: Actor, talk: tuple[UUID, list[UUID]], *places: int, excluded: bool = True) -> None:
    with workspace(actor.workspace_id):
        ids = [talk[1][place] for place in places]
        messages_set_excluded(actor, conversation_id=talk[0], message_ids=ids, excluded=excluded)
        assert tree_faults() == []


def told_by(actor: Actor, *message_ids: UUID, uri: str = ROME, also: tuple[SourceRecord, ...] = ()) -> NodeRecord:
    sources = [*(SourceRecord("message", str(one)) for one in message_ids), *also]
    return write(actor, uri, "Moved to Rome.", sources=sources)


def changes_of(actor: Actor, *nodes: NodeRecord) -> list[tuple[str, str, UUID]]:
    with workspace(actor.workspace_id):
        rows = MemRevision.objects.filter(node_id__in=[one.id for one in nodes], number__gt=1).order_by("number", "id")
        return [(row.operation, row.made_by, row.change) for row in rows]


def test_a_memory_whose_only_source_is_excluded_is_archived_and_restored_with_it(
    alice: Actor, talk: tuple[UUID, list[UUID]]
) -> None:
    node = told_by(alice, talk[1][0])
    leave_out(alice, talk, 0)
    gone = read(alice, node.id)
    assert (gone.archived_at is not None, gone.version, found_uris(alice, "Rome")) == (True, 2, [])
    leave_out(alice, talk, 0, excluded=False)
    back = read(alice, node.id)
    assert (back.archived_at, back.version, found_uris(alice, "Rome")) == (None, 3, [ROME])
    with workspace(alice.workspace_id):
        out, into = MemRevision.objects.filter(node_id=node.id, number__gt=1).order_by("number")
    assert (out.operation, out.made_by, out.actor_id) == ("archive", "exclusion", None)
    assert (into.operation, into.made_by, into.undoes) == ("undo", "exclusion", out.change)


def test_a_memory_with_another_source_remains(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    both = told_by(alice, talk[1][0], talk[1][2])
    hook = told_by(alice, talk[1][0], uri=f"{ROME}-2", also=(SourceRecord("hook", "event-7"),))
    lost = told_by(alice, talk[1][0], uri=f"{ROME}-3", also=(SourceRecord("message", "of another program"),))
    leave_out(alice, talk, 0)
    assert [read(alice, one.id).archived_at for one in (both, hook, lost)] == [None] * 3
    leave_out(alice, talk, 2)
    assert read(alice, both.id).archived_at is not None
    leave_out(alice, talk, 0, excluded=False)
    assert read(alice, both.id).archived_at is None


def test_it_is_one_change_whosever_the_memories_are(alice: Actor, bob: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    of_alice, of_bob = told_by(alice, talk[1][0]), told_by(bob, talk[1][2])
    leave_out(alice, talk, 0, 2)
    assert read(bob, of_bob.id).archived_at is not None
    found = changes_of(alice, of_alice, of_bob)
    assert len(found) == 2 and len(set(found)) == 1


def test_only_memories_with_an_included_source_are_restored(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    first, third = told_by(alice, talk[1][0]), told_by(alice, talk[1][2], uri=f"{ROME}-2")
    leave_out(alice, talk, 0, 2)
    leave_out(alice, talk, 2, excluded=False)
    assert [read(alice, one.id).archived_at is None for one in (first, third)] == [False, True]


def test_a_persons_own_archiving_is_never_undone(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    by_hand, since = told_by(alice, talk[1][0]), told_by(alice, talk[1][0], uri=f"{ROME}-2")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=by_hand.id)
    leave_out(alice, talk, 0)
    with workspace(alice.workspace_id):
        node_unarchive(alice, node_id=since.id)
        node_archive(alice, node_id=since.id)
    leave_out(alice, talk, 0, excluded=False)
    assert [read(alice, one.id).archived_at is None for one in (by_hand, since)] == [False, False]


def test_nothing_is_restored_into_an_archived_directory(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    node = told_by(alice, talk[1][0], uri="mem://user/entities/rome/move")
    leave_out(alice, talk, 0)
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=at(alice, "mem://user/entities/rome").id)
    leave_out(alice, talk, 0, excluded=False)
    assert read(alice, node.id).archived_at is not None


def test_excluding_a_correction_reinstates_the_value_before_it(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    first, second = (SourceRecord("message", str(one)) for one in (talk[1][0], talk[1][2]))
    earlier, later = learned("Bonn", 1), learned("Ghent", 30)
    learn(alice, replace(earlier, draft=replace(earlier.draft, sources=[first])))
    learn(alice, replace(later, draft=replace(later.draft, sources=[second])))
    leave_out(alice, talk, 2)
    assert current(alice) == ["Bonn"]
    leave_out(alice, talk, 2, excluded=False)
    assert current(alice) == ["Ghent"]


def links(actor: Actor, *nodes: UUID) -> list[tuple[UUID | None, bool]]:
    """What superseded each, and whether it is current."""
    rows = [row(actor, node_id) for node_id in nodes]
    return [(one.superseded_by_id, one.valid_to is None and one.archived_at is None) for one in rows]


def test_of_several_values_that_a_correction_superseded_the_last_is_reinstated(
    alice: Actor, talk: tuple[UUID, list[UUID]]
) -> None:
    learn(alice, said("Rome", 10, talk[1][0]))
    learn(alice, said("Oslo", 30, talk[1][2]))
    learn(alice, said("Paris", 5, talk[1][1]))
    rome, oslo, paris = (fact(alice, value).id for value in ("Rome", "Oslo", "Paris"))
    before = [row(alice, one).valid_to for one in (rome, paris)]
    leave_out(alice, talk, 2)
    assert current(alice) == ["Rome"]
    assert (row(alice, paris).superseded_by_id, row(alice, paris).valid_to) == (rome, day(10))
    leave_out(alice, talk, 2, excluded=False)
    assert links(alice, rome, paris, oslo) == [(oslo, False), (rome, False), (None, True)]
    assert [row(alice, one).valid_to for one in (rome, paris)] == before


@pytest.fixture
def chain(alice: Actor, talk: tuple[UUID, list[UUID]]) -> tuple[UUID, UUID, UUID]:
    """Memories without a slot, each of which superseded the one before it."""
    nodes = [
        memory(alice, f"{ROME}-{at}", f"Rome {at}.", ("message", talk[1][at]), valid_from=day(10 * at))
        for at in range(3)
    ]
    rows = [row(alice, one) for one in nodes]
    with workspace(alice.workspace_id):
        change = Change(Cause(Operation.SUPERSEDE, alice.user_id))
        change.open(*rows)
        for earlier, later in pairwise(rows):
            supersede(earlier, later)
        change.store()
    first, second, third = nodes
    return first, second, third


def test_what_a_superseded_memory_superseded_does_not_return_with_its_exclusion(
    alice: Actor, talk: tuple[UUID, list[UUID]], chain: tuple[UUID, UUID, UUID]
) -> None:
    _, second, third = chain
    leave_out(alice, talk, 1)
    assert links(alice, *chain) == [(third, False), (third, False), (None, True)]
    leave_out(alice, talk, 1, excluded=False)
    assert links(alice, *chain) == [(second, False), (third, False), (None, True)]
    assert [row(alice, one).valid_to for one in chain] == [day(10), day(20), None]


@pytest.mark.parametrize("out", [[(1, 2)], [(1,), (2,)], [(2,), (1,)]])
@pytest.mark.parametrize("back", [[(1, 2)], [(1,), (2,)], [(2,), (1,)]])
def test_any_order_of_excluding_and_including_gives_the_original_state(
    alice: Actor,
    talk: tuple[UUID, list[UUID]],
    chain: tuple[UUID, UUID, UUID],
    out: list[tuple[int, ...]],
    back: list[tuple[int, ...]],
) -> None:
    before = links(alice, *chain)
    for places in out:
        leave_out(alice, talk, *places)
    assert links(alice, *chain)[0] == (None, True)
    for places in back:
        leave_out(alice, talk, *places, excluded=False)
        assert sum(is_current for _, is_current in links(alice, *chain)) == 1
    assert links(alice, *chain) == before


def test_a_value_that_was_stored_since_the_exclusion_remains_current(
    alice: Actor, talk: tuple[UUID, list[UUID]]
) -> None:
    learn(alice, said("Bonn", 1, talk[1][0]))
    learn(alice, said("Ghent", 30, talk[1][2]))
    leave_out(alice, talk, 2)
    learn(alice, learned("Lille", 40))
    leave_out(alice, talk, 2, excluded=False)
    assert current(alice) == ["Lille"]
