"""Storage of imported messages in one conversation, and the work that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_lock, conversation_lock_for_write
from apps.conversations.services.confirmation import conversations_confirm
from apps.conversations.services.events import message_range_announce
from apps.conversations.services.messages import Appended, messages_append
from apps.extraction.services.scheduling import extraction_schedule_if_due
from apps.turns.services.follow_up import jobs_schedule_if_due


def messages_import(
    actor: Actor, *, conversation_id: UUID, drafts: Sequence[MessageDraft], confirmed: bool = True
) -> Appended:
    """Append messages that were written earlier, elsewhere, and have them read for memories.

    If nobody confirmed that they are the actor's own, nothing in the conversation counts as the actor's words.
    """
    conversation = conversation_lock_for_write(actor, conversation_id)
    policy = policy_for_workspace()
    appended = messages_append(conversation=conversation, drafts=drafts, policy=policy)
    if appended.stored:
        conversations_confirm([] if confirmed else [conversation_id], confirmed=False)
        extraction_schedule_if_due(conversation=conversation, policy=policy, first_index=appended.first_index)
    return appended


def messages_import_announce(*, conversation_id: UUID, first_index: int | None, last_index: int | None) -> None:
    """Announce the messages stored since the last call, if any, and request the jobs that are due."""
    jobs_schedule_if_due(conversation=conversation_lock(conversation_id), policy=policy_for_workspace())
    if first_index is not None and last_index is not None:
        message_range_announce(conversation_id=conversation_id, first_index=first_index, last_index=last_index)
