"""Names of conversations and messages in a file: the ones where they came from, else their ids here."""

from __future__ import annotations

from uuid import UUID

from apps.conversations.models import Conversation, Message
from apps.transfer.services.imports.restore.conversations import OWN_ID


def conversation_name(row: Conversation) -> str:
    return name_of(row.external_id, row.id)


def message_name(row: Message | None) -> str:
    return name_of(row.external_id, row.id) if row else ""


def name_of(external_id: str | None, own_id: UUID) -> str:
    return external_id or f"{OWN_ID}{own_id}"
