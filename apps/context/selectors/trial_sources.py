"""Candidate content of a pack for a hypothetical message or a trial negotiation."""

from __future__ import annotations

from dataclasses import replace

from apps.compaction.selectors.contexts import context_state
from apps.compaction.selectors.segments import segment_texts
from apps.context.selectors.pack_requests import PackContext
from apps.context.selectors.retrieval import retrieved
from apps.context.selectors.sources import live_sources
from apps.engine.messages.message import Message, Role
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.strategies import HistorySummaries
from apps.engine.policy import Policy
from apps.engine.tokens.estimate import estimate_message


def trial_sources(context: PackContext, message: str) -> PackSources:
    """Candidate content with the summaries that exist already; none are generated."""
    conversation = context.conversation
    sources, _ = live_sources(context, context_state(conversation.id))
    segments = segment_texts(conversation.id, before=conversation.message_count, most=context.segments_read)
    sources = replace(sources, summaries=HistorySummaries(segments))
    sources = with_message(sources, message, context.policy) if message else sources
    return replace(sources, retrieved=retrieved(context, sources).items)


def with_message(sources: PackSources, text: str, policy: Policy) -> PackSources:
    """Append a hypothetical message of the user."""
    counts = sources.counts
    appended = Message("", counts.message_count, Role.USER, text, estimate_message(text))
    live = counts.live_tokens + min(appended.token_count, policy.long_message_tokens)
    updated = replace(counts, message_count=counts.message_count + 1, live_tokens=live)
    return replace(sources, newest=(*sources.newest, appended), known_counts=updated)
