"""Messages are stored once and in order, with correct counters."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connections

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Forbidden, NotFound
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.conversations.records import MessageDraft
from apps.conversations.services.conversations import (
    ConversationChange,
    conversation_share,
    conversation_update,
    counters_refresh,
)
from apps.turns.services.messages import messages_set_excluded, messages_store
from tests.conversations.long_conversations import conversation, history, long_talk, row_of, say

COUNTERS = ("message_count", "token_total", "excluded_tokens", "live_count", "live_tokens")


def counters(row: Conversation) -> tuple[int, ...]:
    return tuple(getattr(row, name) for name in COUNTERS)


def recount(actor: Actor, conversation_id: UUID) -> tuple[int, ...]:
    with workspace(actor.workspace_id):
        row = Conversation.objects.get(pk=conversation_id)
        counters_refresh(row)
    return counters(row)


@pytest.mark.django_db
def test_messages_get_places_without_gaps_and_running_totals(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "abcd", "abcde")
    say(alice, talk, "")
    rows = history(alice, talk)
    assert [row.index for row in rows] == [0, 1, 2]
    assert [row.token_count for row in rows] == [5, 6, 4]
    assert [row.tokens_through for row in rows] == [5, 11, 15]


@pytest.mark.django_db
def test_a_long_message_counts_at_most_its_limit_while_live(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "x" * 120_000)
    row = row_of(alice, talk)
    assert (row.token_total, row.live_tokens) == (30_004, 2_000)


@pytest.mark.django_db
def test_a_known_external_id_is_not_stored_twice(alice: Actor) -> None:
    talk = conversation(alice)
    drafts = [MessageDraft("user", "one", external_id="a"), MessageDraft("assistant", "two", external_id="b")]
    with workspace(alice.workspace_id):
        first = messages_store(alice, conversation_id=talk, drafts=drafts)
        again = messages_store(alice, conversation_id=talk, drafts=[*drafts, MessageDraft("user", "three")])
    assert [record.id for record in again.records[:2]] == [record.id for record in first.records]
    assert again.stored == 1
    assert len(history(alice, talk)) == 3


@pytest.mark.django_db
def test_a_batch_that_repeats_itself_is_stored_once(alice: Actor) -> None:
    talk = conversation(alice)
    draft = MessageDraft("user", "one", external_id="a")
    with workspace(alice.workspace_id):
        appended = messages_store(alice, conversation_id=talk, drafts=[draft, draft])
    assert appended.stored == 1
    assert appended.records[0].id == appended.records[1].id


@pytest.mark.django_db
def test_leaving_out_and_taking_in_moves_the_counters(alice: Actor) -> None:
    talk = long_talk(alice, messages=12)
    ids = [row.id for row in history(alice, talk)[2:5]]
    before = counters(row_of(alice, talk))
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=ids, excluded=True)
        messages_set_excluded(alice, conversation_id=talk, message_ids=ids[:1], excluded=True)
    assert counters(row_of(alice, talk)) == recount(alice, talk)
    assert row_of(alice, talk).excluded_tokens == 900
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=ids, excluded=False)
    assert counters(row_of(alice, talk)) == before


@pytest.mark.django_db
def test_an_unknown_message_cannot_be_excluded(alice: Actor) -> None:
    talk, other = long_talk(alice, messages=2), long_talk(alice, messages=2)
    foreign = history(alice, other)[0].id
    with workspace(alice.workspace_id), pytest.raises(NotFound):
        messages_set_excluded(alice, conversation_id=talk, message_ids=[foreign], excluded=True)


@pytest.mark.django_db
def test_an_archived_conversation_takes_no_messages(alice: Actor) -> None:
    talk = conversation(alice)
    with workspace(alice.workspace_id):
        conversation_update(alice, conversation_id=talk, change=ConversationChange(archived=True), version=1)
    with pytest.raises(Conflict):
        say(alice, talk, "too late")


@pytest.mark.django_db
def test_bob_sees_a_conversation_only_when_it_is_shared_with_him(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    with pytest.raises(NotFound):
        with_bob(bob, talk)
    share(alice, talk, "read")
    with pytest.raises(Forbidden):
        with_bob(bob, talk)
    share(alice, talk, "write")
    with_bob(bob, talk)
    assert [row.content for row in history(alice, talk)] == ["hello from Bob"]


@pytest.mark.django_db
def test_charlie_has_no_access(alice: Actor, charlie: Actor) -> None:
    talk = conversation(alice)
    with workspace(charlie.workspace_id), pytest.raises(NotFound):
        messages_store(charlie, conversation_id=talk, drafts=[MessageDraft("user", "let me in")])


@pytest.mark.django_db(transaction=True)
def test_messages_that_arrive_at_once_all_find_their_own_place(alice: Actor) -> None:
    talk = conversation(alice)

    def send(number: int) -> None:
        try:
            with workspace(alice.workspace_id):
                drafts = [MessageDraft("user", f"{number} first"), MessageDraft("user", f"{number} second")]
                messages_store(alice, conversation_id=talk, drafts=drafts)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, range(40)))
    rows = history(alice, talk)
    assert [row.index for row in rows] == list(range(80))
    assert all(rows[place + 1].content == rows[place].content.replace("first", "second") for place in range(0, 80, 2))
    assert counters(row_of(alice, talk)) == recount(alice, talk)


def share(actor: Actor, talk: UUID, access: str) -> None:
    with workspace(actor.workspace_id):
        conversation_share(actor, conversation_id=talk, email="bob@example.org", access=access)


def with_bob(bob: Actor, talk: UUID) -> None:
    with workspace(bob.workspace_id):
        messages_store(bob, conversation_id=talk, drafts=[MessageDraft("user", "hello from Bob")])
