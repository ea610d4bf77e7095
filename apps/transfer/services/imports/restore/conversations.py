"""Conversations of our own export: they return under their own names, unless they are here already."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from apps.conversations.field_checks import BadMessage
from apps.conversations.models import Conversation, Message, MessageStatus
from apps.conversations.records import MessageRecord
from apps.conversations.services.messages import Appended
from apps.extraction.selectors.unread import NEVER, READ
from apps.extraction.services.positions import position_restore
from apps.transfer.formats.fields import Fields, short_of
from apps.transfer.formats.items import ConversationItem
from apps.transfer.models import ImportedItem, ImportStatus
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import NotImported, Outcome
from apps.turns.services.messages import messages_set_excluded

OWN_ID = "continuity:"
"""Before the id of a conversation or message without an external id."""


@dataclass(frozen=True, slots=True)
class MessagePlace:
    id: UUID
    index: int


def own_conversation_check(batch: Batch, item: ConversationItem) -> str:
    """Return the name of the conversation; raise `NotImported` if it is here already, other than by an import."""
    name = item.external_id
    here = named_conversation(batch, name)
    if here is not None and not _is_imported(batch, here):
        raise NotImported(ImportStatus.EXISTING, "conversation_exists")
    return name


def own_settings_restore(item: ConversationItem, conversation_id: UUID, *, is_new: bool) -> None:
    """Exclude a new conversation from learning as it was, and keep that others could write in it or that nobody
    confirmed it.

    Call it before its first message is stored: who may have written decides what is learned from it.
    """
    if is_new and item.is_own:
        changes: dict[str, Any] = {"remembers": item.remembers, "others_could_write": item.others_could_write}
        changes |= {"own_names": list(item.own_names), "confirmed": item.confirmed}
        changes |= {"created_at": item.created_at} if item.created_at else {}
        Conversation.objects.filter(pk=conversation_id).update(**changes)


def own_messages_restore(batch: Batch, item: ConversationItem, conversation_id: UUID, appended: Appended) -> None:
    """Restore what the new messages of our own export were, beside their texts."""
    if not item.is_own:
        return
    fields = {one.get("external_id"): one for one in item.messages if isinstance(one, dict)}
    new = [(record, fields.get(record.external_id, {})) for record in appended.new]
    _fork_restore(batch, item, conversation_id, new)
    _statuses_restore(new)
    learned = [state if (state := one.get("learned")) in (READ, NEVER) else "" for _, one in new]
    if any(learned) and appended.first_index is not None:
        position_restore(conversation_id, first=appended.first_index, learned=learned)
    if excluded := [record.id for record, one in new if one.get("excluded") is True]:
        messages_set_excluded(batch.actor, conversation_id=conversation_id, message_ids=excluded, excluded=True)
    if item.active_at:
        Conversation.objects.filter(pk=conversation_id).update(active_at=item.active_at)


def _fork_restore(
    batch: Batch, item: ConversationItem, conversation_id: UUID, new: Sequence[tuple[MessageRecord, Fields]]
) -> None:
    """Link a fork and its copied messages to the conversation that they were copied from."""
    source = named_conversation(batch, item.copied_from) if item.copied_from else None
    if source is None or source.id == conversation_id:
        return
    through = next((record.index for record, _ in new if record.external_id == item.copied_through), None)
    changes: dict[str, Any] = {"copied_from": source} | ({} if through is None else {"copied_through": through})
    Conversation.objects.filter(pk=conversation_id).update(**changes)
    originals = messages_named(source, {name for _, one in new if isinstance(name := one.get("copied_from"), str)})
    pairs = [(record.id, originals.get(str(one.get("copied_from")))) for record, one in new]
    rows = [Message(id=message_id, copied_from=original.id) for message_id, original in pairs if original]
    Message.objects.bulk_update(rows, ["copied_from"])


def _statuses_restore(new: Sequence[tuple[MessageRecord, Fields]]) -> None:
    """Mark the replies that were interrupted or failed."""
    ended = (MessageStatus.PARTIAL, MessageStatus.FAILED)
    for record, one in new:
        if one.get("status") in ended:
            code = short_of(one, "error_code", 40)
            Message.objects.filter(pk=record.id).update(status=one["status"], error_code=code)


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
    row = named_conversation(batch, name)
    if row is None:
        raise BadMessage("unknown_conversation", "its conversation was not imported")
    outcome.conversation_id = row.id
    if not _is_imported(batch, row):
        raise NotImported(ImportStatus.EXISTING, "conversation_exists")
    return row


def named_conversation(batch: Batch, name: str) -> Conversation | None:
    """A conversation of the importer by its name in our own export."""
    rows = Conversation.objects.filter(owner_id=batch.actor.user_id)
    own_id = _own_id(name)
    return rows.filter(external_id=name).first() or (rows.filter(pk=own_id).first() if own_id else None)


def _is_imported(batch: Batch, row: Conversation) -> bool:
    known = ImportedItem.objects.filter(user_id=batch.actor.user_id, conversation=row.id, run__isnull=False)
    return row.id in batch.conversations or known.filter(kind="conversation").exists()


def message_named(conversation: Conversation, name: str) -> UUID | None:
    found = messages_named(conversation, {name}).get(name) if name else None
    return found.id if found else None


def messages_named(conversation: Conversation, names: Collection[str]) -> dict[str, MessagePlace]:
    """The messages of a conversation by their names in our own export."""
    if not names:
        return {}
    ids = [own_id for name in names if (own_id := _own_id(name))]
    rows = Message.objects.filter(Q(external_id__in=names) | Q(pk__in=ids), conversation_id=conversation.id)
    places = [(name, MessagePlace(pk, index)) for pk, index, name in rows.values_list("pk", "index", "external_id")]
    return {f"{OWN_ID}{place.id}": place for _, place in places} | {name: place for name, place in places if name}


def _own_id(name: str) -> UUID | None:
    try:
        return UUID(name.removeprefix(OWN_ID)) if name.startswith(OWN_ID) else None
    except ValueError:
        return None
