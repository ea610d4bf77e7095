"""Items retrieved for a reply, with their words from where these are stored, as far as the actor may see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.context.models import UsedItems
from apps.context.records import UsedItem, UsedRecord
from apps.conversations.models import Message
from apps.conversations.records import engine_message
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import message_of, messages_at
from apps.engine.language.truncation import truncated
from apps.engine.messages.display import display_text
from apps.memory.selectors.past_abstracts import PastAbstract, abstracts_at

QUOTE_TOKENS = 75


def used_items(actor: Actor, conversation_id: UUID, message_id: UUID) -> UsedRecord:
    """The memories and messages that were retrieved for a reply, best first.

    Those that were deleted since, and memories of another reader, are only counted.
    """
    conversation_access(actor, conversation_id)
    message_of(conversation_id, message_id)
    row = UsedItems.objects.filter(conversation_id=conversation_id, reply_id=message_id).first()
    stored: Sequence[dict[str, Any]] = row.items if row else ()
    abstracts = abstracts_at(actor, {UUID(one["id"]): one["version"] for one in stored if one["kind"] == "memory"})
    messages = _messages(conversation_id, stored)
    found = [item for one in stored if (item := _item(one, abstracts, messages))]
    return UsedRecord(tuple(found), len(stored) - len(found))


def _messages(conversation_id: UUID, stored: Sequence[dict[str, Any]]) -> dict[UUID, Message]:
    ids = [UUID(one["id"]) for one in stored if one["kind"] == "message"]
    return {row.id: row for row in messages_at(conversation_id, ids) if row.deleted_at is None}


def _item(
    stored: dict[str, Any], abstracts: Mapping[UUID, PastAbstract], messages: Mapping[UUID, Message]
) -> UsedItem | None:
    item_id = UUID(stored["id"])
    if memory := abstracts.get(item_id):
        return UsedItem(
            **_numbers(stored),
            quote=truncated(memory.text, QUOTE_TOKENS),
            uri=memory.uri,
            is_changed=memory.is_changed,
            valid_to=memory.valid_to,
            archived_at=memory.archived_at,
        )
    if row := messages.get(item_id):
        text = truncated(display_text(engine_message(row)), QUOTE_TOKENS)
        return UsedItem(**_numbers(stored), quote=text, index=row.index, role=row.role, name=row.name)
    return None


def _numbers(stored: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": UUID(stored["id"]),
        **{name: stored[name] for name in ("kind", "layer", "score", "similarity", "tokens")},
    }
