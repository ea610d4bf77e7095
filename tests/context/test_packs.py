"""What a pack says of the messages that it does not hold."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors.packs import context_pack
from apps.conversations.models import MessageStatus
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.replies import Ending, Hold, reply_close, reply_open
from apps.engine.policy import Policy
from tests.conversations.talk import conversation, long_talk, say

pytestmark = pytest.mark.django_db


def opened(actor: Actor, talk: UUID) -> Hold:
    return reply_open(conversation=conversation_lock(talk), policy=Policy())


def messages_before(actor: Actor, talk: UUID, budget: int = 12_000) -> int | None:
    return context_pack(actor, talk, budget)[0].left_out.messages_before


def test_a_reply_that_is_written_or_came_to_nothing_is_no_message_left_out(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello", "Hello.", "And?")
    with workspace(alice.workspace_id):
        hold = opened(alice, talk)
        assert messages_before(alice, talk) is None
        reply_close(hold, text="", ending=Ending(MessageStatus.FAILED), policy=Policy())
        assert messages_before(alice, talk) is None


def test_what_has_no_room_is_told(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=100)
    with workspace(alice.workspace_id):
        opened(alice, talk)
        assert messages_before(alice, talk, budget=1_000) == 21
