"""Consequences of excluding or including messages for search, memories and packs."""

from __future__ import annotations

from apps.accounts.selectors import policy_for_workspace
from apps.compaction.services.archive.forgetting import session_archive_forget
from apps.compaction.services.archive.scheduling import archives_schedule_soon
from apps.compaction.services.segments import segments_invalidate
from apps.context.services.cache_epochs import end_epochs_by_exclusion
from apps.conversations.models import Conversation
from apps.conversations.services.messages import Excluded
from apps.extraction.services.relational import profiles_follow
from apps.llm.services.rejected_answers import rejected_forget
from apps.memory.services.index.passages import message_passages_hide, message_passages_show
from apps.memory.services.tree.exclusions.sync import memories_exclude, memories_include


def exclusion_follow(conversation: Conversation, change: Excluded, *, excluded: bool) -> None:
    """Update what depends on the changed messages. The caller has locked the conversation."""
    policy = policy_for_workspace()
    segments_invalidate(conversation_id=conversation.id, indexes=change.indexes, policy=policy)
    # These two lock whole trees, and the sources of single memories are locked only then.
    profiles_follow(change.changed)
    if excluded:
        session_archive_forget(conversation, change.changed)
        message_passages_hide(conversation.id, change.changed)
        memories_exclude(change.changed)
    else:
        message_passages_show(conversation, change.changed)
        memories_include(change.changed)
    archives_schedule_soon(conversation)
    end_epochs_by_exclusion(conversation_id=conversation.id)
    rejected_forget(conversation_id=conversation.id)
