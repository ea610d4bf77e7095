"""Quotes from the reader's other conversations: only their own, only where nobody else reads them."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.tenancy import workspace
from apps.context.records import UsedRecord
from apps.context.selectors.used_items import used_items
from apps.context.services.used_items import used_items_store
from apps.conversations.models import Conversation, Message, ShareAccess
from apps.conversations.services.conversations import conversation_share, conversation_unshare
from apps.engine.pack.provider_formats import render_plain
from apps.engine.pack.retrieved import RetrievedItem
from apps.memory.records.tree import SourceRecord
from apps.turns.services.delete import conversation_delete, message_delete
from apps.turns.services.messages import messages_set_excluded
from tests.context.test_retrieved import KEY, QUESTION, conversation_with_question, pack_of
from tests.conversations.long_conversations import conversation, say
from tests.memory.facts import learn, learned
from tests.memory.recall import index, remember

pytestmark = pytest.mark.django_db(transaction=True)


def past_chat(actor: Actor, title: str = "The house") -> UUID:
    """A conversation in which the actor said where the key is."""
    talk = conversation(actor, title=title)
    say(actor, talk, KEY, "Good to know.")
    index(actor, talk)
    return talk


def new_chat(actor: Actor, question: str = QUESTION) -> UUID:
    talk = conversation(actor, title="Another day")
    say(actor, talk, question)
    return talk


def quoted(actor: Actor, talk: UUID) -> list[RetrievedItem]:
    return [one for one in pack_of(actor, talk).retrieved if one.conversation_id]


def told(actor: Actor, talk: UUID) -> bool:
    return KEY in render_plain(pack_of(actor, talk))


def first_of(actor: Actor, talk: UUID) -> UUID:
    with workspace(actor.workspace_id):
        return Message.objects.get(conversation_id=talk, index=0).id


def share(actor: Actor, talk: UUID, access: ShareAccess) -> None:
    with workspace(actor.workspace_id):
        conversation_share(actor, conversation_id=talk, email="bob@example.org", access=access)


def change(actor: Actor, talk: UUID, **fields: object) -> None:
    with workspace(actor.workspace_id):
        Conversation.objects.filter(pk=talk).update(**fields)


def test_a_new_chat_quotes_what_was_said_in_another_one_with_its_title_author_and_date(alice: Actor) -> None:
    past = past_chat(alice)
    pack = pack_of(alice, new_chat(alice))
    best = max(pack.retrieved, key=lambda one: one.score)
    assert (best.text, best.index, best.conversation_id, best.conversation_title) == (KEY, 0, str(past), "The house")
    assert best.origin == f"user {best.date}" and not best.is_memory
    text = render_plain(pack)
    assert f"\n[{best.origin}]\n> {KEY}" in text and "In another conversation, “The house”:\n" in text


@pytest.mark.parametrize("name", ["", "Alice", "Bob"])
@pytest.mark.parametrize(("role", "author"), [("user", "a member"), ("assistant", "assistant")])
def test_a_quote_from_a_chat_in_which_others_write_is_not_confirmed(
    alice: Actor, bob: Actor, name: str, role: str, author: str
) -> None:
    past = past_chat(alice)
    share(alice, past, ShareAccess.WRITE)
    with workspace(alice.workspace_id):
        Message.objects.filter(conversation_id=past, index=0).update(name=name, role=role)
    index(alice, past)
    best = max(pack_of(alice, new_chat(alice)).retrieved, key=lambda one: one.score)
    assert best.origin == f"{author} {best.date}, in a shared conversation, not confirmed"


def reply(actor: Actor, talk: UUID, text: str) -> None:
    """Store a reply with what its pack had retrieved, as a turn does."""
    pack = pack_of(actor, talk)
    (stored,) = say(actor, talk, text, role="assistant")
    with workspace(actor.workspace_id):
        used_items_store(pack, conversation_id=talk, reply_id=stored.id, user_id=actor.person_id)


def test_what_was_retrieved_for_the_last_reply_is_quoted_once_more(alice: Actor) -> None:
    past_chat(alice)
    talk = new_chat(alice)
    marks = []
    for text in ("Behind the shed.", "You are welcome.", "Bye."):
        marks.append([(one.text, one.again) for one in pack_of(alice, talk).retrieved if one.text == KEY])
        reply(alice, talk, text)
        say(alice, talk, "Thanks, that is all!")
    assert marks == [[(KEY, False)], [(KEY, True)], []]


def test_private_parts_of_another_chat_are_not_quoted(alice: Actor) -> None:
    past = conversation(alice, title="The house <private>of Kim</private>")
    say(
        alice,
        past,
        f"{KEY} <private>The alarm code is 4711.</private>",
        "<private>The spare key opens the safe.</private>",
    )
    index(alice, past)
    pack = pack_of(alice, new_chat(alice))
    assert [(one.text, one.conversation_title) for one in pack.retrieved] == [(KEY, "The house")]
    assert "4711" not in render_plain(pack) and "safe" not in render_plain(pack)


def test_a_chat_with_compacted_messages_quotes_its_own_and_those_of_other_chats(
    alice: Actor, settings: Settings
) -> None:
    past = conversation(alice, title="The garden")
    say(alice, past, "My neighbor Rosa has the spare key of the shed.")
    index(alice, past)
    talk = conversation_with_question(alice, settings)
    places = [(one.conversation_id, one.index) for one in pack_of(alice, talk).retrieved]
    assert ("", 0) in places and (str(past), 0) in places


def test_archived_chats_are_quoted_and_temporary_ones_are_not(alice: Actor) -> None:
    past, talk = past_chat(alice), new_chat(alice)
    with workspace(alice.workspace_id):
        change(alice, past, archived_at=Message.objects.get(conversation_id=past, index=0).created_at)
    assert told(alice, talk)
    change(alice, past, temporary=True)
    assert not told(alice, talk)


def test_a_temporary_chat_quotes_no_other(alice: Actor) -> None:
    past_chat(alice)
    talk = new_chat(alice)
    change(alice, talk, temporary=True)
    assert not told(alice, talk)


@pytest.mark.parametrize("access", list(ShareAccess))
def test_a_shared_chat_quotes_no_other_for_anybody(alice: Actor, bob: Actor, access: ShareAccess) -> None:
    past_chat(alice)
    talk = new_chat(alice)
    assert told(alice, talk)
    share(alice, talk, access)
    assert not told(alice, talk) and not told(bob, talk)


def test_a_chat_in_which_somebody_else_could_write_once_quotes_no_other(alice: Actor, bob: Actor) -> None:
    past_chat(alice)
    talks = {access: new_chat(alice) for access in ShareAccess}
    for access, talk in talks.items():
        share(alice, talk, access)
        with workspace(alice.workspace_id):
            conversation_unshare(alice, conversation_id=talk, user_id=bob.user_id)
    assert told(alice, talks[ShareAccess.READ]) and not told(alice, talks[ShareAccess.WRITE])


def test_a_chat_that_somebody_shared_with_me_is_not_quoted(alice: Actor, bob: Actor, charlie: Actor) -> None:
    share(alice, past_chat(alice), ShareAccess.WRITE)
    assert not told(bob, new_chat(bob)) and not told(charlie, new_chat(charlie))
    assert told(alice, new_chat(alice))


def test_nothing_is_quoted_if_the_workspace_switched_it_off(alice: Actor, settings: Settings) -> None:
    past_chat(alice)
    remember(alice, "mem://user/events/house", "The spare key of the house was cut in Basel.")
    talk = new_chat(alice)
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, past_chats_enabled=False)
    pack = pack_of(alice, talk)
    assert [one.origin for one in pack.retrieved] == ["mem://user/events/house"]


def test_excluded_and_deleted_messages_are_not_quoted(alice: Actor) -> None:
    excluded, deleted, talk = past_chat(alice), past_chat(alice), new_chat(alice)
    with workspace(alice.workspace_id):
        first = Message.objects.get(conversation_id=excluded, index=0).id
        messages_set_excluded(alice, conversation_id=excluded, message_ids=[first], excluded=True)
    assert told(alice, talk)
    with workspace(alice.workspace_id):
        message_delete(
            alice, conversation_id=deleted, message_id=Message.objects.get(conversation_id=deleted, index=0).id
        )
    assert not told(alice, talk)


def test_the_same_words_of_two_chats_are_quoted_once_and_the_question_itself_never(alice: Actor) -> None:
    for title in ("The house", "A copy"):
        past_chat(alice, title)
    asked = new_chat(alice)
    index(alice, asked)
    texts = [one.text for one in quoted(alice, new_chat(alice))]
    assert texts.count(KEY) == 1 and QUESTION not in texts


def test_a_message_is_not_quoted_beside_the_memory_that_was_derived_from_it(alice: Actor) -> None:
    past = past_chat(alice)
    source = SourceRecord("message", str(first_of(alice, past)))
    remember(alice, "mem://user/events/house", KEY, sources=[source])
    assert render_plain(pack_of(alice, new_chat(alice))).count(KEY) == 1


def test_a_message_of_another_chat_is_quoted_with_what_superseded_its_fact(alice: Actor) -> None:
    past = past_chat(alice)
    stated = learned("flowerpot", 1, attribute="spare_key", words=KEY)
    source = SourceRecord("message", str(first_of(alice, past)))
    learn(
        alice,
        replace(stated, draft=replace(stated.draft, sources=[source])),
        learned("Bob", 40, attribute="spare_key", words="Bob has the spare key now."),
    )
    (key,) = [one for one in quoted(alice, new_chat(alice)) if one.text == KEY]
    assert key.correction == "No longer true since 2026-02-13, replaced by: “Bob has the spare key now.”"


def test_what_a_tool_returned_in_another_chat_is_not_quoted(alice: Actor) -> None:
    past = conversation(alice)
    say(alice, past, KEY, role="tool")
    index(alice, past)
    assert not told(alice, new_chat(alice))


@pytest.mark.parametrize("text", ["Hello!", "Thanks a lot!", "How many moons does Jupiter have?"])
def test_a_message_that_nothing_is_relevant_for_quotes_nothing(alice: Actor, text: str) -> None:
    past_chat(alice)
    assert quoted(alice, new_chat(alice, text)) == []


def used_in_reply(actor: Actor, talk: UUID) -> UUID:
    """Store a reply to the question with the record of its pack."""
    pack = pack_of(actor, talk)
    (reply,) = say(actor, talk, "Under the flowerpot.", role="assistant")
    with workspace(actor.workspace_id):
        used_items_store(pack, conversation_id=talk, reply_id=reply.id, user_id=actor.user_id)
    return reply.id


def read(actor: Actor, talk: UUID, reply_id: UUID) -> UsedRecord:
    with workspace(actor.workspace_id):
        return used_items(actor, talk, reply_id)


def test_a_reply_names_the_message_of_the_other_chat_until_that_chat_is_deleted(alice: Actor) -> None:
    past, talk = past_chat(alice), new_chat(alice)
    reply_id = used_in_reply(alice, talk)
    best = read(alice, talk, reply_id).items[0]
    assert (best.kind, best.quote, best.index, best.role) == ("message", KEY, 0, "user")
    assert (best.conversation_id, best.conversation_title) == (past, "The house")
    with workspace(alice.workspace_id):
        conversation_delete(alice, conversation_id=past)
    after = read(alice, talk, reply_id)
    assert after.items == () and after.unavailable > 0


def test_those_with_whom_the_chat_is_shared_later_do_not_see_what_was_quoted(
    alice: Actor, bob: Actor, charlie: Actor
) -> None:
    past_chat(alice)
    talk = new_chat(alice)
    reply_id = used_in_reply(alice, talk)
    many = len(read(alice, talk, reply_id).items)
    share(alice, talk, ShareAccess.READ)
    record = read(bob, talk, reply_id)
    assert record.items == () and record.unavailable == many > 0
    with pytest.raises(NotFound):
        read(charlie, talk, reply_id)
