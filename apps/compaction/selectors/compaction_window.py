"""The messages that planning a compaction needs, read at a cost bounded by the policy."""

from __future__ import annotations

from collections.abc import Sequence

from apps.conversations.models import Conversation, Message, MessageRole
from apps.conversations.records import engine_message, engine_messages
from apps.conversations.selectors.messages import newest_live, newest_live_user, oldest_live_within
from apps.engine.compaction.plan import LiveWindow
from apps.engine.policy import Policy

# How many messages after the last compacted one are searched for a tool call's result.
_LOOK_AHEAD = 50


def newest_window(conversation: Conversation, policy: Policy) -> LiveWindow:
    """Read enough to decide whether a compaction is due."""
    newest = newest_live(conversation.id, policy.newest_message_count)
    user = _newest_user(conversation, newest)
    return LiveWindow(
        message_count=conversation.message_count,
        live_tokens=conversation.live_tokens,
        oldest=(),
        newest=engine_messages(newest),
        newest_user=engine_message(user) if user else None,
    )


def compaction_window(conversation: Conversation, policy: Policy) -> LiveWindow:
    """Enough to plan one run."""
    oldest = oldest_live_within(
        conversation.id, policy.max_compaction_tokens, beyond=policy.recent_message_count + _LOOK_AHEAD
    )
    newest = newest_live(conversation.id, policy.recent_message_count)
    user = _newest_user(conversation, newest)
    return LiveWindow(
        message_count=conversation.message_count,
        live_tokens=conversation.live_tokens,
        oldest=engine_messages(oldest),
        newest=engine_messages(newest),
        newest_user=engine_message(user) if user else None,
    )


def _newest_user(conversation: Conversation, newest: Sequence[Message]) -> Message | None:
    """The newest live message of a user; usually it is among the newest messages, which are read already."""
    among = (row for row in reversed(newest) if row.role == MessageRole.USER)
    return next(among, None) or newest_live_user(conversation.id)
