"""Choice of the summary's writer: the configured model, or the engine, also after a model failed twice.

A bulk import is summarized by the engine: a model would take minutes. The engine also takes over within the same run
where no model may be called: in no-model mode, when too little of the background's share of the daily budget is left,
when a cost ceiling is set and the model's price is unknown, while the circuit breaker is open, or when the context
window is too small. The run records the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from apps.compaction.summarizers.model import summarize_with_model
from apps.compaction.summarizers.reader import summarize_with_reader
from apps.compaction.summarizers.redaction import without_secrets
from apps.engine.compaction.plan import live_tokens as live_tokens_of
from apps.engine.messages.message import Message
from apps.engine.policy import Level, Policy
from apps.engine.summary.carry_over import Notes, RemovalReason, missing_lines, reported_removals
from apps.engine.summary.corrections import with_corrections
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN
from apps.llm.providers.base import Purpose
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.services.background_call import CallAccount
from apps.llm.services.budget_status import summary_refusal
from apps.llm.services.registry import ChosenModel, provider_for

REFUSALS = frozenset({"recall_only", "ceiling", "no_price", "resting"})
"""Codes of a `ModelError` after which a later try would soon be refused again."""
NO_ROOM = "no_room"
_MODEL_ATTEMPTS = 2
_BACKLOG_SLICES = 2
# In multiples of what a long message counts while it is live.
_READ_OF_LONG = 4


@dataclass(frozen=True, slots=True)
class Summarizer:
    """The engine if `chosen` is None; `fallback_reason` is the reason, unless no model is configured."""

    chosen: ChosenModel | None
    fallback_reason: str = ""

    @property
    def model(self) -> str:
        return self.chosen.model if self.chosen else OFFLINE_MODEL

    def slices(self, policy: Policy) -> Policy:
        """The policy with slices of what the writer can read in one run."""
        most = (
            min(policy.max_compaction_tokens, self.chosen.input_budget) if self.chosen else policy.max_compaction_tokens
        )
        return replace(policy, max_compaction_tokens=most)

    def reading(self, messages: Sequence[Message], policy: Policy) -> Summarizer:
        """The engine where the model cannot read all of this, which nothing may part."""
        if self.chosen and live_tokens_of(messages, policy) > self.chosen.input_budget:
            return Summarizer(None, NO_ROOM)
        return self


def summarizer_for(*, attempt: int, live_tokens: int, policy: Policy) -> Summarizer:
    """Who summarizes in a run's `attempt`-th try. Inside a unit."""
    if not policy.model_calls_enabled:
        return Summarizer(None, "recall_only")
    chosen = provider_for(Purpose.COMPACTION, policy)
    if not chosen.configured:
        return Summarizer(None)
    why = _why_not_model(attempt, live_tokens, policy) or summary_refusal(chosen, policy)
    if not why and chosen.input_budget < policy.min_compaction_tokens:
        why = NO_ROOM
    return Summarizer(None, why) if why else Summarizer(chosen)


def _why_not_model(attempt: int, live_tokens: int, policy: Policy) -> str:
    if attempt > _MODEL_ATTEMPTS:
        return "failed"
    if live_tokens > _BACKLOG_SLICES * policy.max_compaction_tokens:
        return "backlog"
    return ""


def summarized(
    current: RollingSummary, messages: tuple[Message, ...], level: Level, policy: Policy, account: CallAccount | None
) -> Notes:
    """Summarize the messages into the summary, by the model whose calls `account` pays for, if any."""
    messages = without_secrets(messages)
    if account is None:
        return Notes(summarize_with_reader(current, [readable(one, policy) for one in messages], level, policy))
    return summarize_with_model(current, messages, level, policy, account=account).notes


def readable(message: Message, policy: Policy) -> Message:
    """Bound a message's length by the time of a run: of a very long one the beginning and the end are read."""
    most = _READ_OF_LONG * policy.long_message_tokens * CHARACTERS_PER_TOKEN
    if len(message.content) <= most:
        return message
    head, tail = most * 3 // 4, most // 4
    return replace(message, content=f"{message.content[:head]}\n\n{message.content[-tail:]}")


def account_of(chosen: ChosenModel | None, *, workspace_id: UUID, conversation_id: UUID) -> CallAccount | None:
    """The account that pays for the model's calls; None for the engine."""
    if chosen is None:
        return None
    return CallAccount(chosen, workspace_id=workspace_id, conversation_id=conversation_id)


def notes_corrected(notes: Notes, before: RollingSummary, policy: Policy) -> Notes:
    """Restore a person's lines, and give a reason for every line that was removed or rejected."""
    summary = with_corrections(notes.summary, before, policy)
    left = missing_lines(before, summary, reported_removals(before, notes.removed), policy)
    refused = (removed for removed in notes.removed if removed.reason is RemovalReason.INSTRUCTION)
    return Notes(summary, (*left, *refused))
