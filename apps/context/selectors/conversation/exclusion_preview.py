"""Preview of excluding or including messages, without changing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.compaction.selectors.contexts import context_state, excluded_among, summary_recallable
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import messages_named
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import Entry, lines_only_from
from apps.memory.selectors.pins import pin_count

# Ids of compacted messages, and lines of the summary with their fields.
Effects = tuple[list[UUID], list[tuple[str, Entry]]]


@dataclass(frozen=True, slots=True)
class SummaryLine:
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class ExclusionPreview:
    """The effects of a change; `frees_tokens` is negative if messages are included again.

    `changed` and `compacted` match the result of the change itself. `summary_lines` would be removed or restored;
    `pins` is the number of pins made from the messages, which remain.
    """

    changed: list[UUID]
    compacted: list[UUID]
    frees_tokens: int
    summary_lines: list[SummaryLine]
    pins: int


def exclusion_preview(
    actor: Actor, conversation_id: UUID, *, message_ids: Sequence[UUID], excluded: bool
) -> ExclusionPreview:
    """Compute the effects of excluding or including the messages."""
    conversation_access(actor, conversation_id)
    rows = messages_named(conversation_id, message_ids)
    changed = [row for row in rows if row.excluded != excluded]
    effects = _effects_of_excluding if excluded else _effects_of_including
    compacted, lines = effects(conversation_id, changed)
    live = sum(row.live_cost for row in changed if row.id not in compacted)
    return ExclusionPreview(
        changed=[row.id for row in changed],
        compacted=compacted,
        frees_tokens=live if excluded else -live,
        summary_lines=[SummaryLine(field, entry_text(entry)) for field, entry in lines],
        pins=pin_count(conversation_id, [row.id for row in rows]),
    )


def _effects_of_excluding(conversation_id: UUID, changed: Sequence[Message]) -> Effects:
    """The compacted messages among them, and the summary lines to remove."""
    compacted = [row.id for row in changed if row.compacted_in is not None]
    if not compacted:
        return compacted, []
    summary = context_state(conversation_id).summary
    removed = excluded_among(conversation_id, summary) | {str(row.id) for row in changed}
    return compacted, lines_only_from(summary, removed)


def _effects_of_including(conversation_id: UUID, changed: Sequence[Message]) -> Effects:
    """The messages that a restored summary covers again, and the summary lines to restore."""
    recall = summary_recallable(conversation_id, [row.id for row in changed])
    if recall is None:
        return [], []
    compacted = [row.id for row in changed if row.compacted_in is not None and row.id in recall.restored_ids]
    return compacted, lines_only_from(recall.summary, frozenset(str(message_id) for message_id in compacted))
