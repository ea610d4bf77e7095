"""The rule for quotes from a person's other chats."""

from __future__ import annotations

from apps.conversations.models import Conversation
from apps.conversations.selectors.audience import Audience
from apps.engine.policy import Policy


def quotes_others(audience: Audience, conversation: Conversation, policy: Policy) -> bool:
    """Whether a conversation may quote the other conversations of its owner: only where its audience allows it.

    A temporary chat quotes none, just as it has no profile, and no other chat quotes it.
    """
    return policy.past_chats_enabled and not conversation.temporary and audience.allows_other_conversations
