"""Words of a source that was taken out of use: they do not return with it, and do from elsewhere."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.inbox.records import ScopeKind, SourceScope
from apps.inbox.services.sources import SourceAction, source_quarantine
from apps.memory.models import MemNode
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive
from apps.turns.services.fork import conversation_fork
from apps.turns.services.messages import messages_set_excluded
from tests.conversations.long_conversations import conversation, say
from tests.inbox.inboxes import waiting
from tests.memory.facts import change_of, current, fact, learn, said, states

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(alice: Actor) -> tuple[UUID, list[UUID]]:
    """A conversation, with the ids of its messages; what the first states is a memory."""
    conversation_id = conversation(alice)
    ids = [one.id for one in say(alice, conversation_id, "I live in Bonn", "Oh!", "I live in Bonn")]
    learn(alice, said("Bonn", 1, ids[0]))
    return conversation_id, ids


def take_out(actor: Actor, message_id: UUID, action: SourceAction) -> None:
    with workspace(actor.workspace_id):
        source_quarantine(actor, scope=SourceScope(ScopeKind.MESSAGE, str(message_id)), action=action)


def exclude(actor: Actor, talk: tuple[UUID, list[UUID]], *, excluded: bool = True) -> None:
    with workspace(actor.workspace_id):
        messages_set_excluded(actor, conversation_id=talk[0], message_ids=talk[1][:1], excluded=excluded)
        assert tree_faults() == []


def copy_of(actor: Actor, talk: tuple[UUID, list[UUID]]) -> UUID:
    with workspace(actor.workspace_id):
        fork = conversation_fork(actor, conversation_id=talk[0], through_index=0)
        return Message.objects.get(conversation_id=fork.id).id


@pytest.mark.parametrize("action", list(SourceAction))
def test_reading_a_source_again_brings_nothing_back(
    alice: Actor, talk: tuple[UUID, list[UUID]], action: SourceAction
) -> None:
    take_out(alice, talk[1][0], action)
    assert states(learn(alice, said("Bonn", 1, talk[1][0]))) == ["known"]
    assert states(learn(alice, said("Bonn", 1, copy_of(alice, talk)))) == ["known"]
    assert current(alice) == []
    assert len(waiting(alice)) == (action is SourceAction.QUARANTINE)


@pytest.mark.parametrize("action", list(SourceAction))
def test_the_same_words_from_another_message_become_a_memory(
    alice: Actor, talk: tuple[UUID, list[UUID]], action: SourceAction
) -> None:
    take_out(alice, talk[1][0], action)
    assert states(learn(alice, said("Bonn", 60, talk[1][2]))) == ["created"]
    assert current(alice) == ["Bonn"]


def test_words_of_an_excluded_message_can_be_learned_from_another_one(
    alice: Actor, talk: tuple[UUID, list[UUID]]
) -> None:
    exclude(alice, talk)
    assert states(learn(alice, said("Bonn", 60, talk[1][2]))) == ["created"]
    assert current(alice) == ["Bonn"]
    exclude(alice, talk, excluded=False)
    assert current(alice) == ["Bonn"]


def test_what_a_person_archived_stays_archived_whoever_repeats_it(alice: Actor, talk: tuple[UUID, list[UUID]]) -> None:
    exclude(alice, talk)
    again = learn(alice, said("Bonn", 60, talk[1][2]))
    change_of(again)
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=fact(alice, "Bonn").id)
    assert states(learn(alice, said("Bonn", 90, talk[1][1]))) == ["known"]
    with workspace(alice.workspace_id):
        assert MemNode.objects.filter(value="Bonn", archived_at=None).count() == 0
