"""Short helpers to correct a summary."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.records import SummaryRecord
from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.corrections import summary_correct
from apps.engine.policy import Policy
from apps.engine.summary.corrections import Correction
from apps.engine.summary.rolling_summary import Decision, Entry, Line, RollingSummary


def correct(actor: Actor, conversation_id: UUID, field: str, position: int | None, text: str | None) -> SummaryRecord:
    """Write a line into the current version; `text=None` removes the line."""
    line: Entry | None = None
    if text is not None:
        line = Decision(text, "", ()) if field == "decisions" else Line(text, ())
    with workspace(actor.workspace_id):
        return summary_correct(
            actor,
            conversation_id=conversation_id,
            correction=Correction(field, position, line),
            version=context_state(conversation_id).version,
            policy=Policy(),
        )


def summary_now(actor: Actor, conversation_id: UUID) -> RollingSummary:
    with workspace(actor.workspace_id):
        return context_state(conversation_id).summary
