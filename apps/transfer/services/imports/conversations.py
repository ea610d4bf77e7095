"""Conversations from other chat applications."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from apps.conversations.field_checks import BadMessage
from apps.conversations.imports.jsonl import digest
from apps.conversations.imports.parsed_items import ReadMessage, message_from
from apps.conversations.limits import LONGEST_EXTERNAL_ID
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_is_deleted
from apps.conversations.services.conversations import conversation_ensure
from apps.transfer.formats.clean_text import clean, clean_part
from apps.transfer.formats.items import ConversationItem
from apps.transfer.models import ImportStatus
from apps.transfer.records import ItemProblem
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import NotImported, Outcome
from apps.transfer.services.imports.restore.conversations import (
    own_archive_restored,
    own_conversation_check,
    own_messages_restore,
    own_settings_restore,
)


def imported_conversation_store(batch: Batch, outcome: Outcome, item: ConversationItem) -> None:
    """Store the messages that are not stored yet; a bad one is reported and harms no other."""
    name = own_conversation_check(batch, item) if item.is_own else f"{batch.source.value}:{item.external_id}"
    name = name[:LONGEST_EXTERNAL_ID]
    if conversation_is_deleted(batch.actor, name):
        raise NotImported(ImportStatus.SKIPPED, "deleted")
    outcome.problems = []
    messages = [read for place, one in enumerate(item.messages) if (read := _read(outcome, item, place, one))]
    if not messages:
        raise NotImported(ImportStatus.SKIPPED, "no_messages")
    conversation, is_new = conversation_ensure(
        batch.actor,
        title=item.title[:200],
        system_prompt=item.system_prompt,
        external_id=name,
        token_budget=item.token_budget,
    )
    own_settings_restore(item, conversation.id, is_new=is_new)
    batch.conversations.add(conversation.id)
    outcome.conversation_id = conversation.id
    with own_archive_restored(item, conversation.id):
        appended = batch.append(conversation.id, [_draft(one, as_is=item.is_own) for one in messages])
    outcome.messages += appended.stored
    own_messages_restore(batch, item, conversation.id, appended)
    if outcome.earlier is not None:
        outcome.end(ImportStatus.EXISTING, "updated" if appended.stored else "")


def _read(outcome: Outcome, item: ConversationItem, place: int, fields: Any) -> ReadMessage | None:
    number = item.first_number + place
    try:
        if not isinstance(fields, dict):
            raise BadMessage("wrong_type", "a message must be an object")
        message = message_from(fields)
    except BadMessage as bad:
        outcome.note([ItemProblem(number, bad.code, bad.detail)])
        return None
    return replace(message, external_id=message.external_id or digest(str(number), message.role, message.content))


def _draft(message: ReadMessage, *, as_is: bool) -> MessageDraft:
    """A message without secrets; what we exported ourselves returns as it was."""
    return MessageDraft(
        role=message.role,
        content=message.content if as_is else clean(message.content),
        name=message.name,
        parts=message.parts if as_is else tuple(map(clean_part, message.parts)),
        external_id=message.external_id,
        created_at=message.created_at,
    )
