"""Matches for a message that no model answers."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.context.records import BuiltPack
from apps.context.selectors.pack_requests import PackRequest
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import pack_of
from apps.conversations.models import Conversation
from apps.engine.pack.retrieved import RetrievedItem
from apps.llm.providers.base import Purpose
from apps.llm.services.registry import provider_for
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import index, remember
from tests.statements import recorded_statements, searches

pytestmark = pytest.mark.django_db(transaction=True)
BUDGET = 2_000


def matches(actor: Actor, talk: UUID, text: str) -> list[RetrievedItem]:
    say(actor, talk, text, role="user")
    return list(pack_with_matches(actor, talk).matches)


def pack_with_matches(actor: Actor, talk: UUID, *, with_matches: bool = True) -> BuiltPack:
    """The pack for the newest message, and the matches of its one search."""
    embedded = query_embed(actor, talk)
    with workspace(actor.workspace_id), recorded_statements() as statements:
        policy = policy_for_workspace()
        chosen = provider_for(Purpose.CHAT, policy)
        request = PackRequest(chosen, BUDGET, embedded_query=embedded, with_matches=with_matches)
        built = pack_of(actor, Conversation.objects.get(pk=talk), policy, request)
    assert searches(statements) == 1
    return built


def test_what_only_the_reply_quotes_takes_no_place_of_a_memory(alice: Actor) -> None:
    for number in range(30):
        remember(
            alice, f"mem://user/events/trip-{number}", f"On day {number} a trip led to a lake in the north of Sweden."
        )
    talk = conversation(alice)
    say(alice, talk, *(f"Which trip led to the lake? ({number})" for number in range(60)))
    index(alice, talk)
    say(alice, talk, "Which trip led to the lake?", role="user")
    quoting, plain = (pack_with_matches(alice, talk, with_matches=quotes) for quotes in (True, False))
    assert memories_in(quoting) == memories_in(plain)
    assert len(memories_in(plain)) > 5


def memories_in(built: BuiltPack) -> list[str]:
    return [item.origin for item in built.pack.retrieved if item.is_memory]


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
    assert pack_with_matches(alice, talk).matches == ()


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
