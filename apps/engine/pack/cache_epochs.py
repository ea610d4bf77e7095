"""Cache epochs: decisions about a conversation's packs that stay the same over many turns.

An epoch fixes everything before the window of recent messages and the window's first message. The packs of consecutive
turns share a stable prefix, which provider caches can serve. A new epoch starts when one of its inputs changes or the
messages since no longer fit.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.compaction.segments import SegmentText
from apps.engine.pack.arc import Density, arc_text, at_density
from apps.engine.pack.context_pack import Epoch, PackSources
from apps.engine.pack.layer_sizes import fixed_tokens, live_span_of, negotiated
from apps.engine.pack.layers import Layer, Terms, max_history_tokens
from apps.engine.pack.negotiation import negotiate
from apps.engine.pack.strategies import RecentWindow, Strategy, compacted_segments, strategy_of, window_of, window_start
from apps.engine.policy import Policy
from apps.engine.summary.rendering import section_tokens, summary_text
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.tokens.counting import count_text

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
    grant = negotiation.granted(Layer.HISTORY)
    strategy = strategy_of(span, grant, budget)
    window = window_of(span, strategy, sources.summaries, grant, policy)
    hidden = _hidden(sources, window.start)
    density = _DENSITIES[strategy]
    summary = at_density(sources.summary, density, shown_ids_from(sources, window.start))
    limit = negotiation.granted(Layer.CONVERSATION)
    layer = _conversation_layer(sources, summary, limit, window, hides=hidden > 0)
    return Epoch(
        negotiation=negotiation,
        strategy=strategy,
        density=density,
        start=window.start,
        hidden=hidden,
        summarized=_summarized(sources, window),
        memory_tokens=negotiation.granted(Layer.PREFERENCES),
        summary_tokens=layer.summary_tokens,
        history_tokens=max_history_tokens(budget),
        arc=layer.arc,
        segments=layer.segments,
        earlier=window.earlier,
    )


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
    sources: PackSources, summary: RollingSummary, limit: int, window: RecentWindow, *, hides: bool
) -> _ConversationLayer:
    """Fill the conversation layer: the summary, then the arc, then as many segments as fit."""
    whole = summary_text(summary)
    if (needed := section_tokens(whole)) > limit:
        return _ConversationLayer(max(0, limit - 1), "", ())
    counts = sources.counts
    limit -= needed
    arc = arc_text(sources.complete_history, hides=hides or counts.compacted_through is not None)
    arc = arc if section_tokens(arc) <= limit else ""
    end = min(counts.live_begin, window.earlier.segments[0].first) if window.earlier.segments else counts.live_begin
    return _ConversationLayer(
        count_text(whole), arc, compacted_segments(sources.summaries, end, limit - section_tokens(arc))
    )


def shown_ids_from(sources: PackSources, start: int) -> frozenset[str]:
    """Ids of the messages from the index `start` on, which are included verbatim."""
    return frozenset(message.id for message in sources.newest if message.index >= start)


def _hidden(sources: PackSources, start: int) -> int:
    return sources.counts.unread + sum(message.index < start for message in sources.earlier)


def _summarized(sources: PackSources, window: RecentWindow) -> int:
    """Number of live messages before the window that segments cover; messages that were not loaded count as live."""
    spans = [range(segments.first, segments.last + 1) for segments in window.earlier.segments if segments.has_content]
    read = sum(any(message.index in span for span in spans) for message in sources.earlier)
    oldest = sources.earlier[0].index if sources.earlier else window.start
    unread = sum(len(range(max(span.start, sources.counts.live_begin), min(span.stop, oldest))) for span in spans)
    return read + min(sources.counts.unread, unread)
