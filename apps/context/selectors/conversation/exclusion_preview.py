"""What leaving messages out would do, before anybody does it."""

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

# Folded messages, and lines of the summary with their fields.
Told = tuple[list[UUID], list[tuple[str, Entry]]]


@dataclass(frozen=True, slots=True)
class SummaryLine:
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class ExclusionPreview:
    """`changed` and `folded` as the change itself tells them; `frees_tokens` is negative where messages come back.

    `summary_lines` would go, or come back; `pins` are those made from the messages, which stay.
    """

    changed: list[UUID]
    folded: list[UUID]
    frees_tokens: int
    summary_lines: list[SummaryLine]
    pins: int


def exclusion_preview(
    actor: Actor, conversation_id: UUID, *, message_ids: Sequence[UUID], excluded: bool
) -> ExclusionPreview:
    """Nothing is changed by looking."""
    conversation_access(actor, conversation_id)
    rows = messages_named(conversation_id, message_ids)
    changed = [row for row in rows if row.excluded != excluded]
    tell = _of_leaving_out if excluded else _of_taking_in
    folded, lines = tell(conversation_id, changed)
    live = sum(row.live_cost for row in changed if row.id not in folded)
    return ExclusionPreview(
        changed=[row.id for row in changed],
        folded=folded,
        frees_tokens=live if excluded else -live,
        summary_lines=[SummaryLine(field, entry_text(entry)) for field, entry in lines],
        pins=pin_count(conversation_id, [row.id for row in rows]),
    )


def _of_leaving_out(conversation_id: UUID, changed: Sequence[Message]) -> Told:
    """The folded among them, and the lines that go."""
    folded = [row.id for row in changed if row.compacted_in is not None]
    if not folded:
        return folded, []
    summary = context_state(conversation_id).summary
    gone = excluded_among(conversation_id, summary) | {str(row.id) for row in changed}
    return folded, lines_only_from(summary, gone)


def _of_taking_in(conversation_id: UUID, changed: Sequence[Message]) -> Told:
    """Those that are folded again because the summary tells of them again, and the lines that come back."""
    recall = summary_recallable(conversation_id, [row.id for row in changed])
    if recall is None:
        return [], []
    folded = [row.id for row in changed if row.compacted_in is not None and row.id in recall.told]
    return folded, lines_only_from(recall.summary, frozenset(str(message_id) for message_id in folded))
