"""The live state of a conversation: what a client shows before the first event, and again whenever it missed one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.compaction.models import CompactionRun
from apps.compaction.records import run_progress
from apps.compaction.selectors.contexts import rests_below, tokens_kept
from apps.compaction.selectors.sections import compaction_mark, present_run, summary_mark
from apps.compaction.selectors.windows import newest_window
from apps.conversations.models import Conversation, Message, MessageRole, MessageStatus
from apps.conversations.selectors.access import conversation_access, conversations_of
from apps.conversations.selectors.sections import (
    conversation_mark,
    counts_of,
    message_marks,
    newest_messages,
    turn_mark,
)
from apps.engine.folding import why_not_due, why_resting
from apps.engine.health import Condition, Health, LastRun, health, turn_tokens
from apps.engine.policy import Policy
from apps.engine.preservation import preservation_ratio
from apps.engine.tokens import count_text
from apps.events.sections import (
    CompactionMark,
    ConversationMark,
    Counts,
    MessageMark,
    PinMark,
    SummaryMark,
    TurnMark,
)
from apps.memory.selectors.pins import pin_marks

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class LiveState:
    """Every part as events carry it; `version` is that of the newest event in it."""

    conversation_id: UUID
    version: int
    conversation: ConversationMark
    counts: Counts
    summary: SummaryMark
    compaction: CompactionMark | None
    turn: TurnMark | None
    pins: tuple[PinMark, ...]
    messages: tuple[MessageMark, ...]
    health: Health


def conversation_live(actor: Actor, conversation_id: UUID) -> LiveState:
    """All of one moment, unless the conversation changes without a pause.

    A part may then be newer than `version` says. That does no harm: the events that follow hold whole parts too.
    """
    state = _read(conversation_access(actor, conversation_id))
    for _ in range(_ATTEMPTS - 1):
        row = conversation_access(actor, conversation_id)
        if row.state_version == state.version:
            break
        state = _read(row)
    return state


def conversation_health(actor: Actor, conversation_id: UUID) -> tuple[int, Health]:
    """The health, and the version of the state that it is of."""
    row = conversation_access(actor, conversation_id)
    return row.state_version, _health(row, newest_messages(row))


def live_versions(actor: Actor, conversation_ids: Iterable[UUID]) -> dict[UUID, int]:
    """The versions of those that the actor may still read."""
    rows = conversations_of(actor).filter(pk__in=list(conversation_ids))
    return dict(rows.values_list("id", "state_version"))


def _read(row: Conversation) -> LiveState:
    messages = newest_messages(row)
    return LiveState(
        conversation_id=row.id,
        version=row.state_version,
        conversation=conversation_mark(row),
        counts=counts_of(row),
        summary=summary_mark(row.id),
        compaction=compaction_mark(present_run(row.id)),
        turn=turn_mark(row),
        pins=pin_marks(row.id),
        messages=message_marks(messages),
        health=_health(row, messages),
    )


def _health(row: Conversation, messages: list[Message]) -> Health:
    policy, summary, resting = policy_for_workspace(), summary_mark(row.id), rests_below(row.id)
    kept = tokens_kept(row, summary.tokens)
    condition = Condition(
        message_count=row.message_count,
        live_tokens=row.live_tokens,
        kept_tokens=kept,
        system_tokens=count_text(row.system_prompt),
        summary_version=summary.version,
        preservation_ratio=preservation_ratio(kept, row.token_total - row.excluded_tokens),
        turn_tokens=turn_tokens((message.role, message.live_cost) for message in messages if _counts(message)),
        run=_last_run(present_run(row.id), messages),
        waits_because=_waits_because(row, resting, policy),
        rests_below=resting,
        token_budget=row.token_budget,
    )
    return health(condition, policy)


def _counts(message: Message) -> bool:
    return not message.excluded and message.status != MessageStatus.STREAMING


def _waits_because(row: Conversation, resting: int | None, policy: Policy) -> str:
    """Why nothing is compacted although there is enough."""
    if row.live_tokens < policy.light_compaction_threshold:
        return ""
    return why_not_due(newest_window(row, policy), policy) or why_resting(row.live_tokens, resting, policy)


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
