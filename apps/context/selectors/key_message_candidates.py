"""Candidates for key messages, read at a cost bounded by the pack's budget."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.conversations.models import Message
from apps.conversations.records import engine_message, engine_messages, message_importance
from apps.conversations.selectors.messages import Weight, high_importance_live, messages_at
from apps.engine.pack.key_messages import WeightedMessage

# One candidate row per so many tokens of the budget, and the share of the budget that is loaded as content.
_TOKENS_PER_CANDIDATE_ROW = 10
_LOADED_SHARE = 2


def key_candidates(
    conversation_id: UUID, *, begin: int, read: Sequence[Message], budget: int
) -> tuple[WeightedMessage, ...]:
    """The newest live messages from the index `begin` on, the most important ones with their content.

    `read` are the newest messages, which are loaded already and count toward the limit of rows.
    """
    limit = budget // _TOKENS_PER_CANDIDATE_ROW - len(read)
    weights = (
        high_importance_live(conversation_id, begin=begin, end=read[0].index, most=limit) if read and limit > 0 else []
    )
    whole = engine_messages(messages_at(conversation_id, _most_important(weights, budget // _LOADED_SHARE)))
    by_index = {message.index: message for message in whole}
    older = (WeightedMessage(one.index, one.importance, by_index.get(one.index)) for one in weights)
    return (*older, *(_weighted(row) for row in read if row.index >= begin))


def _weighted(row: Message) -> WeightedMessage:
    known = row.importance
    return WeightedMessage(row.index, message_importance(row) if known is None else known, engine_message(row))


def _most_important(weights: Sequence[Weight], tokens: int) -> list[UUID]:
    chosen: list[UUID] = []
    for one in sorted(weights, key=lambda one: (-one.importance, one.index)):
        tokens -= one.live_cost
        if tokens < 0:
            break
        chosen.append(one.id)
    return chosen
