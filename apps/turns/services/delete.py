"""Permanently delete a conversation or a message, with what other apps hold of it."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.versions import require_version
from apps.compaction.services.deletion import summaries_delete, summary_lines_erase
from apps.context.services.deletion import pack_records_delete, used_items_delete
from apps.conversations.selectors.access import conversation_lock, conversation_lock_as_owner
from apps.conversations.selectors.messages import message_of
from apps.conversations.services.deletion import conversation_rows_delete, message_empty
from apps.conversations.services.events import exclusions_announce
from apps.conversations.services.replies import TurnRunning, turn_runs
from apps.extraction.services.deletion import message_findings_erase
from apps.jobs.services import jobs_cancel, operations_fail
from apps.llm.services.rejected_answers import rejected_forget
from apps.memory.services.index.passages import bank_drop
from apps.memory.services.pins import message_pins_delete, pins_delete
from apps.turns.services.messages import messages_set_excluded


def conversation_delete(actor: Actor, *, conversation_id: UUID, version: int | None = None) -> None:
    """Delete messages, summaries, archive, pins, passages and settings of the conversation.

    Memories that came from it stay, and so do its copies. With a version, only if the conversation still has it.
    """
    row = conversation_lock_as_owner(actor, conversation_id)
    require_version(version, row.version, of="The conversation")
    if turn_runs(row):
        raise TurnRunning
    jobs_cancel(workspace_id=actor.workspace_id, key=str(conversation_id))
    operations_fail(
        subject=str(conversation_id), error={"code": "not_found", "detail": "The conversation was deleted."}
    )
    bank_drop(conversation_id)
    pins_delete(conversation_id)
    pack_records_delete(conversation_id)
    rejected_forget(conversation_id=conversation_id)
    summaries_delete(conversation_id)
    conversation_rows_delete(row)


def message_delete(actor: Actor, *, conversation_id: UUID, message_id: UUID) -> None:
    """Delete the text of a message, its pins, every summary line that cites it, and a model's statements about it; a
    repeat changes nothing.

    The memories that a program found in it alone are deleted too. The rest follows from its exclusion: segments are
    summarized again without it, its passage is deleted, and a person's memories without another source are archived.
    Copies of the message in other conversations stay.
    """
    conversation = conversation_lock_as_owner(actor, conversation_id)
    if turn_runs(conversation):
        raise TurnRunning
    if message_of(conversation_id, message_id).deleted_at:
        return
    messages_set_excluded(actor, conversation_id=conversation_id, message_ids=[message_id], excluded=True)
    conversation = conversation_lock(conversation_id)
    summary_lines_erase(conversation, message_id)
    message_pins_delete(message_id, conversation_id=conversation_id)
    message = message_of(conversation_id, message_id)
    message_findings_erase(message, user_id=actor.user_id)
    used_items_delete(conversation_id, message.id)
    message_empty(conversation, message)
    exclusions_announce(conversation_id=conversation_id, message_ids=[message_id], excluded=True)
