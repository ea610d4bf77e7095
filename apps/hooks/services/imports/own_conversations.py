"""Conversations of our own export: they return under their own names, unless they are here already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from apps.conversations.imports.field_checks import BadMessage
from apps.conversations.models import Conversation, Message
from apps.conversations.services.messages import Appended
from apps.hooks.imports.items import ConversationItem
from apps.hooks.models import ImportedItem, ImportStatus
from apps.hooks.services.imports.batch import Batch
from apps.hooks.services.imports.outcomes import NotImported, Outcome
from apps.turns.services.messages import messages_set_excluded

OWN_ID = "continuity:"
"""Before the id of a conversation or message without an external id."""


def own_conversation_check(batch: Batch, item: ConversationItem) -> str:
    """Return the name of the conversation; raise `NotImported` if it is here already, other than by an import."""
    name = item.external_id
    here = _named(batch, name)
    if here is not None and not _is_imported(batch, here):
        raise NotImported(ImportStatus.EXISTING, "conversation_exists")
    return name


def own_exclusions_restore(batch: Batch, item: ConversationItem, conversation_id: UUID, appended: Appended) -> None:
    """Exclude again what was excluded in the conversation that we exported."""
    named = {one.get("external_id") for one in item.messages if isinstance(one, dict) and one.get("excluded") is True}
    ids = [record.id for record in appended.new if record.external_id in named] if item.is_own else []
    if ids:
        messages_set_excluded(batch.actor, conversation_id=conversation_id, message_ids=ids, excluded=True)


def own_remembering_restore(item: ConversationItem, conversation_id: UUID, *, is_new: bool) -> None:
    """Exclude a new conversation from learning as it was. Call it before its first message is stored."""
    if is_new and not item.remembers:
        Conversation.objects.filter(pk=conversation_id).update(remembers=False)


@contextmanager
def own_archive_restored(item: ConversationItem, conversation_id: UUID) -> Iterator[None]:
    """Archive an own conversation again once messages were stored, which an archived one does not take."""
    rows = Conversation.objects.filter(pk=conversation_id)
    archived_at = item.archived_at or rows.values_list("archived_at", flat=True).get()
    if not item.is_own or archived_at is None:
        yield
        return
    rows.update(archived_at=None)
    yield
    rows.update(archived_at=archived_at)


def own_conversation_of(batch: Batch, outcome: Outcome, name: str) -> Conversation:
    """The imported conversation; what belongs to one that was here before is here too."""
    row = _named(batch, name)
    if row is None:
        raise BadMessage("unknown_conversation", "its conversation was not imported")
    outcome.conversation_id = row.id
    if not _is_imported(batch, row):
        raise NotImported(ImportStatus.EXISTING, "conversation_exists")
    return row


def _named(batch: Batch, name: str) -> Conversation | None:
    rows = Conversation.objects.filter(owner_id=batch.actor.user_id)
    own_id = _own_id(name)
    return rows.filter(external_id=name).first() or (rows.filter(pk=own_id).first() if own_id else None)


def _is_imported(batch: Batch, row: Conversation) -> bool:
    known = ImportedItem.objects.filter(user_id=batch.actor.user_id, conversation=row.id, run__isnull=False)
    return row.id in batch.conversations or known.filter(kind="conversation").exists()


def message_named(conversation: Conversation, name: str) -> UUID | None:
    rows = Message.objects.filter(conversation_id=conversation.id, external_id=name) if name else Message.objects.none()
    return rows.values_list("pk", flat=True).first()


def _own_id(name: str) -> UUID | None:
    try:
        return UUID(name.removeprefix(OWN_ID)) if name.startswith(OWN_ID) else None
    except ValueError:
        return None
