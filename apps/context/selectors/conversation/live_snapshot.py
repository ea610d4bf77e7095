"""Snapshot of a conversation's live state, for clients that connect or missed an event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.compaction.selectors.state_parts import compaction_state, present_run, summary_state
from apps.context.selectors.conversation.health import health_of
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access, conversations_of
from apps.conversations.selectors.state_parts import (
    conversation_state,
    counts_of,
    message_states,
    newest_messages,
    turn_state,
)
from apps.engine.compaction.health import Health
from apps.events.state_parts import (
    CompactionState,
    ConversationState,
    Counts,
    MessageState,
    PinState,
    SummaryState,
    TurnState,
)
from apps.memory.selectors.pins import pin_states

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class LiveState:
    """Every part in the form events carry it; `version` is that of the newest included event."""

    conversation_id: UUID
    version: int
    conversation: ConversationState
    counts: Counts
    summary: SummaryState
    compaction: CompactionState | None
    turn: TurnState | None
    pins: tuple[PinState, ...]
    messages: tuple[MessageState, ...]
    health: Health


def conversation_live(actor: Actor, conversation_id: UUID) -> LiveState:
    """Read a consistent snapshot, unless the conversation changes during every attempt.

    A part may then be newer than `version`. That is harmless, because the following events carry whole parts too.
    """
    state = _read(conversation_access(actor, conversation_id))
    for _ in range(_ATTEMPTS - 1):
        row = conversation_access(actor, conversation_id)
        if row.state_version == state.version:
            break
        state = _read(row)
    return state


def live_versions(actor: Actor, conversation_ids: Iterable[UUID]) -> dict[UUID, int]:
    """Versions of the conversations that the actor may still read."""
    rows = conversations_of(actor).filter(pk__in=list(conversation_ids))
    return dict(rows.values_list("id", "state_version"))


def _read(row: Conversation) -> LiveState:
    messages = newest_messages(row)
    return LiveState(
        conversation_id=row.id,
        version=row.state_version,
        conversation=conversation_state(row),
        counts=counts_of(row),
        summary=summary_state(row.id),
        compaction=compaction_state(present_run(row.id)),
        turn=turn_state(row),
        pins=pin_states(row.id),
        messages=message_states(messages),
        health=health_of(row, messages),
    )
