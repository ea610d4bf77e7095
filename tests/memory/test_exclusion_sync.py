"""Excluding messages archives the memories extracted from them, and including restores these."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import MemRevision
from apps.memory.records.tree import NodeRecord, SourceRecord
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive, node_unarchive
from apps.turns.services.messages import messages_set_excluded
from tests.conversations.long_conversations import conversation, say
from tests.memory.facts import current, learn, learned
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
