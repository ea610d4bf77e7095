"""The pins of a conversation, in the order in which they were made."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, Sum

from apps.accounts.actors import Actor
from apps.conversations.selectors.access import conversation_access
from apps.engine.sections import Pin
from apps.memory.models import PinnedMemory
from apps.memory.records import PinRecord, engine_pin, pin_record


def pin_list(actor: Actor, conversation_id: UUID) -> list[PinRecord]:
    """All of them: a conversation holds few, for each stands in every pack."""
    conversation_access(actor, conversation_id)
    return [pin_record(row) for row in PinnedMemory.objects.filter(conversation_id=conversation_id).order_by("id")]


def pins_for_pack(conversation_id: UUID) -> list[Pin]:
    return [engine_pin(row) for row in PinnedMemory.objects.filter(conversation_id=conversation_id).order_by("id")]


def pin_tokens_beside_live(conversation_id: UUID) -> int:
    """Tokens of the pins whose message is not live: a live one is counted as a message already."""
    live = Q(message__compacted_in__isnull=True, message__excluded=False, message__isnull=False)
    pins = PinnedMemory.objects.filter(conversation_id=conversation_id).exclude(live)
    return pins.aggregate(total=Sum("token_count"))["total"] or 0
