"""Erase an application's user, with everything that is theirs."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors.end_users import end_user_as_actor
from apps.accounts.services.end_users import end_user_delete
from apps.conversations.selectors.access import own_conversations
from apps.jobs.services import operations_delete
from apps.llm.services.rejected_answers import rejected_forget
from apps.memory.services.index.passages import bank_drop
from apps.memory.services.tree.delete_permanently import tree_drop
from apps.turns.services.delete import conversation_delete
from apps.turns.services.imports.job import import_files_remove


def end_user_erase(actor: Actor, *, user_id: UUID) -> None:
    """Erase an end user: their conversations, memories, notes, sessions, imports, operations and settings.

    Of the workspace's rejected answers of models all go that belong to no conversation: they may quote them. The usage
    of models stays, which holds no content. Raises `TurnRunning` while a reply to them is written.
    """
    person = end_user_as_actor(actor, user_id)
    for conversation_id in own_conversations(person).values_list("id", flat=True):
        conversation_delete(person, conversation_id=conversation_id)
    rejected_forget(conversation_id=None)
    tree_drop(user_id)
    bank_drop(user_id)
    import_files_remove(user_id)
    operations_delete(user_id)
    end_user_delete(person)
