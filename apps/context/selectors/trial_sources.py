"""What a pack would hold in a trial of a budget."""

from __future__ import annotations

from dataclasses import replace

from apps.compaction.selectors.contexts import context_state
from apps.compaction.selectors.segments import segment_texts
from apps.context.selectors.pack_requests import PackContext
from apps.context.selectors.retrieval import looked_up
from apps.context.selectors.sources import live_sources
from apps.engine.messages.message import Message, Role
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.strategies import Past
from apps.engine.policy import Policy
from apps.engine.tokens.counting import count_message


def trial_sources(order: PackContext, message: str) -> PackSources:
    """What is told of older messages, as far as it is written down."""
    conversation = order.conversation
    sources, _ = live_sources(order, context_state(conversation.id))
    told = segment_texts(conversation.id, before=conversation.message_count, most=order.segments_read)
    sources = replace(sources, past=Past(told))
    sources = _saying(sources, message, order.policy) if message else sources
    return replace(sources, found=looked_up(order, sources))


def _saying(sources: PackSources, text: str, policy: Policy) -> PackSources:
    """As if the user had said this now."""
    talk = sources.counts
    said = Message("", talk.message_count, Role.USER, text, count_message(text))
    live = talk.live_tokens + min(said.token_count, policy.long_message_tokens)
    more = replace(talk, message_count=talk.message_count + 1, live_tokens=live)
    return replace(sources, newest=(*sources.newest, said), talk=more)
