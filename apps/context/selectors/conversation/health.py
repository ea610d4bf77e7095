"""The health of a conversation: how full its context is, and the progress of its compaction."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.compaction.models import CompactionRun
from apps.compaction.records import run_progress
from apps.compaction.selectors.compaction_window import newest_window
from apps.compaction.selectors.contexts import context_tokens, paused_below
from apps.compaction.selectors.state_parts import present_run, summary_state
from apps.conversations.models import Conversation, Message, MessageRole, MessageStatus
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.state_parts import (
    newest_messages,
)
from apps.engine.compaction.health import Condition, Health, LastRun, health, turn_tokens
from apps.engine.compaction.plan import NotDue, why_not_due, why_paused
from apps.engine.compaction.preservation import preservation_ratio
from apps.engine.policy import Policy
from apps.engine.tokens.estimate import estimate_text


def conversation_health(actor: Actor, conversation_id: UUID) -> tuple[int, Health]:
    """The version of the conversation's state and its health."""
    row = conversation_access(actor, conversation_id)
    return row.state_version, health_of(row, newest_messages(row))


def health_of(row: Conversation, messages: list[Message]) -> Health:
    policy, summary, resting = policy_for_workspace(), summary_state(row.id), paused_below(row.id)
    preserved_tokens = context_tokens(row, summary.tokens)
    condition = Condition(
        message_count=row.message_count,
        live_tokens=row.live_tokens,
        preserved_tokens=preserved_tokens,
        system_tokens=estimate_text(row.system_prompt),
        summary_version=summary.version,
        preservation_ratio=preservation_ratio(preserved_tokens, row.included_tokens),
        turn_tokens=turn_tokens((message.role, message.live_cost) for message in messages if _counts(message)),
        run=_last_run(present_run(row.id), messages),
        not_due=_not_due(row, resting, policy),
        paused_below=resting,
        token_budget=row.token_budget,
    )
    return health(condition, policy)


def _counts(message: Message) -> bool:
    return not message.excluded and message.status != MessageStatus.STREAMING


def _not_due(row: Conversation, resting: int | None, policy: Policy) -> NotDue | None:
    """Why no compaction is due although the threshold is reached."""
    if row.live_tokens < policy.light_compaction_threshold:
        return None
    return why_not_due(newest_window(row, policy), policy) or why_paused(row.live_tokens, resting, policy)


def _last_run(run: CompactionRun | None, messages: list[Message]) -> LastRun | None:
    if run is None:
        return None
    return LastRun(
        state=run.state,
        progress=run_progress(run),
        retry_in_s=(run.retry_at - timezone.now()).total_seconds() if run.retry_at else None,
        tokens_before=run.tokens_before,
        tokens_after=run.tokens_after,
        fresh=run.finished_at is not None and not _replied_since(run.finished_at, messages),
    )


def _replied_since(moment: datetime, messages: list[Message]) -> bool:
    return any(message.role == MessageRole.ASSISTANT and message.created_at > moment for message in messages)
