"""Delete a conversation for good, with what other apps hold of it."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.versions import require_version
from apps.compaction.services.deletion import summaries_delete
from apps.context.services.cache_epochs import epochs_delete
from apps.conversations.selectors.access import conversation_lock_as_owner
from apps.conversations.services.deletion import conversation_rows_delete
from apps.conversations.services.replies import TurnRunning, turn_runs
from apps.jobs.services import jobs_cancel
from apps.llm.services.rejected_answers import rejected_forget
from apps.memory.services.index.passages import conversation_passages_drop
from apps.memory.services.pins import pins_delete


def conversation_delete(actor: Actor, *, conversation_id: UUID, version: int | None = None) -> None:
    """Delete messages, summaries, pins, passages and settings of the conversation.

    Memories that came from it stay, and so do its copies. With a version, only if the conversation still has it.
    """
    row = conversation_lock_as_owner(actor, conversation_id)
    require_version(version, row.version, of="The conversation")
    if turn_runs(row):
        raise TurnRunning
    jobs_cancel(workspace_id=actor.workspace_id, key=str(conversation_id))
    conversation_passages_drop(conversation_id)
    pins_delete(conversation_id)
    epochs_delete(conversation_id)
    rejected_forget(conversation_id=conversation_id)
    summaries_delete(conversation_id)
    conversation_rows_delete(row)
