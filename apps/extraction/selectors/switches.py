"""The switches that decide whether memories are made from a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from apps.common.reads import fetch_row
from apps.conversations.models import Conversation
from apps.engine.policy import Policy
from apps.extraction.extractors.prompt import CURRENT

_STATE = """
SELECT
    coalesce((
        SELECT remembers FROM accounts_contextsettings WHERE workspace_id = %(workspace)s AND user_id = %(owner)s
    ), true),
    coalesce(cardinality(position.off_spans) %% 2 = 1, false),
    coalesce((
        SELECT tokens_through FROM conversations_message
        WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s
            AND index = position.next_index - 1 AND position.extractor = ANY(%(extractors)s)
    ), 0)
FROM (SELECT) AS one LEFT JOIN extraction_positions AS position
    ON position.workspace_id = %(workspace)s AND position.conversation_id = %(conversation)s
"""


class OffBy(StrEnum):
    """What switches it off: that it is temporary, a policy, the owner's settings, or the conversation's own."""

    TEMPORARY = "temporary"
    ENGINE = "engine"
    WORKSPACE = "workspace"
    PERSON = "person"
    CONVERSATION = "conversation"

    @property
    def is_personal(self) -> bool:
        """Whether the owner switched it off, who may still ask for a single run."""
        return self in (OffBy.PERSON, OffBy.CONVERSATION)


OFF_BY = tuple(off_by.value for off_by in OffBy)


@dataclass(frozen=True, slots=True)
class Learning:
    """`off_noted`: messages stored since it was last on are noted as never to be read. `unread_tokens` counts all
    messages after the position."""

    off_by: OffBy | None
    off_noted: bool
    unread_tokens: int


def learning_of(conversation: Conversation, policy: Policy) -> Learning:
    """Read it for every stored message, in one statement."""
    values = {"owner": conversation.owner_id, "conversation": conversation.id, "extractors": list(CURRENT)}
    person_remembers, off_noted, tokens_read = fetch_row(_STATE, **values) or (True, False, 0)
    off_by = _off_by(conversation, policy, person_remembers=person_remembers)
    return Learning(off_by, off_noted, conversation.token_total - tokens_read)


def _off_by(conversation: Conversation, policy: Policy, *, person_remembers: bool) -> OffBy | None:
    reasons = {
        OffBy.TEMPORARY: conversation.temporary,
        OffBy.ENGINE: not policy.engine_enabled,
        OffBy.WORKSPACE: not policy.extraction_enabled,
        OffBy.PERSON: not person_remembers,
        OffBy.CONVERSATION: not conversation.remembers,
    }
    return next((off_by for off_by, applies in reasons.items() if applies), None)
