"""Positions of messages by id, limited to conversations that the actor may read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversations_of


@dataclass(frozen=True, slots=True)
class MessagePlace:
    conversation_id: UUID
    index: int
    role: str


def message_places(actor: Actor, message_ids: Iterable[UUID]) -> dict[UUID | None, MessagePlace]:
    """Return the positions of those messages that exist and that the actor may read."""
    wanted = list(message_ids)
    if not wanted:
        return {}
    rows = Message.objects.filter(pk__in=wanted, conversation__in=conversations_of(actor))
    found = rows.values_list("id", "conversation_id", "index", "role")
    return {row[0]: MessagePlace(row[1], row[2], row[3]) for row in found}
