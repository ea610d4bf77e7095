"""Access to conversations: for the owner and the people it is shared with; for everyone else it does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.crypto import salted_hmac

from apps.accounts.actors import Actor, require_write
from apps.accounts.models import Membership
from apps.common.errors import Forbidden, NotFound
from apps.common.ids import is_id
from apps.common.models import columns_of
from apps.common.reads import fetch_model
from apps.conversations.models import Conversation, ConversationShare, ConversationTombstone, ShareAccess
from apps.conversations.records import OWNER

_READ = f"""
SELECT {columns_of(Conversation, "conversation")} FROM conversations_conversation AS conversation
WHERE workspace_id = %(workspace)s AND id = %(id)s
"""  # noqa: S608  # the only inserted text is the names of columns
# Rows that refer to this one may be inserted concurrently, because its key does not change.
_LOCK = f"{_READ} FOR NO KEY UPDATE"


def conversations_of(actor: Actor) -> QuerySet[Conversation]:
    """Return the conversations that the actor may read."""
    shared = active_shares().filter(conversation=OuterRef("pk"), user_id=actor.user_id)
    return Conversation.objects.filter(Q(owner_id=actor.user_id) | Exists(shared))


def access_to(actor: Actor, rows: Sequence[Conversation]) -> dict[UUID, str]:
    """Return the actor's access (owner, write or read) to each of these readable conversations."""
    if not actor.may_write:
        return {row.id: ShareAccess.READ.value for row in rows}
    access = {row.id: OWNER for row in rows if row.owner_id == actor.user_id}
    others = [row.id for row in rows if row.id not in access]
    if others:
        shares = active_shares().filter(conversation__in=others, user_id=actor.user_id)
        access.update(shares.values_list("conversation_id", "access"))
    return access


def own_conversations(actor: Actor) -> QuerySet[Conversation]:
    return Conversation.objects.filter(owner_id=actor.user_id)


def shared_conversations(actor: Actor) -> QuerySet[Conversation]:
    """Return the conversations of other people that are shared with the actor."""
    shared = active_shares().filter(user_id=actor.user_id).values("conversation")
    return Conversation.objects.filter(pk__in=shared).exclude(owner_id=actor.user_id)


def active_shares() -> QuerySet[ConversationShare]:
    """Return the effective shares: those older than the person's present membership don't count."""
    member = Membership.objects.filter(
        workspace_id=OuterRef("workspace_id"), user_id=OuterRef("user_id"), created_at__lte=OuterRef("created_at")
    )
    return ConversationShare.objects.filter(Exists(member))


def conversation_access(actor: Actor, conversation_id: UUID) -> Conversation:
    """Return the conversation for reading; `NotFound` if it does not exist or the actor may not see it."""
    row = fetch_model(Conversation, _READ, id=conversation_id)
    if row is None:
        raise _absent()
    if row.owner_id != actor.user_id:
        _shared_access(actor, conversation_id)
    return row


def conversation_named(actor: Actor, name: str) -> Conversation:
    """Return a conversation by its id, or the actor's own by its external id, for reading."""
    row = own_conversations(actor).filter(external_id=name).first() if "\x00" not in name else None
    if row is None and is_id(name):
        return conversation_access(actor, UUID(name))
    if row is None:
        raise _absent()
    return row


def conversation_lock_for_write(actor: Actor, conversation_id: UUID) -> Conversation:
    """Return the conversation for writing, locked until the unit of work ends."""
    row = conversation_lock(conversation_id)
    access = ShareAccess.WRITE if row.owner_id == actor.user_id else _shared_access(actor, conversation_id)
    require_write(actor)
    if access != ShareAccess.WRITE:
        raise Forbidden("You have read-only access to this conversation. Fork it to write.")
    return row


def conversation_lock_as_owner(actor: Actor, conversation_id: UUID) -> Conversation:
    """Return the conversation for actions of its owner (sharing, archiving), locked until the unit of work ends."""
    row = conversation_lock_for_write(actor, conversation_id)
    if row.owner_id != actor.user_id:
        raise Forbidden("Only the owner of the conversation can do this.")
    return row


def conversation_lock(conversation_id: UUID) -> Conversation:
    """Lock the row until the unit of work ends, as every change of messages or counters must."""
    row = conversation_lock_if_there(conversation_id)
    if row is None:
        raise _absent()
    return row


def conversation_lock_if_there(conversation_id: UUID) -> Conversation | None:
    """The same; None if the conversation was deleted."""
    return fetch_model(Conversation, _LOCK, id=conversation_id)


def _shared_access(actor: Actor, conversation_id: UUID) -> str:
    share = active_shares().filter(conversation_id=conversation_id, user_id=actor.user_id).first()
    if share is None:
        raise _absent()
    return share.access


def _absent() -> NotFound:
    return NotFound("Conversation not found.")


def conversation_is_deleted(actor: Actor, external_id: str) -> bool:
    """Return whether the actor deleted a conversation of this name."""
    rows = ConversationTombstone.objects.filter(owner_id=actor.user_id, external_digest=tombstone_digest(external_id))
    return rows.exists()


def tombstone_digest(external_id: str) -> str:
    return salted_hmac("conversations.tombstone", external_id, algorithm="sha256").hexdigest()
