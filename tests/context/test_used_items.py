"""Messages that were retrieved for a reply: their quotes, and those that were deleted since."""

from __future__ import annotations

from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.records import UsedRecord
from apps.context.selectors.used_items import used_items
from apps.context.services.packs import context_pack
from apps.context.services.used_items import used_items_store
from apps.conversations.models import Message
from apps.turns.services.delete import message_delete
from tests.context.test_retrieved import KEY, conversation_with_question
from tests.conversations.long_conversations import say

pytestmark = pytest.mark.django_db(transaction=True)


def answered(actor: Actor, conversation_id: UUID) -> UUID:
    """Store a reply with the record of its pack."""
    with workspace(actor.workspace_id):
        pack = context_pack(actor, conversation_id, 4_000)[0].pack
    (reply,) = say(actor, conversation_id, "Under the flowerpot.", role="assistant")
    with workspace(actor.workspace_id):
        used_items_store(pack, conversation_id=conversation_id, reply_id=reply.id, user_id=actor.user_id)
    return reply.id


def read(actor: Actor, conversation_id: UUID, reply_id: UUID) -> UsedRecord:
    with workspace(actor.workspace_id):
        return used_items(actor, conversation_id, reply_id)


def test_a_retrieved_message_is_quoted_with_its_index_until_it_is_deleted(alice: Actor, settings: Settings) -> None:
    conversation_id = conversation_with_question(alice, settings)
    reply_id = answered(alice, conversation_id)
    before = read(alice, conversation_id, reply_id)
    best = before.items[0]
    assert (best.kind, best.index, best.role, best.quote) == ("message", 0, "user", KEY)
    assert [item.score for item in before.items] == sorted((item.score for item in before.items), reverse=True)
    with workspace(alice.workspace_id):
        first = Message.objects.get(conversation_id=conversation_id, index=0).id
        message_delete(alice, conversation_id=conversation_id, message_id=first)
    after = read(alice, conversation_id, reply_id)
    assert after.items == before.items[1:] and after.unavailable == 1


def test_a_long_message_is_quoted_in_part(alice: Actor, settings: Settings) -> None:
    conversation_id = conversation_with_question(alice, settings)
    (long,) = say(alice, conversation_id, "The spare key once more. " * 100, role="user")
    reply_id = answered(alice, conversation_id)
    quotes = [item.quote for item in read(alice, conversation_id, reply_id).items]
    assert long.content not in quotes and max(map(len, quotes)) <= 300
