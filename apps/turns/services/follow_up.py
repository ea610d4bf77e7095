"""Consequences of new messages: the jobs that are due."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.compaction.services.scheduling import compaction_schedule_if_due
from apps.conversations.models import Conversation
from apps.conversations.records import MessageDraft
from apps.conversations.services.messages import Appended, messages_append
from apps.engine.policy import Policy
from apps.extraction.services.scheduling import extraction_schedule_if_due, read_at_once_request
from apps.memory.services.index.passages import messages_index_schedule


def message_store_before_reply(
    actor: Actor, *, conversation: Conversation, draft: MessageDraft, policy: Policy
) -> Appended:
    """Store a message that a reply follows, and have it read. The caller has locked the conversation."""
    appended = messages_append(conversation=conversation, drafts=[draft], policy=policy, reply_follows=True)
    if appended.new:
        _learn(actor, conversation=conversation, appended=appended, policy=policy)
    return appended


def messages_follow_up(
    actor: Actor, *, conversation: Conversation, appended: Appended, policy: Policy, at_once: bool = True
) -> None:
    """All that follows from new messages that no reply follows; those of a program are not read `at_once`."""
    _learn(actor, conversation=conversation, appended=appended, policy=policy, at_once=at_once)
    compaction_schedule_if_due(conversation=conversation, policy=policy)
    messages_index_schedule(conversation)


def jobs_schedule_if_due(*, conversation: Conversation, policy: Policy) -> None:
    """All that follows from the end of a turn or an import."""
    extraction_schedule_if_due(conversation=conversation, policy=policy)
    compaction_schedule_if_due(conversation=conversation, policy=policy)
    messages_index_schedule(conversation)


def _learn(
    actor: Actor, *, conversation: Conversation, appended: Appended, policy: Policy, at_once: bool = True
) -> None:
    """Have what the owner says in new messages read at once, and everything after a pause."""
    first = appended.first_index
    if extraction_schedule_if_due(conversation=conversation, policy=policy, first_index=first) and at_once:
        read_at_once_request(actor, conversation=conversation, stored=appended.new)
