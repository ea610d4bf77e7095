"""Stopping a running reply in any process."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import transaction

from apps.accounts.actors import Actor
from apps.conversations.selectors.access import (
    conversation_access,
    conversation_lock_for_write,
)
from apps.conversations.services.replies import turn_runs, turn_stop_request
from apps.turns.services.reply_writer import reply_writer_of


def turn_stop(actor: Actor, *, conversation_id: UUID) -> UUID:
    """Request the writer to stop: immediately in this process, within seconds in another."""
    reply_id = turn_stop_request(conversation=conversation_lock_for_write(actor, conversation_id))
    transaction.on_commit(partial(_stop_here, reply_id), robust=True)
    return reply_id


def turn_running(actor: Actor, *, conversation_id: UUID) -> UUID | None:
    """Return the id of the reply that is being written, if any."""
    conversation = conversation_access(actor, conversation_id)
    return conversation.turn_reply if turn_runs(conversation) else None


def _stop_here(reply_id: UUID) -> None:
    writer = reply_writer_of(reply_id)
    if writer is not None:
        writer.stop()
