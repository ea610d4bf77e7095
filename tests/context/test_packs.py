"""What a pack says of the messages that it does not hold."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.services.packs import context_pack
from apps.conversations.models import MessageStatus
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.replies import Ending, Hold, reply_close, reply_open
from apps.engine.pack.context_pack import ContextPack
from apps.engine.policy import Policy
from tests.conversations.talk import conversation, long_talk, say

pytestmark = pytest.mark.django_db


def opened(actor: Actor, talk: UUID) -> Hold:
    return reply_open(conversation=conversation_lock(talk), policy=Policy()).hold


def pack_of(actor: Actor, talk: UUID, budget: int = 12_000) -> ContextPack:
    return context_pack(actor, talk, budget)[0].pack


def messages_before(actor: Actor, talk: UUID) -> int | None:
    return pack_of(actor, talk).left_out.messages_before


def test_a_reply_that_is_written_or_came_to_nothing_is_no_message_left_out(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello", "Hello.", "And?")
    with workspace(alice.workspace_id):
        hold = opened(alice, talk)
        assert messages_before(alice, talk) is None
        reply_close(hold, text="", ending=Ending(MessageStatus.FAILED), policy=Policy())
        assert messages_before(alice, talk) is None


@pytest.mark.parametrize("budget", [1_000, 4_000])
def test_what_has_no_room_is_told(alice: Actor, budget: int) -> None:
    talk = long_talk(alice, messages=30, tokens=100)
    with workspace(alice.workspace_id):
        opened(alice, talk)
        pack = pack_of(alice, talk, budget)
    first = pack.recent[0].index
    assert pack.left_out.messages_before == first > 0
    assert (pack.coverage.shown, pack.coverage.live) == (30 - first, 30)
