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
from apps.conversations.selectors.access import conversation_access, conversations_of
from apps.conversations.selectors.messages import message_of, messages_within
from apps.engine.language.truncation import truncated
from apps.engine.messages.display import display_text
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.messages.message import Role
from apps.engine.pack.layers import Layer
from apps.memory.selectors.past_abstracts import PastAbstract, abstracts_at

QUOTE_TOKENS = 75


def used_items(actor: Actor, conversation_id: UUID, message_id: UUID) -> UsedRecord:
    """The memories and messages that were retrieved for a reply, best first.

    Those that were deleted since, memories of another reader, and messages of chats that the actor may not read are
    only counted.
    """
    conversation_access(actor, conversation_id)
    message_of(conversation_id, message_id)
    row = UsedItems.objects.filter(conversation_id=conversation_id, reply_id=message_id).first()
    stored: Sequence[dict[str, Any]] = row.items if row else ()
    abstracts = abstracts_at(actor, {UUID(one["id"]): one["version"] for one in stored if one["kind"] == "memory"})
    titles = _other_titles(actor, stored)
    messages = _messages((conversation_id, *titles), stored)
    found = [item for one in stored if (item := _item(one, abstracts, messages, titles))]
    return UsedRecord(tuple(found), len(stored) - len(found))


def retrieved_for_last_reply(actor: Actor, conversation_id: UUID, earlier: Sequence[EngineMessage]) -> tuple[UUID, ...]:
    """Ids of what was retrieved for the newest reply before the current message, and is to be quoted once more.

    What that reply's pack quoted for the second time is not among them.
    """
    reply_id = next((message.id for message in reversed(earlier) if message.role is Role.ASSISTANT), "")
    if not reply_id:
        return ()
    rows = UsedItems.objects.filter(conversation_id=conversation_id, reply_id=reply_id, user_id=actor.person_id)
    stored: Sequence[dict[str, Any]] = next(iter(rows.values_list("items", flat=True)), ())
    return tuple(UUID(one["id"]) for one in stored if one["layer"] == Layer.JUST_IN_TIME and not one.get("again"))


def _other_titles(actor: Actor, stored: Sequence[dict[str, Any]]) -> dict[UUID, str]:
    """Titles of the other conversations that messages are from, if the actor may read these."""
    ids = {UUID(one["conversation_id"]) for one in stored if "conversation_id" in one}
    return dict(conversations_of(actor).filter(pk__in=ids).values_list("id", "title")) if ids else {}


def _messages(conversation_ids: Sequence[UUID], stored: Sequence[dict[str, Any]]) -> dict[UUID, Message]:
    ids = [UUID(one["id"]) for one in stored if one["kind"] == "message"]
    return {row.id: row for row in messages_within(conversation_ids, ids) if row.deleted_at is None}


def _item(
    stored: dict[str, Any],
    abstracts: Mapping[UUID, PastAbstract],
    messages: Mapping[UUID, Message],
    titles: Mapping[UUID, str],
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
        return UsedItem(
            **_numbers(stored),
            quote=text,
            index=row.index,
            role=row.role,
            name=row.name,
            conversation_id=row.conversation_id if row.conversation_id in titles else None,
            conversation_title=titles.get(row.conversation_id, ""),
        )
    return None


def _numbers(stored: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": UUID(stored["id"]),
        # Earlier replies have none.
        "chance": stored.get("chance"),
        **{name: stored[name] for name in ("kind", "layer", "score", "similarity", "tokens")},
    }
