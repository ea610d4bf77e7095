"""Candidate content of a pack, read from a number of rows bounded by the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.common.tenancy import use_index_order
from apps.compaction.selectors.contexts import ContextState
from apps.context.selectors.pack_requests import PackContext
from apps.conversations.models import Conversation, Message
from apps.conversations.records import engine_messages
from apps.conversations.selectors.messages import (
    Newest,
    newest_compacted_within,
    newest_included_within,
    newest_live_within,
)
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.pack.context_pack import ConversationCounts, PackPreferences, PackSources
from apps.engine.summary.rendering import MemoryItem
from apps.engine.summary.rolling_summary import RollingSummary
from apps.memory.selectors.pins import pins_for_pack
from apps.memory.selectors.profile_for_packs import Profile, profile_for_pack
from apps.memory.selectors.user_memory import user_memory_for_pack

# Minimum size of an item of user memory: its marker, a key, a text.
_MIN_ITEM_TOKENS = 5


def plain_sources(context: PackContext) -> PackSources:
    """The newest messages, compacted or not, and nothing else: for packs with the engine disabled."""
    conversation = context.conversation
    newest = newest_included_within(conversation.id, context.read_tokens, longest=context.policy.long_message_tokens)
    unread = newest.messages[0].index if newest.messages else 0
    counts = ConversationCounts(conversation.message_count, conversation.included_tokens, None, unread)
    messages = engine_messages(newest.messages)
    return PackSources(conversation.system_prompt, (), (), RollingSummary(), messages, counts)


@use_index_order()
def live_sources(context: PackContext, state: ContextState) -> tuple[PackSources, Sequence[Message]]:
    """Candidate content without history summaries, and the rows of the newest messages."""
    conversation, profile = context.conversation, _profile(context)
    newest = newest_live_within(conversation.id, context.history_tokens, longest=context.policy.long_message_tokens)
    sources = PackSources(
        system_prompt=conversation.system_prompt,
        user_memory=_user_memory(context),
        pins=pins_for_pack(conversation.id),
        summary=state.summary,
        newest=engine_messages(newest.messages),
        known_counts=_counts(conversation, newest, state),
        preferences=PackPreferences(context.settings.depth, context.settings.history_first),
        identity=profile.identity,
        preference_memories=profile.preferences,
    )
    return replace(sources, compacted=_compacted(context, sources)), newest.messages


def _user_memory(context: PackContext) -> Sequence[MemoryItem]:
    """The reader's user memory, unless others may read what is made of it."""
    if not context.allows_private:
        return ()
    return user_memory_for_pack(context.actor, most=context.settings.budget // _MIN_ITEM_TOKENS)


def _profile(context: PackContext) -> Profile:
    """The reader's profile; none in a temporary chat, with lookups disabled, or where others may read of it."""
    if context.conversation.temporary or not context.policy.lookups_enabled or not context.allows_private:
        return Profile()
    return profile_for_pack(context.actor, context.policy, as_of=context.as_of)


def _compacted(context: PackContext, sources: PackSources) -> Sequence[EngineMessage]:
    """Compacted messages for what the live ones leave of the budget."""
    counts, left = sources.counts, context.read_tokens - sources.counts.live_tokens
    if counts.compacted_through is None or counts.unread or left <= 0:
        return ()
    longest = context.policy.long_message_tokens
    rows = newest_compacted_within(context.conversation.id, left, before=counts.live_begin, longest=longest)
    return engine_messages(rows.messages)


def _counts(conversation: Conversation, newest: Newest, state: ContextState) -> ConversationCounts:
    unread = max(0, conversation.live_count - newest.passed)
    return ConversationCounts(conversation.message_count, conversation.live_tokens, state.covers_through, unread)
