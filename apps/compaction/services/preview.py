"""Preview of a compaction: the messages it would compact and an estimate of the tokens it would free."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors.policies import require_engine
from apps.compaction.records import PlanRecord
from apps.compaction.selectors.compaction_window import compaction_window
from apps.compaction.selectors.contexts import context_state, ratio_of
from apps.compaction.services.summarizer import summarizer_for
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access
from apps.engine.compaction.forecast import SummarySize, forecast
from apps.engine.compaction.plan import CompactionPlan, plan_manual
from apps.engine.policy import Level, Policy


def compaction_preview(actor: Actor, *, conversation_id: UUID, level: Level, policy: Policy) -> PlanRecord:
    """What a compaction requested now would do. Writes and locks nothing."""
    conversation = conversation_access(actor, conversation_id)
    require_engine(policy)
    plan = _plan(conversation, policy)
    covered = conversation.included_tokens - conversation.live_tokens
    summary = SummarySize(context_state(conversation_id).summary_tokens, covered)
    expected = forecast(plan, summary, level, policy)
    return PlanRecord(
        level=level.value,
        message_count=len(plan.messages),
        compacted_from=plan.messages[0].index if plan.messages else None,
        compacted_through=plan.messages[-1].index if plan.messages else None,
        complete=plan.complete,
        live_tokens_before=conversation.live_tokens,
        live_tokens_after=conversation.live_tokens - expected.compacted_tokens,
        summary_tokens_before=summary.tokens,
        summary_tokens_after=expected.summary_tokens,
        freed_tokens=expected.freed_tokens,
        preservation_ratio_before=ratio_of(conversation, summary.tokens),
        preservation_ratio_after=ratio_of(conversation, summary.tokens - expected.freed_tokens),
    )


def _plan(conversation: Conversation, policy: Policy) -> CompactionPlan:
    """As the run makes it: the summarizing model's window may allow less than the policy."""
    writer = summarizer_for(attempt=1, live_tokens=conversation.live_tokens, policy=policy)
    return plan_manual(compaction_window(conversation, policy), writer.slices(policy))
