"""Snapshot of a batch: messages, the ones before them, known memories, and the model if one may be called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import current_workspace_id, workspace
from apps.conversations.models import Message
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.policy import Policy
from apps.extraction.extractors.transcript import Transcript, shown_tokens
from apps.extraction.models import ReadPosition
from apps.extraction.selectors.known_memories import known_memories, known_queries
from apps.extraction.selectors.unread import (
    Owner,
    earlier_messages,
    newest_unread,
    owner_of,
    position_read,
    unread_messages,
    utterances_of,
)
from apps.llm.providers.base import Purpose
from apps.llm.services.background_call import CallAccount
from apps.llm.services.budget_status import summary_refusal
from apps.llm.services.registry import ChosenModel, provider_for
from apps.memory.selectors.search.query_vectors import with_vectors

NOT_CONFIGURED, RECALL_ONLY = "not_configured", "recall_only"
_BATCH_TOKENS, _ROW_TOKENS = 6_000, 30
_CONTEXT, _ANSWERED = 10, 1
"""Messages before those that are read: a model is shown some, the reader needs what was just answered."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Messages to read from a position on. `account` pays for the model; without one, `without_model` says why."""

    position: ReadPosition
    rows: Sequence[Message]
    earlier: Sequence[Message]
    transcript: Transcript
    policy: Policy
    account: CallAccount | None
    without_model: str = ""


def snapshot_take(conversation_id: UUID, *, attempt: int = 1) -> Snapshot | None:
    """Read the next messages, in a unit; None if there are none. A later `attempt` reads fewer."""
    position = ReadPosition.objects.get(conversation_id=conversation_id)
    policy = policy_for_workspace()
    chosen, why = _model(policy)
    rows = unread_messages(position, by_model=bool(chosen), attempt=attempt)
    if not rows:
        return None
    owner = owner_of(conversation_id)
    rows = _fitting(rows, chosen, owner) if chosen else rows
    earlier = earlier_messages(position, rows[0].index, most=_CONTEXT if chosen else _ANSWERED)
    messages, before = utterances_of(rows, owner), utterances_of(earlier, owner)
    transcript = Transcript(messages, before, days=_days([*before, *messages]))
    is_needed = chosen and any(one.speaker is not Speaker.SYSTEM for one in messages)
    account = CallAccount(chosen, current_workspace_id(), conversation_id) if chosen and is_needed else None
    return Snapshot(position, rows, earlier, transcript, policy, account, why)


def newest_snapshot_take(conversation_id: UUID) -> Snapshot | None:
    """Read the newest messages that no run has read, a few short ones, for the reader; None if there are none."""
    position = position_read(conversation_id)
    rows = newest_unread(position)
    if not rows:
        return None
    owner = owner_of(conversation_id)
    before = earlier_messages(position, rows[0].index, most=_ANSWERED)
    messages = utterances_of(rows, owner)
    transcript = Transcript(messages, utterances_of(before, owner), days=_days(messages))
    return Snapshot(position, rows, before, transcript, policy_for_workspace(), None)


def with_known(actor: Actor, conversation_id: UUID, snapshot: Snapshot) -> Snapshot:
    """Add the memories that a model is told of. Call it outside a unit of work: what to search for is embedded."""
    if snapshot.account is None:
        return snapshot
    queries = with_vectors(actor, known_queries(snapshot.transcript.messages))
    with workspace(actor.workspace_id):
        known = known_memories(actor, conversation_id, queries)
    return replace(snapshot, transcript=replace(snapshot.transcript, known=known))


def _model(policy: Policy) -> tuple[ChosenModel | None, str]:
    """The model that may be called now, or the reason why none may."""
    if not policy.model_calls_enabled:
        return None, RECALL_ONLY
    chosen = provider_for(Purpose.EXTRACTION, policy)
    if not chosen.configured:
        return None, NOT_CONFIGURED
    refused = summary_refusal(chosen, policy)
    return (None, refused) if refused else (chosen, "")


def _fitting(rows: Sequence[Message], chosen: ChosenModel, owner: Owner) -> list[Message]:
    """As many of the messages as one call reads, at least one."""
    left = min(_BATCH_TOKENS, chosen.input_budget)
    fitting: list[Message] = []
    for row, utterance in zip(rows, utterances_of(rows, owner), strict=True):
        left -= shown_tokens(utterance) + _ROW_TOKENS
        if fitting and left < 0:
            break
        fitting.append(row)
    return fitting


def _days(messages: Sequence[Utterance]) -> dict[str, date]:
    return {one.id: one.stated_at.date() for one in messages if one.stated_at}
