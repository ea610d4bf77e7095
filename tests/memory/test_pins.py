"""Pins: verbatim, and counted once in addition to live messages."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.errors import NotFound, Stale, Unprocessable
from apps.common.tenancy import workspace
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.messages import messages_exclude
from apps.memory.records import PinRecord
from apps.memory.selectors.pins import pin_get, pin_list, pin_tokens_outside_live, pins_for_pack
from apps.memory.services.pins import PinDraft, pin_create, pin_delete, pin_update
from apps.turns.services.fork import conversation_fork
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db


def pin(actor: Actor, talk: UUID, **fields: object) -> PinRecord:
    with workspace(actor.workspace_id):
        return pin_create(actor, conversation_id=talk, draft=PinDraft(**fields))  # type: ignore[arg-type]  # as given


def beside_live(actor: Actor, talk: UUID) -> int:
    with workspace(actor.workspace_id):
        return pin_tokens_outside_live(talk)


def test_a_pin_of_a_live_message_is_not_counted_twice(alice: Actor) -> None:
    talk = conversation(alice)
    message = say(alice, talk, "x" * 40, "y")[0]
    pin(alice, talk, message_id=message.id)
    assert beside_live(alice, talk) == 0
    with workspace(alice.workspace_id):
        messages_exclude(conversation=conversation_lock(talk), message_ids=[message.id])
    assert beside_live(alice, talk) == 10


def test_a_pinned_text_is_counted_separately(alice: Actor) -> None:
    talk = conversation(alice)
    pin(alice, talk, content="x" * 40)
    assert beside_live(alice, talk) == 10


def test_pins_are_in_packs_in_creation_order(alice: Actor) -> None:
    talk = conversation(alice)
    for number in range(5):
        pin(alice, talk, content=f"Pin {number}", category="decision")
    with workspace(alice.workspace_id):
        assert [item.content for item in pins_for_pack(talk)] == [f"Pin {number}" for number in range(5)]


def test_a_pin_is_unchanged_when_its_message_changes(alice: Actor) -> None:
    talk = conversation(alice)
    message = say(alice, talk, "The whole message.")[0]
    assert pin(alice, talk, message_id=message.id, content="The whole").content == "The whole"


def test_a_pin_without_words_is_refused(alice: Actor) -> None:
    talk = conversation(alice)
    made = pin(alice, talk, content="Keep")
    with pytest.raises(Unprocessable):
        pin(alice, talk, content=" \n")
    with workspace(alice.workspace_id), pytest.raises(Unprocessable):
        pin_update(alice, conversation_id=talk, pin_id=made.id, changes={"content": ""}, version=1)


def test_a_pin_is_deleted_only_at_the_version_that_is_named(alice: Actor) -> None:
    talk = conversation(alice)
    made = pin(alice, talk, content="Keep")
    with workspace(alice.workspace_id):
        with pytest.raises(Stale):
            pin_delete(alice, conversation_id=talk, pin_id=made.id, version=2)
        pin_delete(alice, conversation_id=talk, pin_id=made.id, version=1)
        with pytest.raises(NotFound):
            pin_get(alice, talk, made.id)


def test_a_fork_gets_the_pins_whose_message_it_has(alice: Actor) -> None:
    talk = conversation(alice)
    early, late = say(alice, talk, "Early", "Late")
    for fields in ({"message_id": early.id}, {"message_id": late.id}, {"content": "Of its own"}):
        pin(alice, talk, **fields)
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=talk, through_index=0)
        copies = pin_list(alice, fork.id, after=None, limit=10).data
    assert [copy.content for copy in copies] == ["Early", "Of its own"]
    assert copies[0].message_id not in (None, early.id)
