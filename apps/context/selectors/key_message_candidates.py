"""What can stand for messages that a pack does not show, read at a cost that its budget bounds."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.conversations.models import Message
from apps.conversations.records import engine_message, engine_messages, message_importance
from apps.conversations.selectors.messages import Weight, high_importance_live, messages_at
from apps.engine.pack.key_messages import Weighed

# Of a budget in tokens: rows that may be looked at for key messages, and tokens of them that are read.
_ROWS_LOOKED_AT = 10
_TOKENS_READ = 2


def key_candidates(conversation_id: UUID, *, begin: int, read: Sequence[Message], budget: int) -> tuple[Weighed, ...]:
    """The newest live messages from the index `begin` on; the weightiest of them whole.

    `read` are the newest of all, which have been read already: they count among the rows that may be looked at.
    """
    most = budget // _ROWS_LOOKED_AT - len(read)
    weights = (
        high_importance_live(conversation_id, begin=begin, end=read[0].index, most=most) if read and most > 0 else []
    )
    whole = engine_messages(messages_at(conversation_id, _weightiest(weights, budget // _TOKENS_READ)))
    by_index = {message.index: message for message in whole}
    older = (Weighed(one.index, one.importance, by_index.get(one.index)) for one in weights)
    return (*older, *(_weighed(row) for row in read if row.index >= begin))


def _weighed(row: Message) -> Weighed:
    known = row.importance
    return Weighed(row.index, message_importance(row) if known is None else known, engine_message(row))


def _weightiest(weights: Sequence[Weight], tokens: int) -> list[UUID]:
    chosen: list[UUID] = []
    for one in sorted(weights, key=lambda one: (-one.importance, one.index)):
        tokens -= one.live_cost
        if tokens < 0:
            break
        chosen.append(one.id)
    return chosen
