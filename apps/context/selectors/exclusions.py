"""What leaving messages out would do, before anybody does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.compaction.selectors.contexts import context_state, excluded_among
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import messages_named
from apps.engine.sections import entry_text
from apps.engine.summary import lines_only_from
from apps.memory.selectors.pins import pin_count


@dataclass(frozen=True, slots=True)
class SummaryLine:
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class ExclusionPreview:
    """`changed` and `folded` as the change itself tells them; `frees_tokens` is negative where messages come back.

    `summary_lines` would go; `pins` are those made from the messages, which stay.
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
    folded = [row.id for row in changed if row.compacted_in is not None]
    return ExclusionPreview(
        changed=[row.id for row in changed],
        folded=folded,
        frees_tokens=_frees(changed, excluded=excluded),
        summary_lines=_lines_gone(conversation_id, changed) if folded and excluded else [],
        pins=pin_count(conversation_id, [row.id for row in rows]),
    )


def _frees(changed: Sequence[Message], *, excluded: bool) -> int:
    """A message that comes back is live, even if it was folded before."""
    if excluded:
        return sum(row.live_cost for row in changed if row.compacted_in is None)
    return -sum(row.live_cost for row in changed)


def _lines_gone(conversation_id: UUID, changed: Sequence[Message]) -> list[SummaryLine]:
    summary = context_state(conversation_id).summary
    gone = excluded_among(conversation_id, summary) | {str(row.id) for row in changed}
    return [SummaryLine(field, entry_text(entry)) for field, entry in lines_only_from(summary, gone)]
