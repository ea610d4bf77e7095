"""Storing and excluding messages, with the consequences in other apps."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.compaction.selectors.contexts import summary_recallable
from apps.compaction.services.versions import summary_drop_excluded, summary_recall
from apps.conversations.models import Conversation
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.conversations.services.events import exclusions_announce, lists_announce, messages_announce
from apps.conversations.services.messages import Appended, Excluded, messages_append, messages_exclude, messages_include
from apps.turns.services.exclusion_effects import exclusion_follow
from apps.turns.services.follow_up import jobs_schedule_if_due, messages_follow_up


def messages_store(
    actor: Actor, *, conversation_id: UUID, drafts: Sequence[MessageDraft], at_once: bool = True
) -> Appended:
    """Store the messages, and request a compaction and runs that read them for memories if due.

    What a person says in a chat is read `at_once`, what programs report when they pause.
    """
    conversation, policy = conversation_lock_for_write(actor, conversation_id), policy_for_workspace()
    appended = messages_append(conversation=conversation, drafts=drafts, policy=policy)
    if new := appended.new:
        messages_follow_up(actor, conversation=conversation, appended=appended, policy=policy, at_once=at_once)
        messages_announce(conversation_id=conversation.id, stored=new)
        lists_announce(conversation=conversation, readers=[actor.user_id])
    return appended


def messages_set_excluded(
    actor: Actor, *, conversation_id: UUID, message_ids: Sequence[UUID], excluded: bool
) -> Excluded:
    """Exclude or include messages; memories whose only sources they are get archived or restored."""
    conversation = conversation_lock_for_write(actor, conversation_id)
    if excluded:
        change = messages_exclude(conversation=conversation, message_ids=message_ids)
        if change.compacted:
            summary_drop_excluded(conversation=conversation)
    else:
        change = _include(conversation, message_ids)
    if change.changed:
        exclusion_follow(conversation, change, excluded=excluded)
        exclusions_announce(conversation_id=conversation_id, message_ids=change.changed, excluded=excluded)
    return change


def _include(conversation: Conversation, message_ids: Sequence[UUID]) -> Excluded:
    recall = summary_recallable(conversation.id, message_ids)
    restored = recall.restored_ids if recall else frozenset()
    change = messages_include(conversation=conversation, message_ids=message_ids, stay_folded=restored)
    if recall:
        summary_recall(conversation=conversation, recall=recall)
    if change.changed:
        jobs_schedule_if_due(conversation=conversation, policy=policy_for_workspace())
    return change
