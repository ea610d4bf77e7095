"""Matches for a message that no model answers."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.context.selectors.reply_matches import reply_matches
from apps.conversations.models import Conversation, Message
from apps.conversations.records import engine_message
from apps.engine.pack.retrieved import RetrievedItem
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import index, remember

pytestmark = pytest.mark.django_db(transaction=True)


def matches(actor: Actor, talk: UUID, text: str) -> list[RetrievedItem]:
    say(actor, talk, text)
    with workspace(actor.workspace_id):
        said = Message.objects.filter(conversation_id=talk).latest("index")
        found = Conversation.objects.get(pk=talk)
        return list(reply_matches(actor, found, policy_for_workspace(), engine_message(said), None))


def test_memories_and_messages_are_found_by_meaning(alice: Actor) -> None:
    remember(alice, "mem://user/events/trip", "We flew to Lisbon for a vacation.")
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy called Rex.", "How lovely!")
    index(alice, talk)
    assert matches(alice, talk, "holiday travel abroad")[0].origin == "mem://user/events/trip"
    assert matches(alice, talk, "What is my puppy called?")[0].index == 0


def test_nothing_is_found_for_what_has_nothing_to_do_with_the_chat(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy called Rex.", "How lovely!")
    index(alice, talk)
    assert matches(alice, talk, "How many moons does Jupiter have?") == []


def test_the_message_itself_is_no_match(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Where did I put the keys to the cellar?")
    index(alice, talk)
    with workspace(alice.workspace_id):
        said = Message.objects.get(conversation_id=talk)
        found = Conversation.objects.get(pk=talk)
        assert reply_matches(alice, found, policy_for_workspace(), engine_message(said), None) == ()


def test_memories_of_others_are_no_match(alice: Actor, bob: Actor) -> None:
    remember(alice, "mem://user/events/trip", "We flew to Lisbon for a vacation.")
    talk = conversation(bob)
    assert matches(bob, talk, "Where did we fly for a vacation?") == []


def test_a_temporary_chat_quotes_no_memory(alice: Actor) -> None:
    remember(alice, "mem://user/events/trip", "We flew to Lisbon for a vacation.")
    talk = conversation(alice)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(temporary=True)
    assert matches(alice, talk, "Where did we fly for a vacation?") == []


def test_without_vectors_only_shared_words_match(alice: Actor) -> None:
    remember(alice, "mem://user/events/trip", "We flew to Lisbon for a vacation.")
    talk = conversation(alice)
    assert [one.origin for one in matches(alice, talk, "Where was the vacation?")] == ["mem://user/events/trip"]
    assert matches(alice, talk, "What is my blood type?") == []


def test_messages_of_own_other_chats_are_found_with_their_title(alice: Actor, bob: Actor) -> None:
    past = conversation(alice, title="Pets")
    say(alice, past, "I adopted a puppy called Rex.", "How lovely!")
    index(alice, past)
    best = matches(alice, conversation(alice), "What is my puppy called?")[0]
    assert (best.conversation_id, best.conversation_title, best.index) == (str(past), "Pets", 0)
    assert matches(bob, conversation(bob), "What is my puppy called?") == []
