"""Reads of a conversation's pins, in order of creation."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.models import columns_of
from apps.common.pagination import Page, page_of
from apps.common.reads import fetch_models, fetch_rows
from apps.conversations.selectors.access import conversation_access
from apps.engine.summary.rendering import Pin
from apps.engine.tokens.estimate import estimate_text
from apps.events.state_parts import PinState
from apps.memory.models import PinnedMemory
from apps.memory.records import PinRecord, engine_pin, pin_record

_OF = f"""
SELECT {columns_of(PinnedMemory, "pin")} FROM pinned_memory AS pin
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s ORDER BY id
"""  # noqa: S608  # the only inserted text is the names of columns
_CONTENTS_WITHOUT_LIVE = """
SELECT pin.content FROM pinned_memory AS pin
LEFT JOIN conversations_message AS message ON message.id = pin.message_id AND message.workspace_id = %(workspace)s
WHERE pin.workspace_id = %(workspace)s AND pin.conversation_id = %(conversation)s
    AND (message.id IS NULL OR message.excluded OR message.compacted_in IS NOT NULL)
"""


def pin_list(actor: Actor, conversation_id: UUID, *, after: str | None, limit: int) -> Page[PinRecord]:
    """Return a page of pins, oldest first; `after` is the id of the last one seen."""
    conversation_access(actor, conversation_id)
    rows = PinnedMemory.objects.filter(conversation_id=conversation_id)
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows.order_by("id")[: limit + 1], limit, pin_record, lambda row: str(row.id))


def pin_get(actor: Actor, conversation_id: UUID, pin_id: UUID) -> PinRecord:
    conversation_access(actor, conversation_id)
    row = PinnedMemory.objects.filter(conversation_id=conversation_id, pk=pin_id).first()
    if row is None:
        raise NotFound("Pin not found.")
    return pin_record(row)


def pin_states(conversation_id: UUID) -> tuple[PinState, ...]:
    """Return all pins of the conversation in order."""
    return tuple(
        PinState(row.id, row.message_id, row.category, estimate_text(row.content), row.version)
        for row in _of(conversation_id)
    )


def pin_count(conversation_id: UUID, message_ids: Iterable[UUID]) -> int:
    """The number of pins of these messages."""
    return PinnedMemory.objects.filter(conversation_id=conversation_id, message_id__in=list(message_ids)).count()


def pins_for_pack(conversation_id: UUID) -> list[Pin]:
    return [engine_pin(row) for row in _of(conversation_id)]


def _of(conversation_id: UUID) -> list[PinnedMemory]:
    return fetch_models(PinnedMemory, _OF, conversation=conversation_id)


def pin_tokens_outside_live(conversation_id: UUID) -> int:
    """Return the tokens of pins whose message is not live; live messages are counted already."""
    rows = fetch_rows(_CONTENTS_WITHOUT_LIVE, conversation=conversation_id)
    return sum(estimate_text(content) for (content,) in rows)
