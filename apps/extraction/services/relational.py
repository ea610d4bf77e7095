"""The relational profile of a person: evidence from their messages, compiled into one memory that they may edit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.conversations.models import Conversation, Message, MessageRole
from apps.engine.extraction.relational.signs import may_show_signs, signs_of
from apps.extraction.models import RelationalEvidence
from apps.extraction.selectors.exchanges import message_fingerprint, reply_before, session_fingerprint
from apps.extraction.selectors.unread import own_names
from apps.extraction.services.relational_profile import profile_forget, profile_write
from apps.memory.selectors.tree_locks import tree_lock


def profile_note(actor: Actor, *, conversation_id: UUID, messages: Sequence[Message]) -> None:
    """Add what a person's messages show of how they like to work to their profile, in the caller's transaction.

    Messages read before, whatever their ids, change nothing, nor do those of an import that nobody confirmed.
    """
    if not Conversation.objects.filter(pk=conversation_id, confirmed=True).exists():
        return
    shown = [row for row in messages if row.role == MessageRole.USER and may_show_signs(row.content)]
    names = own_names(conversation_id) if shown else frozenset()
    rows = _lock([row for row in shown if row.name.casefold() in names])
    if not rows:
        return
    tree_lock(actor.person_id)
    if _store(list(_evidence(actor, conversation_id, rows))):
        profile_write(actor.person_id, by=actor.user_id)


def profiles_follow(message_ids: Collection[UUID]) -> None:
    """Compile the profiles again that these messages, now excluded or included, are evidence of.

    Neither a profile nor its history contains what only excluded messages show.
    """
    owners = RelationalEvidence.objects.filter(message_id__in=message_ids).values_list("owner_id", flat=True).distinct()
    for owner_id in sorted(owners):
        tree_lock(owner_id)
        profile_forget(owner_id)


def _lock(rows: Sequence[Message]) -> list[Message]:
    """Lock the messages; return those that nobody excluded or deleted since they were read."""
    locked = Message.objects.select_for_update(no_key=True).filter(pk__in=[row.id for row in rows], excluded=False)
    return list(locked.order_by("index"))


def _evidence(actor: Actor, conversation_id: UUID, rows: Sequence[Message]) -> Iterator[RelationalEvidence]:
    is_imported = Conversation.objects.filter(pk=conversation_id, external_id__isnull=False).exists()
    session = session_fingerprint(conversation_id, is_imported=is_imported)
    for row in rows:
        reply = reply_before(row)
        fingerprint = message_fingerprint(row, reply, is_imported=is_imported)
        for sign in signs_of(row.content, reply):
            yield RelationalEvidence(
                owner_id=actor.person_id,
                trait=sign.trait,
                value=sign.value,
                fingerprint=fingerprint,
                session=session,
                message_id=row.id,
                index=row.index,
                start=sign.start,
                end=sign.end,
                occurred_at=row.created_at,
            )


def _store(rows: Sequence[RelationalEvidence]) -> bool:
    """Store the new ones; return whether there were any. The caller has locked the tree."""
    known = set(
        RelationalEvidence.objects.filter(
            owner_id__in={row.owner_id for row in rows}, fingerprint__in={row.fingerprint for row in rows}
        ).values_list("trait", "value", "fingerprint")
    )
    new = {(row.trait, row.value, row.fingerprint): row for row in rows}
    RelationalEvidence.objects.bulk_create(row for key, row in new.items() if key not in known)
    return bool(new.keys() - known)
