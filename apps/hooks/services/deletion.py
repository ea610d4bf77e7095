"""Permanent deletion of a message of an agent's session, with the observation that holds its words."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.conversations.models import Message
from apps.hooks.models import Observation
from apps.hooks.services.messages import exchange_key
from apps.turns.services.delete import message_delete as _message_delete


def message_delete(actor: Actor, *, conversation_id: UUID, message_id: UUID) -> None:
    """Delete the text of a message, and what other apps hold of it."""
    _message_delete(actor, conversation_id=conversation_id, message_id=message_id)
    external_id = Message.objects.values_list("external_id", flat=True).get(pk=message_id)
    if key := exchange_key(external_id or ""):
        Observation.objects.filter(session__conversation_id=conversation_id, event_key=key).delete()
