"""Creating, renaming, archiving, sharing and forking conversations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor, require, require_write
from apps.accounts.permissions import Permission
from apps.accounts.selectors.users import members_of
from apps.common.errors import Forbidden, NotFound, Unprocessable
from apps.common.patch import UNCHANGED, Unchanged, changes_of
from apps.common.versions import require_version
from apps.conversations.models import Conversation, ConversationShare, Message, ShareAccess
from apps.conversations.records import OWNER, ConversationRecord, ShareRecord, conversation_record, share_record
from apps.conversations.selectors.access import (
    conversation_access,
    conversation_lock_as_owner,
    conversation_lock_for_write,
)
from apps.conversations.selectors.conversations import record_for
from apps.conversations.services.events import conversation_announce, lists_announce
from apps.events.publish import publish
from apps.events.types import AccessRevoked

_OF_OWNER = frozenset({"archived", "remembers", "private_memory_when_shared"})


@dataclass(frozen=True, slots=True)
class ConversationChange:
    """A change of a conversation. A budget of None restores the reader's or the workspace's default."""

    title: str | Unchanged = UNCHANGED
    system_prompt: str | Unchanged = UNCHANGED
    token_budget: int | Unchanged | None = UNCHANGED
    remembers: bool | Unchanged = UNCHANGED
    private_memory_when_shared: bool | Unchanged = UNCHANGED
    archived: bool | Unchanged = UNCHANGED


def conversation_create(
    actor: Actor, *, title: str = "", system_prompt: str = "", external_id: str | None = None
) -> ConversationRecord:
    """Create a conversation of the actor, or return the existing one with this `external_id`."""
    return conversation_ensure(actor, title=title, system_prompt=system_prompt, external_id=external_id)[0]


def conversation_ensure(
    actor: Actor,
    *,
    title: str = "",
    system_prompt: str = "",
    external_id: str | None = None,
    token_budget: int | None = None,
    temporary: bool = False,
) -> tuple[ConversationRecord, bool]:
    """The same; also return whether it was created."""
    require_write(actor)
    fields: dict[str, Any] = {
        "title": title,
        "system_prompt": system_prompt,
        "token_budget": token_budget,
        "temporary": temporary,
    }
    if external_id is None:
        row, made = Conversation.objects.create(owner_id=actor.user_id, **fields), True
    else:
        row, made = Conversation.objects.get_or_create(owner_id=actor.user_id, external_id=external_id, defaults=fields)
    if made:
        lists_announce(conversation=row)
    return conversation_record(row, OWNER), made


def conversation_update(
    actor: Actor, *, conversation_id: UUID, change: ConversationChange, version: int | None
) -> ConversationRecord:
    """Apply the change to the given version; raises `Stale` if it changed concurrently."""
    values = changes_of(change)
    owners_alone = not _OF_OWNER.isdisjoint(values)
    row = (conversation_lock_as_owner if owners_alone else conversation_lock_for_write)(actor, conversation_id)
    require_version(version, row.version, of="The conversation")
    if "archived" in values:
        values["archived_at"] = timezone.now() if values.pop("archived") else None
    for name, value in values.items():
        setattr(row, name, value)
    row.version += 1
    row.save(update_fields=[*values, "version", "updated_at"])
    _announce(row)
    return record_for(actor, row)


def conversation_share(actor: Actor, *, conversation_id: UUID, email: str, access: ShareAccess | str) -> ShareRecord:
    """Share with a member of the same workspace, to read or to write. An application's users know none of them."""
    if actor.is_end_user:
        raise Forbidden("The users of an application cannot share.")
    row = conversation_lock_as_owner(actor, conversation_id)
    member = members_of(actor.workspace_id).filter(user__email=email.lower()).first()
    if member is None:
        raise Unprocessable("No member of this workspace has this email address.", code="no_such_member")
    if member.user_id == row.owner_id:
        raise Unprocessable("This person already owns the conversation.", code="already_owner")
    share, _ = ConversationShare.objects.update_or_create(
        conversation_id=conversation_id,
        user_id=member.user_id,
        defaults={"access": access, "created_at": timezone.now()},
    )
    _announce(row)
    return share_record(share)


def conversation_unshare(actor: Actor, *, conversation_id: UUID, user_id: UUID) -> None:
    """End a share, as the owner or as the person it is shared with."""
    require(actor, Permission.MANAGE_SELF)
    leaves = user_id == actor.user_id
    row = (conversation_access if leaves else conversation_lock_as_owner)(actor, conversation_id)
    gone, _ = ConversationShare.objects.filter(conversation_id=conversation_id, user_id=user_id).delete()
    if not gone:
        raise NotFound("The conversation is not shared with that person.")
    _announce(row, user_id)
    publish(AccessRevoked(workspace_id=actor.workspace_id, user_id=user_id, conversation_id=conversation_id))


def _announce(row: Conversation, *others: UUID) -> None:
    conversation_announce(conversation_id=row.id)
    readers = ConversationShare.objects.filter(conversation_id=row.id).values_list("user_id", flat=True)
    lists_announce(conversation=row, readers=[*readers, *others])


def conversation_copy(
    actor: Actor, *, conversation_id: UUID, through_index: int | None, title: str | None
) -> Conversation:
    """Create a conversation of the actor with the messages up to `through_index`, copied in one statement.

    With None, no message is copied. The copies are live; the caller marks those that a summary covers as compacted.
    """
    source = conversation_access(actor, conversation_id)
    require_write(actor)
    if through_index is not None and not 0 <= through_index < source.message_count:
        raise Unprocessable("The conversation has no message at this index.", code="no_such_index")
    copy = Conversation.objects.create(
        owner_id=actor.user_id,
        title=source.title if title is None else title,
        system_prompt=source.system_prompt,
        copied_from=source,
        copied_through=through_index,
        token_budget=source.token_budget,
        temporary=source.temporary,
        remembers=source.remembers or source.owner_id != actor.user_id,
        others_could_write=through_index is not None and _may_be_by_others(source, actor),
        confirmed=source.confirmed,
        own_names=source.own_names,
    )
    if through_index is not None:
        _copy_messages(source, copy, through_index)
    counters_refresh(copy)
    lists_announce(conversation=copy)
    return copy


def _may_be_by_others(source: Conversation, actor: Actor) -> bool:
    return source.others_could_write or source.owner_id != actor.user_id


# A version 7 identifier from the clock and randomness: PostgreSQL before 18 has no function for it.
_NEW_ID = """encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
    substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid"""
_COPY = f"""
INSERT INTO conversations_message (id, workspace_id, conversation_id, "index", role, name, content, parts, status,
    error_code, token_count, tokens_through, extra_tokens, live_cost, importance, excluded, retrievable, deleted_at,
    copied_from, created_at, utc_offset)
SELECT {_NEW_ID}, workspace_id, %s, "index", role, name, content, parts, status,
    error_code, token_count, tokens_through, extra_tokens, live_cost, importance, excluded, retrievable, deleted_at,
    id, created_at, utc_offset
FROM conversations_message
WHERE workspace_id = %s AND conversation_id = %s AND "index" <= %s
"""  # noqa: S608  # the only inserted text is the constant above


def _copy_messages(source: Conversation, copy: Conversation, through_index: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_COPY, [copy.id, source.workspace_id, source.id, through_index])


_COUNTERS = """
SELECT count(*), coalesce(sum(token_count), 0), coalesce(sum(token_count) FILTER (WHERE excluded), 0),
    coalesce(sum(extra_tokens) FILTER (WHERE NOT excluded), 0),
    count(*) FILTER (WHERE compacted_in IS NULL AND NOT excluded),
    coalesce(sum(live_cost) FILTER (WHERE compacted_in IS NULL AND NOT excluded), 0)
FROM conversations_message WHERE workspace_id = %s AND conversation_id = %s
"""


def counters_refresh(row: Conversation) -> None:
    """Recalculate the counters from all messages: after a copy, and to verify the incremental counters."""
    names = ("message_count", "token_total", "excluded_tokens", "extra_tokens", "live_count", "live_tokens")
    with connection.cursor() as cursor:
        cursor.execute(_COUNTERS, [row.workspace_id, row.id])
        for name, value in zip(names, cursor.fetchone(), strict=True):
            setattr(row, name, int(value))
    row.save(update_fields=[*names, "updated_at"])


def copied_ids(copy: Conversation) -> dict[str, str]:
    """Return the id of each copied message by the id of its original."""
    pairs = Message.objects.filter(conversation_id=copy.id).values_list("copied_from", "id")
    return {str(original): str(new) for original, new in pairs}
