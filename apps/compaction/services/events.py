"""Events about compactions, emitted in the transaction of the write that they describe."""

from __future__ import annotations

from uuid import UUID

from apps.compaction.selectors.state_parts import compaction_state, present_run, summary_state
from apps.conversations.selectors.state_parts import counts_of, message_states, newest_messages
from apps.conversations.services.state_version import conversation_advance
from apps.events.publish import publish
from apps.events.types import (
    CompactionDropped,
    CompactionFailed,
    CompactionQueued,
    CompactionStaged,
    CompactionStarted,
    CompactionUndone,
    ContextCompacted,
    SummaryChanged,
)

RunEvent = CompactionQueued | CompactionStarted | CompactionStaged | CompactionFailed | CompactionDropped
CompactionEvent = ContextCompacted | CompactionUndone


def run_announce(kind: type[RunEvent], *, conversation_id: UUID) -> None:
    """Announce a run's state or progress; no messages have been compacted by it yet."""
    row = conversation_advance(conversation_id)
    publish(
        kind(
            conversation_id=row.id,
            version=row.state_version,
            compaction=compaction_state(present_run(row.id)),
        )
    )


def compaction_announce(kind: type[CompactionEvent], *, conversation_id: UUID) -> None:
    """Announce that messages were compacted, or are live again."""
    row = conversation_advance(conversation_id)
    publish(
        kind(
            conversation_id=row.id,
            version=row.state_version,
            compaction=compaction_state(present_run(row.id)),
            summary=summary_state(row.id),
            messages=message_states(newest_messages(row)),
            counts=counts_of(row),
        )
    )


def summary_announce(*, conversation_id: UUID) -> None:
    """That the summary changed without a compaction."""
    row = conversation_advance(conversation_id)
    publish(
        SummaryChanged(
            conversation_id=row.id,
            version=row.state_version,
            summary=summary_state(row.id),
        )
    )
