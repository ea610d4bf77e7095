"""Summaries that were written beforehand, such as those of the sample conversation."""

from __future__ import annotations

from dataclasses import dataclass

from apps.compaction.models import CompactionRun, Trigger
from apps.compaction.services.completion import Compacted, compaction_store
from apps.compaction.services.run_records import Start, run_started
from apps.compaction.services.versions import context_lock
from apps.conversations.models import Conversation
from apps.conversations.records import engine_messages
from apps.conversations.selectors.messages import live_messages
from apps.engine.compaction.plan import CompactionPlan
from apps.engine.policy import Level
from apps.engine.summary.carry_over import Notes


@dataclass(frozen=True, slots=True)
class PreparedSummary:
    """A light compaction of the live messages up to the index `through`; `author` is shown as its writer."""

    notes: Notes
    through: int
    trigger: Trigger
    author: str


def prepared_summary_store(conversation: Conversation, prepared: PreparedSummary) -> bool:
    """Store it as a finished run, as if it had just been written. The caller has locked the conversation's row."""
    context = context_lock(conversation)
    covered = live_messages(conversation.id).filter(index__lte=prepared.through).order_by("index")
    run = CompactionRun(conversation_id=conversation.id, trigger=prepared.trigger)
    newest = conversation.message_count - 1
    run_started(run, Start(Level.LIGHT, prepared.author, context.version, conversation.live_tokens, newest))
    plan = CompactionPlan(engine_messages(covered), complete=True)
    return compaction_store(context, conversation, Compacted(run.id, plan, prepared.notes))
