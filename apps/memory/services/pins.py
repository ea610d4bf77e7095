"""Pins: a message's text, or any text, preserved verbatim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, NotFound, Unprocessable
from apps.common.versions import require_version
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.conversations.selectors.messages import message_of
from apps.engine.tokens.counting import count_text
from apps.memory.models import PinCategory, PinnedMemory
from apps.memory.records import PinRecord, pin_record
from apps.memory.services.events import pins_announce

MOST_PINS = 200


@dataclass(frozen=True, slots=True)
class PinDraft:
    """A pin to create, from a message or a text; `content` overrides the text of the message."""

    message_id: UUID | None = None
    content: str | None = None
    category: str = PinCategory.OTHER


def pin_create(actor: Actor, *, conversation_id: UUID, draft: PinDraft) -> PinRecord:
    conversation = conversation_lock_for_write(actor, conversation_id)
    if PinnedMemory.objects.filter(conversation_id=conversation_id).count() >= MOST_PINS:
        raise Conflict(f"A conversation can have at most {MOST_PINS} pins. Remove one first.", code="too_many_pins")
    content = _content(conversation, draft)
    row = PinnedMemory.objects.create(
        conversation=conversation,
        message_id=draft.message_id,
        content=content,
        category=draft.category,
        token_count=count_text(content),
        pinned_by_id=actor.user_id,
    )
    pins_announce(conversation_id=conversation_id)
    return pin_record(row)


def pin_update(
    actor: Actor, *, conversation_id: UUID, pin_id: UUID, changes: Mapping[str, str], version: int | None
) -> PinRecord:
    """Change `content` or `category` of the given version."""
    row = _pin_lock(actor, conversation_id, pin_id)
    require_version(version, row.version, of="The pin")
    row.content = _required_text(changes.get("content", row.content))
    row.category = changes.get("category", row.category)
    row.token_count = count_text(row.content)
    row.version += 1
    row.save()
    pins_announce(conversation_id=conversation_id)
    return pin_record(row)


def pin_delete(actor: Actor, *, conversation_id: UUID, pin_id: UUID, version: int | None = None) -> None:
    """Delete the pin. With a version, only if the pin still has it; otherwise raise `Stale`."""
    row = _pin_lock(actor, conversation_id, pin_id)
    require_version(version, row.version, of="The pin")
    row.delete()
    pins_announce(conversation_id=conversation_id)


def pins_copy(*, source: Conversation, copy: Conversation, ids: Mapping[str, str]) -> None:
    """Copy to a fork the source's pins whose message it has, and those without a message."""
    for row in PinnedMemory.objects.filter(conversation_id=source.id).order_by("id"):
        message_id = ids.get(str(row.message_id))
        if row.message_id is None or message_id:
            PinnedMemory.objects.create(
                conversation=copy,
                message_id=message_id,
                content=row.content,
                category=row.category,
                token_count=row.token_count,
                pinned_by_id=row.pinned_by_id,
            )


def _content(conversation: Conversation, draft: PinDraft) -> str:
    message = message_of(conversation.id, draft.message_id) if draft.message_id else None
    return _required_text(draft.content if draft.content is not None else message.content if message else "")


def _required_text(content: str) -> str:
    if not content.strip():
        raise Unprocessable("A pin needs content, or a message that has content.", code="empty_pin")
    return content


def pins_delete(conversation_id: UUID) -> None:
    """Delete all pins of a conversation that is being deleted."""
    PinnedMemory.objects.filter(conversation_id=conversation_id).delete()


def message_pins_delete(message_id: UUID, *, conversation_id: UUID) -> None:
    """Delete the pins of a message that is being deleted."""
    deleted, _ = PinnedMemory.objects.filter(conversation_id=conversation_id, message_id=message_id).delete()
    if deleted:
        pins_announce(conversation_id=conversation_id)


def _pin_lock(actor: Actor, conversation_id: UUID, pin_id: UUID) -> PinnedMemory:
    conversation_lock_for_write(actor, conversation_id)
    rows = PinnedMemory.objects.select_for_update(of=("self",)).filter(conversation_id=conversation_id, pk=pin_id)
    if (row := rows.first()) is None:
        raise NotFound("Pin not found.")
    return row
