"""Conversations in an export: messages, pins, versions of the rolling summary, and the agent's session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.time_zones import where_written
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message, MessageStatus
from apps.extraction.selectors.unread import Learned, learned_of
from apps.memory.models import PinnedMemory
from apps.transfer.services.export.names import conversation_name, message_name
from apps.transfer.services.export.pages import PAGE, Line, date, fitting
from apps.transfer.services.export.sessions import observation_lines, session_lines
from apps.transfer.services.export.summaries import summary_lines


def conversation_lines(actor: Actor) -> Iterator[Line]:
    """Every conversation that the person owns, but temporary ones; a fork comes after what it was copied from."""
    with workspace(actor.workspace_id):
        rows = Conversation.objects.filter(owner_id=actor.user_id, temporary=False)
        ids = list(rows.order_by("id").values_list("pk", flat=True))
    for conversation_id in ids:
        yield from _conversation(actor, conversation_id)


def _conversation(actor: Actor, conversation_id: UUID) -> Iterator[Line]:
    """A conversation's messages in pages, then what belongs to it; nothing once it is deleted."""
    first = 0
    while True:
        with workspace(actor.workspace_id):
            row = Conversation.objects.filter(pk=conversation_id).select_related("copied_from").first()
            if row is None:
                return
            found = Message.objects.filter(conversation=row, index__gte=first).order_by("index")
            messages = fitting(found[:PAGE], _size)
            is_last = not messages or messages[-1].index + 1 >= row.message_count
            lines = [_part(row, messages, first), *(_pins(row) if is_last else ())]
        yield from lines
        if is_last:
            break
        first = messages[-1].index + 1
    yield from summary_lines(actor, row)
    yield from session_lines(actor, row)
    yield from observation_lines(actor, row)


def _size(row: Message) -> int:
    return len(row.content) + len(json.dumps(row.parts))


def _part(row: Conversation, messages: list[Message], first: int) -> Line:
    copied = _copied(row, messages)
    learned = learned_of(row.id)
    listed = [_message(one, copied, learned) for one in messages if one.content or one.parts]
    key = f"conversation:{row.id}:{first}"
    return {"key": key, "kind": "conversation", **_about(row), "first_number": first + 1, "messages": listed}


def _about(row: Conversation) -> Line:
    fields = {
        "external_id": conversation_name(row),
        "title": row.title,
        "system_prompt": row.system_prompt,
        "is_own": True,
        "remembers": row.remembers,
        "token_budget": row.token_budget,
        "created_at": date(row.created_at),
        "active_at": date(row.active_at),
        "archived_at": date(row.archived_at),
        "others_could_write": row.others_could_write,
        "own_names": row.own_names,
        "confirmed": row.confirmed,
    }
    return fields | _fork(row)


def _fork(row: Conversation) -> Line:
    """Where a fork begins; nothing of a conversation that is another person's or temporary."""
    source = row.copied_from
    if source is None or source.owner_id != row.owner_id or source.temporary:
        return {}
    copied = Message.objects.filter(conversation=row, index__lte=row.copied_through or 0, copied_from__isnull=False)
    through = copied.exclude(content="", parts=[]).order_by("-index").first()
    return {"copied_from": conversation_name(source), "copied_through": message_name(through)}


def _copied(row: Conversation, messages: list[Message]) -> dict[UUID, str]:
    """The names of the original messages, by their ids."""
    ids = [one.copied_from for one in messages if one.copied_from]
    rows = Message.objects.filter(pk__in=ids, conversation__in=[row.copied_from_id]) if ids else ()
    return {one.id: message_name(one) for one in rows}


def _message(row: Message, copied: dict[UUID, str], learned: Learned) -> Line:
    is_whole = row.status == MessageStatus.COMPLETE
    fields = {
        "external_id": message_name(row),
        "role": row.role,
        "content": row.content,
        "name": row.name,
        "parts": row.parts,
        "created_at": where_written(row.created_at, row.utc_offset, UTC).isoformat(),
        "excluded": row.excluded,
        # A reply that is being written is as far as it was when the file was written.
        "status": "" if is_whole else _ended(row).value,
        "error_code": row.error_code,
        "copied_from": copied.get(row.copied_from, "") if row.copied_from else "",
        "learned": learned.state_of(row.index),
    }
    return {name: value for name, value in fields.items() if value or name == "content"}


def _ended(row: Message) -> MessageStatus:
    return MessageStatus.FAILED if row.status == MessageStatus.FAILED else MessageStatus.PARTIAL


def _pins(row: Conversation) -> Iterator[Line]:
    for pin in PinnedMemory.objects.filter(conversation=row).select_related("message").order_by("id"):
        yield {
            "key": f"pin:{pin.id}",
            "kind": "pin",
            "conversation": conversation_name(row),
            "message": message_name(pin.message),
            "category": pin.category,
            "content": pin.content,
            "pinned_at": date(pin.pinned_at),
        }
