"""Deleting a message permanently deletes what a program found in it, and nothing that a person wrote."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.trust import Source
from apps.inbox.records import ScopeKind, SourceScope
from apps.inbox.services.decisions import inbox_replace
from apps.inbox.services.sources import SourceAction, source_quarantine
from apps.memory.models import MemNode, MemTombstone, NodeType
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_approve
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from apps.turns.services.delete import message_delete
from tests.conversations.long_conversations import conversation, say
from tests.memory.facts import change_of, current, fact, learn, learned, said, states

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(alice: Actor) -> tuple[UUID, list[UUID]]:
    conversation_id = conversation(alice)
    return conversation_id, [one.id for one in say(alice, conversation_id, "I live in Bonn", "Oh!", "Not any more")]


def delete(actor: Actor, talk: tuple[UUID, list[UUID]], place: int = 0) -> None:
    with workspace(actor.workspace_id):
        message_delete(actor, conversation_id=talk[0], message_id=talk[1][place])
        assert tree_faults() == []


def contents(actor: Actor) -> list[str]:
    with workspace(actor.workspace_id):
        leaves = MemNode.objects.filter(node_type=NodeType.LEAF).order_by("l2_content")
        return list(leaves.values_list("l2_content", flat=True))


def edit(actor: Actor, node_id: UUID, content: str) -> None:
    with workspace(actor.workspace_id):
        node_edit(actor, node_id=node_id, changes={"content": content}, version=None)


def test_a_replacing_memory_goes_with_its_message(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    learn(alice, learned("Ghent", 1))
    bonn = said("Bonn", 30, talk[1][0])
    learn(alice, learned("Ghent", 1), learned("Bonn", 30, source=Source.TOOL))
    with workspace(alice.workspace_id):
        node = fact(alice, "Bonn")
        node.sources.update(reference=bonn.draft.sources[0].reference)
        inbox_replace(alice, item_ids=[node.id])
    delete(alice, talk)
    assert (contents(alice), current(alice)) == (["I live in Ghent"], ["Ghent"])


def test_a_quarantined_memory_goes_with_its_message(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    learn(alice, said("Bonn", 1, talk[1][0]))
    scope = SourceScope(ScopeKind.MESSAGE, str(talk[1][0]))
    with workspace(alice.workspace_id):
        source_quarantine(alice, scope=scope, action=SourceAction.QUARANTINE)
    delete(alice, talk)
    assert contents(alice) == []


def test_a_memory_whose_successor_was_deleted_goes_with_its_message(
    alice: Actor, talk: tuple[UUID, list[UUID]]
) -> None:
    learn(alice, said("Bonn", 1, talk[1][0]))
    learn(alice, learned("Ghent", 30))
    with workspace(alice.workspace_id):
        node_erase(alice, node_id=fact(alice, "Ghent").id)
    delete(alice, talk)
    assert contents(alice) == []


def test_an_approved_memory_goes_with_its_message(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    learn(alice, learned("Bonn", 1, source=Source.TOOL))
    with workspace(alice.workspace_id):
        node = fact(alice, "Bonn")
        node.sources.update(reference=str(talk[1][0]))
        node_approve(alice, node_id=node.id)
    delete(alice, talk)
    assert contents(alice) == []


def test_a_persons_correction_remains_without_the_words_that_it_corrected(
    alice: Actor, talk: tuple[UUID, list[UUID]]
) -> None:
    learn(alice, said("Bonn", 1, talk[1][0]))
    edit(alice, fact(alice, "Bonn").id, "I live in Ghent")
    assert contents(alice) == ["I live in Bonn", "I live in Ghent"]
    delete(alice, talk)
    assert contents(alice) == ["I live in Ghent"]


def test_a_persons_earlier_correction_remains_as_history(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    learn(alice, said("Bonn", 1, talk[1][0]))
    node_id = fact(alice, "Bonn").id
    edit(alice, node_id, "I live in Ghent")
    edit(alice, node_id, "I live in Lille")
    delete(alice, talk)
    assert contents(alice) == ["I live in Ghent", "I live in Lille"]


def test_the_same_words_in_a_later_message_become_a_memory_again(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    learn(alice, said("Bonn", 1, talk[1][0]))
    delete(alice, talk)
    with workspace(alice.workspace_id):
        assert not MemTombstone.objects.exists()
    assert states(learn(alice, said("Bonn", 60, talk[1][2]))) == ["created"]
    assert current(alice) == ["Bonn"]


def test_what_a_person_deleted_permanently_does_not_return(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    change_of(learn(alice, said("Bonn", 1, talk[1][0])))
    with workspace(alice.workspace_id):
        node_erase(alice, node_id=fact(alice, "Bonn").id)
    delete(alice, talk)
    assert states(learn(alice, said("Bonn", 60, talk[1][2]))) == ["deleted"]
