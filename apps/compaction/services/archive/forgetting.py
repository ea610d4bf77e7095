"""Removal of the words of excluded and deleted messages from the archive of a conversation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from apps.compaction.selectors.session_archives import archive_parts
from apps.compaction.services.archive.scheduling import archives_schedule_soon
from apps.conversations.models import Conversation, Message
from apps.engine.extraction.sessions.overview import lines_with_words_of, without_lines
from apps.memory.models import MemNode
from apps.memory.selectors.tree_locks import tree_lock
from apps.memory.services.derived_history import Rewrite, derived_leaf_rewrite, program_texts


def session_archive_forget(conversation: Conversation, message_ids: Collection[UUID]) -> None:
    """Remove what a program wrote from the archive and its history, and schedule it to be compiled again.

    Where a person wrote the archive, only the program's lines with words of these messages are removed from both. The
    caller has locked the conversation, and the messages still have their words.
    """
    rows = archive_parts(conversation)
    if not rows.exists():
        return
    tree_lock(conversation.owner_id)
    contents = list(Message.objects.filter(pk__in=message_ids).values_list("content", flat=True))
    for row in rows.select_for_update(of=("self",), no_key=True):
        derived_leaf_rewrite(row, _rewrite_without(contents, row))
    archives_schedule_soon(conversation)


def _rewrite_without(contents: Sequence[str], row: MemNode) -> Rewrite:
    written = program_texts(row.id)
    forgotten = lines_with_words_of(contents, written)
    emptied = written if row.l2_content in written else frozenset()
    return lambda text: "" if text in emptied else without_lines(text, forgotten)
