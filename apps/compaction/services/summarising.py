"""Who writes the summary: a model where one is configured, else the engine; the engine too after a model failed twice.

What an import brings at once is folded by the engine, for a model would read it for minutes while packs go without.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from apps.engine.extractive import summarise
from apps.engine.messages import Message
from apps.engine.policy import Level, Policy
from apps.engine.summary import RollingSummary
from apps.engine.tokens import CHARACTERS_PER_TOKEN
from apps.llm.providers.base import Purpose
from apps.llm.registry import provider_for
from apps.llm.services import CallAccount, summarise_with_model

OFFLINE_MODEL = "offline"
_MODEL_ATTEMPTS = 2
_BACKLOG_SLICES = 2
# In multiples of what a long message counts while it is live.
_READ_OF_LONG = 4


def summariser_for(*, attempt: int, live_tokens: int, policy: Policy) -> str:
    """The model that summarises in a run's `attempt`-th try, or `OFFLINE_MODEL`."""
    chosen = provider_for(Purpose.COMPACTION)
    backlog = live_tokens > _BACKLOG_SLICES * policy.max_fold_tokens
    return chosen.model if chosen.configured and attempt <= _MODEL_ATTEMPTS and not backlog else OFFLINE_MODEL


def summarised(
    current: RollingSummary, messages: tuple[Message, ...], level: Level, policy: Policy, account: CallAccount | None
) -> RollingSummary:
    """The summary with the messages folded in; by the model whose calls `account` pays for, if there is one."""
    if account is None:
        return summarise(current, [readable(message, policy) for message in messages], level, policy)
    return summarise_with_model(current, messages, level, policy, account=account).summary


def readable(message: Message, policy: Policy) -> Message:
    """A message of any length in the time that a run has: what is very long is read at its beginning and its end."""
    most = _READ_OF_LONG * policy.long_message_tokens * CHARACTERS_PER_TOKEN
    if len(message.content) <= most:
        return message
    head, tail = most * 3 // 4, most // 4
    return replace(message, content=f"{message.content[:head]}\n\n{message.content[-tail:]}")


def account_of(model: str, *, workspace_id: UUID, conversation_id: UUID) -> CallAccount | None:
    """Who pays for the model's calls; nobody for the engine's work."""
    if model == OFFLINE_MODEL:
        return None
    return CallAccount(workspace_id=workspace_id, conversation_id=conversation_id)
