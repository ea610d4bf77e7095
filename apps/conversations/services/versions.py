"""The version of a conversation's live state: up by one with every change that somebody who looks at it would see."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F

from apps.conversations.models import Conversation


def state_advance(conversation_id: UUID) -> int:
    """The next version, taken in the caller's transaction; it holds the conversation's row until the end of it."""
    version: int = conversation_advance(conversation_id).state_version
    return version


def conversation_advance(conversation_id: UUID) -> Conversation:
    """The same, and the row as it is now."""
    Conversation.objects.filter(pk=conversation_id).update(state_version=F("state_version") + 1)
    return Conversation.objects.get(pk=conversation_id)
