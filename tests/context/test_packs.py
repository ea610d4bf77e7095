"""A pack's report of the messages that it omits."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.services.packs import context_pack
from apps.conversations.models import MessageStatus
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.replies import Ending, TurnLease, reply_close, reply_open
from apps.engine.pack.context_pack import ContextPack
from apps.engine.policy import Policy
from tests.conversations.long_conversations import conversation, long_talk, say

pytestmark = pytest.mark.django_db


def opened(actor: Actor, conversation_id: UUID) -> TurnLease:
    return reply_open(conversation=conversation_lock(conversation_id), policy=Policy()).lease


def pack_of(actor: Actor, conversation_id: UUID, budget: int = 12_000) -> ContextPack:
    return context_pack(actor, conversation_id, budget)[0].pack


def messages_before(actor: Actor, conversation_id: UUID) -> int | None:
    return pack_of(actor, conversation_id).omitted.messages_before


def test_a_streaming_or_failed_reply_is_not_reported_as_omitted(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, "Hello", "Hello.", "And?")
    with workspace(alice.workspace_id):
        hold = opened(alice, conversation_id)
        assert messages_before(alice, conversation_id) is None
        reply_close(hold, text="", ending=Ending(MessageStatus.FAILED), policy=Policy())
        assert messages_before(alice, conversation_id) is None


@pytest.mark.parametrize("budget", [1_000, 3_000])
def test_omitted_content_is_reported(alice: Actor, budget: int) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=100)
    with workspace(alice.workspace_id):
        opened(alice, conversation_id)
        pack = pack_of(alice, conversation_id, budget)
    first = pack.recent[0].index
    assert pack.omitted.messages_before == first > 0
    assert (pack.coverage.shown, pack.coverage.live) == (30 - first, 30)
