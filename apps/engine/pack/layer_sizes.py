"""Sizes of a pack's candidate content, measured before the negotiation: fixed parts and the content of each layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.engine.messages.display import LEAST_EXCERPT_TOKENS, shown_tokens
from apps.engine.pack.arc import arc_text
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.layers import Layer, Situation, Terms, terms_of
from apps.engine.pack.negotiation import Negotiation, negotiate
from apps.engine.pack.profile import (
    entities_text,
    entity_address,
    fitting_memories,
    identity_text,
    preferences_text,
    topics_text,
)
from apps.engine.pack.recent_window import OPENING_TOKENS, wanted_tokens
from apps.engine.pack.retrieved import RetrievedItem, retrieved_tokens, without_memories, without_shown
from apps.engine.pack.strategies import NO_LIMIT, LiveSpan, compacted_segments
from apps.engine.policy import Policy
from apps.engine.summary.rendering import HEADINGS, pins_text, section_tokens, summary_text, user_memory_text
from apps.engine.tokens.counting import ROLE_TOKENS

NEWEST = "newest_message"
"""The part of a negotiation that a small budget reserves for the newest message."""


def negotiated(
    sources: PackSources,
    span: LiveSpan,
    budget: int,
    changed: Mapping[Layer, Terms] | None = None,
    contents: Mapping[Layer, int] | None = None,
) -> Negotiation:
    """Negotiate a budget in tokens between the layers.

    `changed` replaces terms of the situation and `contents` replaces content sizes, both by layer. In a small budget
    the newest message comes before the layers. Raises `BudgetExceeded` if the mandatory parts do not fit.
    """
    terms = {**terms_of(situation_of(sources, span, budget)), **(changed or {})}
    sizes = {**contents_of(sources, span, terms[Layer.HISTORY].maximum), **(contents or {})}
    fixed = fixed_tokens(sources)
    negotiation = negotiate(budget, fixed=fixed, contents=sizes, terms=terms)
    newest = newest_tokens(sources, budget - sum(fixed.values()))
    if newest <= budget - negotiation.used + negotiation.granted(Layer.HISTORY):
        return negotiation
    sizes[Layer.HISTORY] = max(0, sizes[Layer.HISTORY] - newest)
    return negotiate(budget, fixed={**fixed, NEWEST: newest}, contents=sizes, terms=terms)


def newest_tokens(sources: PackSources, free: int) -> int:
    """Tokens of a window with the newest message before the current one, as an excerpt if it is too long; zero if not
    even that fits into `free` tokens."""
    if not sources.earlier:
        return 0
    whole = OPENING_TOKENS + shown_tokens(sources.earlier[-1])
    if whole <= free:
        return whole
    return free if free >= OPENING_TOKENS + LEAST_EXCERPT_TOKENS else 0


def situation_of(sources: PackSources, span: LiveSpan, budget: int) -> Situation:
    counts, current = sources.counts, sources.current
    return Situation(
        budget=max(1, budget),
        message_count=counts.message_count - (1 if current else 0),
        conversation_tokens=span.tokens,
        message_tokens=shown_tokens(current) if current else 0,
        topic_count=len(sources.topics),
        entity_count=len(set(map(entity_address, sources.entities))),
        topic_tokens=_topics(sources),
        depth=sources.preferences.depth,
        history_first=sources.preferences.history_first,
    )


def live_span_of(sources: PackSources, policy: Policy) -> LiveSpan:
    """The live messages before the current one."""
    counts, current, earlier = sources.counts, sources.current, sources.earlier
    tokens = wanted_tokens(earlier, policy)
    if counts.unread:
        tokens = max(tokens, counts.live_tokens)
    return LiveSpan(counts.live_begin, earlier, tokens, not counts.unread, current.index if current else 0)


def fixed_tokens(sources: PackSources) -> dict[str, int]:
    """Tokens of the mandatory parts.

    In some formats everything before the messages is a message of its own, so its role counts. A conversation with
    earlier messages may need it even without a system prompt.
    """
    goes_on = sources.counts.message_count > int(sources.current is not None)
    memories = sources.early_ids or sources.user_memory
    leads = sources.system_prompt or memories or sources.pins or sources.summary or goes_on
    return {
        "system": section_tokens(sources.system_prompt) + (ROLE_TOKENS if leads else 0),
        "pinned_memory": section_tokens(pins_text(sources.pins)),
        "current_message": shown_tokens(sources.current) if sources.current else 0,
    }


def contents_of(sources: PackSources, span: LiveSpan, max_history_tokens: int) -> dict[Layer, int]:
    """Content size of each layer in tokens."""
    hides = sources.counts.compacted_through is not None or span.tokens > max_history_tokens
    return {
        Layer.IDENTITY: section_tokens(identity_text(fitting_memories("identity", sources.identity))),
        Layer.PREFERENCES: _preferences(sources),
        Layer.TOPICS: _topics(sources),
        Layer.ENTITIES: section_tokens(entities_text(fitting_memories("entities", sources.entities))),
        Layer.CONVERSATION: _conversation(sources, hides=hides),
        Layer.JUST_IN_TIME: retrieved_tokens(_beyond_window(sources, max_history_tokens)),
        Layer.HISTORY: span.tokens,
        Layer.MESSAGE: shown_tokens(sources.current) if sources.current else 0,
    }


def _beyond_window(sources: PackSources, max_history_tokens: int) -> Sequence[RetrievedItem]:
    """Retrieved items that neither a pin nor the largest possible window of messages already includes."""
    left, start = max_history_tokens, sources.counts.message_count
    for message in reversed(sources.earlier):
        left -= shown_tokens(message)
        if left < 0:
            break
        start = message.index
    items = without_memories(sources.usable_items, sources.early_ids)
    return without_shown(items, sources.shown_ids(start))


def _topics(sources: PackSources) -> int:
    return section_tokens(topics_text(fitting_memories("topics", sources.topics)))


def _preferences(sources: PackSources) -> int:
    """Tokens of user memory and of the preferences in the tree."""
    memories = fitting_memories("preferences", sources.preference_memories)
    return section_tokens(user_memory_text(sources.user_memory)) + section_tokens(preferences_text(memories))


def _conversation(sources: PackSources, *, hides: bool) -> int:
    """Tokens of the arc, the whole summary and all known segments."""
    segments = compacted_segments(sources.summaries, sources.counts.live_begin, NO_LIMIT)
    tokens = sum(segment.tokens for segment in segments)
    tokens += section_tokens(HEADINGS["segments"]) if tokens else 0
    arc = arc_text(sources.complete_history, hides=hides)
    return section_tokens(arc) + section_tokens(summary_text(sources.summary)) + tokens
