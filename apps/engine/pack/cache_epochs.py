"""Cache epochs: decisions about a conversation's packs that stay the same over many turns.

An epoch fixes everything before the window of recent messages and the window's first message. The packs of consecutive
turns share a stable prefix, which provider caches can serve. A new epoch starts when one of its inputs changes or the
messages since no longer fit.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.compaction.segments import SegmentText
from apps.engine.messages.message import Message
from apps.engine.pack.arc import Density, arc_text, at_density
from apps.engine.pack.context_pack import NONE_COMPACTED, Epoch, PackSources
from apps.engine.pack.layer_sizes import NEWEST, fixed_tokens, live_span_of, negotiated, newest_tokens
from apps.engine.pack.layers import Layer, Terms, max_just_in_time_tokens
from apps.engine.pack.negotiation import Negotiation, negotiate
from apps.engine.pack.recent_window import OPENING_TOKENS, cost_of, from_whole_exchange
from apps.engine.pack.strategies import (
    INITIAL_FILL,
    LiveSpan,
    RecentWindow,
    Strategy,
    compacted_segments,
    strategy_of,
    window_of,
    window_start,
)
from apps.engine.policy import Policy
from apps.engine.summary.rendering import section_tokens, summary_text
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.tokens.estimate import estimate_text

_DENSITIES = {
    Strategy.FULL: Density.LIGHT,
    Strategy.WINDOWED: Density.LIGHT,
    Strategy.COMPACTED: Density.RICH,
    Strategy.MULTI_LEVEL: Density.DENSE,
}


def begin_epoch(sources: PackSources, budget: int, policy: Policy) -> Epoch:
    """Decide a new epoch; raises `BudgetExceeded` if the mandatory parts do not fit."""
    span = live_span_of(sources, policy)
    negotiation = negotiated(sources, span, budget)
    room = _history_room(sources, negotiation, budget, policy)
    strategy = strategy_of(span, room, budget)
    window = window_of(span, strategy, sources.summaries, room, policy)
    compacted_start = _compacted_start(sources, span, room, policy) if strategy is Strategy.FULL else NONE_COMPACTED
    density = _DENSITIES[strategy]
    summary = at_density(sources.summary, density, sources.live_ids(window.start))
    layer = _conversation_layer(sources, summary, negotiation.granted(Layer.CONVERSATION), window, compacted_start)
    return Epoch(
        negotiation=negotiation,
        strategy=strategy,
        density=density,
        start=window.start,
        hidden=_hidden(sources, window.start),
        summarized=_summarized(sources, window),
        identity_tokens=negotiation.granted(Layer.IDENTITY),
        memory_tokens=negotiation.granted(Layer.PREFERENCES),
        summary_tokens=layer.summary_tokens,
        history_tokens=room,
        arc=layer.arc,
        segments=layer.segments,
        earlier=window.earlier,
        compacted_start=compacted_start,
        topic_ids=tuple(memory.id for memory in sources.topics),
        entity_ids=tuple(memory.id for memory in sources.entities),
        topic_tokens=negotiation.granted(Layer.TOPICS),
        entity_tokens=negotiation.granted(Layer.ENTITIES),
    )


def _history_room(sources: PackSources, negotiation: Negotiation, budget: int, policy: Policy) -> int:
    """Tokens for the history layer: its grant, or what the other layers leave of the share of the budget to fill.

    Retrieved items differ from turn to turn, so their maximum is left to them. The newest message may use what nothing
    else was granted.
    """
    granted = negotiation.granted(Layer.HISTORY) + negotiation.fixed.get(NEWEST, 0)
    others, retrieved = negotiation.used - granted, negotiation.granted(Layer.JUST_IN_TIME)
    reserved = max(0, max_just_in_time_tokens(budget) - retrieved)
    return max(granted, newest_tokens(sources, budget - others), fill_tokens(budget, policy) - others - reserved)


def fill_tokens(budget: int, policy: Policy) -> int:
    """Tokens of the budget that a pack uses where there is that much to include."""
    return budget * policy.pack_fill_percent // 100


def _compacted_start(sources: PackSources, span: LiveSpan, room: int, policy: Policy) -> int:
    """Index of the oldest compacted message in a window that already includes all live ones.

    As in a window of live messages, a quarter of the room stays free for the next messages.
    """
    left = int(room * INITIAL_FILL) - (span.tokens or OPENING_TOKENS)
    shown: list[Message] = []
    for message in reversed(sources.compacted):
        left -= cost_of(message, policy)
        if left < 0:
            break
        shown.append(message)
    whole = from_whole_exchange(shown[::-1], policy)
    return whole[0].index if whole else NONE_COMPACTED


def plain_epoch(sources: PackSources, budget: int, policy: Policy) -> Epoch:
    """Decide the epoch of a pack that has only the newest messages, without summaries or memory."""
    span = live_span_of(sources, policy)
    terms = {Layer.HISTORY: Terms(0, span.tokens, budget, priority=100, elasticity=0.0)}
    contents = {Layer.HISTORY: span.tokens}
    negotiation = negotiate(budget, fixed=fixed_tokens(sources), contents=contents, terms=terms)
    grant = negotiation.granted(Layer.HISTORY)
    start = window_start(span, grant, policy)
    return Epoch(
        negotiation=negotiation,
        strategy=strategy_of(span, grant, budget),
        density=Density.LIGHT,
        start=start,
        hidden=_hidden(sources, start),
        summarized=0,
        identity_tokens=0,
        memory_tokens=0,
        summary_tokens=0,
        history_tokens=budget,
    )


@dataclass(frozen=True, slots=True)
class _ConversationLayer:
    """The conversation layer. `summary_tokens` limits the text of its summary."""

    summary_tokens: int
    arc: str
    segments: tuple[SegmentText, ...]


def _conversation_layer(
    sources: PackSources, summary: RollingSummary, limit: int, window: RecentWindow, compacted_start: int
) -> _ConversationLayer:
    """Fill the conversation layer: the summary, then the arc, then as many segments as fit.

    Segments of messages that the window includes are left out.
    """
    whole = summary_text(summary)
    if (needed := section_tokens(whole)) > limit:
        return _ConversationLayer(max(0, limit - 1), "", ())
    counts = sources.counts
    limit -= needed
    hides = _hidden(sources, window.start) > 0 or counts.compacted_through is not None
    arc = arc_text(sources.complete_history, hides=hides)
    arc = arc if section_tokens(arc) <= limit else ""
    end = min([counts.live_begin, compacted_start, *(segment.first for segment in window.earlier.segments[:1])])
    return _ConversationLayer(
        estimate_text(whole), arc, compacted_segments(sources.summaries, end, limit - section_tokens(arc))
    )


def _hidden(sources: PackSources, start: int) -> int:
    return sources.counts.unread + sum(message.index < start for message in sources.earlier)


def _summarized(sources: PackSources, window: RecentWindow) -> int:
    """Number of live messages before the window that segments cover; messages that were not loaded count as live."""
    spans = [range(segments.first, segments.last + 1) for segments in window.earlier.segments if segments.has_content]
    read = sum(any(message.index in span for span in spans) for message in sources.earlier)
    oldest = sources.earlier[0].index if sources.earlier else window.start
    unread = sum(len(range(max(span.start, sources.counts.live_begin), min(span.stop, oldest))) for span in spans)
    return read + min(sources.counts.unread, unread)
