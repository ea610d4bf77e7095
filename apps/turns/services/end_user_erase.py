"""Erase an application's user, with everything that is theirs."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors.end_users import end_user_as_actor
from apps.accounts.services.end_users import end_user_delete
from apps.conversations.selectors.access import own_conversations
from apps.jobs.services import operations_delete
from apps.memory.services.index.passages import bank_drop
from apps.memory.services.tree.delete_permanently import tree_drop
from apps.turns.services.delete import conversation_delete


def end_user_erase(actor: Actor, *, user_id: UUID) -> None:
    """Erase an end user: their conversations, memories, notes, sessions, imports, operations and settings.

    The usage of models stays, which holds no content. Raises `TurnRunning` while a reply to them is written.
    """
    person = end_user_as_actor(actor, user_id)
    for conversation_id in own_conversations(person).values_list("id", flat=True):
        conversation_delete(person, conversation_id=conversation_id)
    tree_drop(user_id)
    bank_drop(user_id)
    operations_delete(user_id)
    end_user_delete(person)
