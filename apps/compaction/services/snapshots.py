"""Snapshot of a conversation for one compaction, read before any model is called."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.compaction.models import Trigger
from apps.compaction.selectors.compaction_window import compaction_window
from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.run_records import (
    Start,
    run_dropped,
    run_started,
    run_to_do,
)
from apps.compaction.services.scheduling import is_wanted
from apps.compaction.services.summarizer import account_of, summarizer_for
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.replies import turn_runs
from apps.engine.compaction.plan import CompactionPlan, plan_automatic, plan_manual
from apps.engine.messages.message import Message
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import RollingSummary
from apps.jobs.services import Lease, RescheduleJob
from apps.llm.services.background_call import CallAccount

_WAIT_FOR_TURN_S = 2


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The input of one run, copied from the database. With nothing to compact, the live messages are read again."""

    run_id: UUID
    conversation_id: UUID
    version: int
    summary: RollingSummary
    messages: tuple[Message, ...]
    plan: CompactionPlan
    level: Level
    policy: Policy
    account: CallAccount | None


def snapshot_take(lease: Lease) -> Snapshot | None:
    conversation = conversation_lock(UUID(lease.key))
    policy = policy_for_workspace()
    if turn_runs(conversation):
        raise RescheduleJob(_WAIT_FOR_TURN_S, policy.compaction_max_wait_s)
    run = run_to_do(conversation, wanted=is_wanted(conversation, policy))
    if run is None:
        return None
    window, tokens = compaction_window(conversation, policy), conversation.live_tokens
    level = Level(run.level) if run.level else policy.level_for(tokens)
    manual = run.trigger == Trigger.MANUAL
    writer = summarizer_for(attempt=lease.attempts, live_tokens=tokens, policy=policy)
    slices = writer.slices(policy)
    plan = plan_manual(window, slices) if manual else plan_automatic(window, level, slices)
    if not (plan.messages or manual):
        run_dropped(run)
        return None
    state, messages = context_state(conversation.id), plan.messages or window.oldest
    writer = writer.reading(messages, policy)
    newest = conversation.message_count - 1 if conversation.message_count else None
    run_started(run, Start(level, writer.model, state.version, tokens, newest, writer.fallback_reason))
    return Snapshot(
        run_id=run.id,
        conversation_id=conversation.id,
        version=state.version,
        summary=state.summary,
        messages=messages,
        plan=plan,
        level=level,
        policy=policy,
        account=account_of(writer.chosen, workspace_id=lease.workspace_id, conversation_id=conversation.id),
    )
