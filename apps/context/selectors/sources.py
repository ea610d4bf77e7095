"""Everything that a pack may hold, from rows whose number the budget bounds."""

from __future__ import annotations

from collections.abc import Sequence

from apps.compaction.selectors.contexts import ContextState
from apps.context.selectors.pack_requests import PackContext
from apps.conversations.models import Conversation, Message
from apps.conversations.records import engine_messages
from apps.conversations.selectors.messages import Newest, newest_included_within, newest_live_within
from apps.engine.pack.context_pack import PackPreferences, PackSources, Talk
from apps.engine.summary.rolling_summary import RollingSummary
from apps.memory.selectors.pins import pins_for_pack
from apps.memory.selectors.user_memory import user_memory_for_pack

# The least that an item of user memory takes: its mark, a key, a text.
_LEAST_ITEM_TOKENS = 5


def plain_sources(order: PackContext) -> PackSources:
    """The newest messages, folded or not, and nothing else: for packs with the engine off."""
    conversation = order.conversation
    newest = newest_included_within(conversation.id, order.stored_tokens, longest=order.policy.long_message_tokens)
    unread = newest.messages[0].index if newest.messages else 0
    talk = Talk(conversation.message_count, conversation.token_total - conversation.excluded_tokens, None, unread)
    said = engine_messages(newest.messages)
    return PackSources(conversation.system_prompt, (), (), RollingSummary(), said, talk)


def live_sources(order: PackContext, state: ContextState) -> tuple[PackSources, Sequence[Message]]:
    """All but what stands for messages that are not shown, and the rows of its newest messages."""
    conversation = order.conversation
    newest = newest_live_within(conversation.id, order.history_tokens, longest=order.policy.long_message_tokens)
    sources = PackSources(
        system_prompt=conversation.system_prompt,
        user_memory=user_memory_for_pack(order.actor, most=order.settings.budget // _LEAST_ITEM_TOKENS),
        pins=pins_for_pack(conversation.id),
        summary=state.summary,
        newest=engine_messages(newest.messages),
        talk=_talk(conversation, newest, state),
        wishes=PackPreferences(order.settings.depth, order.settings.history_first),
    )
    return sources, newest.messages


def _talk(conversation: Conversation, newest: Newest, state: ContextState) -> Talk:
    unread = max(0, conversation.live_count - newest.passed)
    return Talk(conversation.message_count, conversation.live_tokens, state.covers_through, unread)
