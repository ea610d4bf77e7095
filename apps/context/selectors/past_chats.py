"""The rule for quotes from a person's other chats."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import is_private
from apps.engine.policy import Policy


def quotes_others(actor: Actor, conversation: Conversation, policy: Policy) -> bool:
    """Whether a conversation may quote the other conversations that the actor owns: only where nobody else reads it.

    A temporary chat quotes none, just as it has no profile, and no other chat quotes it.
    """
    return policy.past_chats_enabled and not conversation.temporary and is_private(actor, conversation)
