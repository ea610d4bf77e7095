"""An epoch of a conversation's packs: what is decided when it begins, and then kept byte for byte.

Everything before the window of recent messages and the window's first message belong to it. So the packs of one turn
after another begin alike, and a model's cache serves them again. A new epoch begins when something that it stands on
changes, or when the messages since no longer fit.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.compaction.segments import SegmentText
from apps.engine.pack.arc import Density, arc_text, of_density
from apps.engine.pack.context_pack import Epoch, PackSources
from apps.engine.pack.layer_sizes import fixed_tokens, negotiated, stretch_of
from apps.engine.pack.layers import Layer, Terms, most_history
from apps.engine.pack.negotiation import negotiate
from apps.engine.pack.strategies import Strategy, Window, compacted_segments, strategy_of, window_of, window_start
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
    """Raises `BudgetExceeded` when what must stand in a pack does not fit."""
    stretch = stretch_of(sources, policy)
    negotiation = negotiated(sources, stretch, budget)
    grant = negotiation.granted(Layer.HISTORY)
    strategy = strategy_of(stretch, grant, budget)
    window = window_of(stretch, strategy, sources.past, grant, policy)
    hidden = _hidden(sources, window.start)
    density = _DENSITIES[strategy]
    summary = of_density(sources.summary, density, shown_from(sources, window.start))
    room = negotiation.granted(Layer.CONVERSATION)
    thread = _thread(sources, summary, room, window, hides=hidden > 0)
    return Epoch(
        negotiation=negotiation,
        strategy=strategy,
        density=density,
        start=window.start,
        hidden=hidden,
        summarised=_summarised(sources, window),
        memory_room=negotiation.granted(Layer.PREFERENCES),
        summary_room=thread.summary_room,
        history_room=most_history(budget),
        arc=thread.arc,
        told=thread.told,
        earlier=window.earlier,
    )


def plain_epoch(sources: PackSources, budget: int, policy: Policy) -> Epoch:
    """For a pack of the newest messages alone, with nothing summarised and nothing remembered."""
    stretch = stretch_of(sources, policy)
    terms = {Layer.HISTORY: Terms(0, stretch.tokens, budget, priority=100, elasticity=0.0)}
    contents = {Layer.HISTORY: stretch.tokens}
    negotiation = negotiate(budget, fixed=fixed_tokens(sources), contents=contents, terms=terms)
    grant = negotiation.granted(Layer.HISTORY)
    start = window_start(stretch, grant, policy)
    return Epoch(
        negotiation=negotiation,
        strategy=strategy_of(stretch, grant, budget),
        density=Density.LIGHT,
        start=start,
        hidden=_hidden(sources, start),
        summarised=0,
        memory_room=0,
        summary_room=0,
        history_room=budget,
    )


@dataclass(frozen=True, slots=True)
class _Thread:
    """The layer of the conversation. `summary_room` is what its summary may take, in tokens of its text."""

    summary_room: int
    arc: str
    told: tuple[SegmentText, ...]


def _thread(sources: PackSources, summary: RollingSummary, room: int, window: Window, *, hides: bool) -> _Thread:
    """The summary first, then a word on what is hidden, then as many segments as there is room for."""
    whole = summary_text(summary)
    if (needed := section_tokens(whole)) > room:
        return _Thread(max(0, room - 1), "", ())
    talk = sources.counts
    room -= needed
    arc = arc_text(sources.said, hides=hides or talk.folded_through is not None)
    arc = arc if section_tokens(arc) <= room else ""
    end = min(talk.live_begin, window.earlier.told[0].first) if window.earlier.told else talk.live_begin
    return _Thread(count_text(whole), arc, compacted_segments(sources.past, end, room - section_tokens(arc)))


def shown_from(sources: PackSources, start: int) -> frozenset[str]:
    """The ids of the messages from there on, which stand in their own words."""
    return frozenset(message.id for message in sources.newest if message.index >= start)


def _hidden(sources: PackSources, start: int) -> int:
    return sources.counts.unread + sum(message.index < start for message in sources.earlier)


def _summarised(sources: PackSources, window: Window) -> int:
    """How many live messages before the window segments tell of; those that were not read are taken for live."""
    spans = [range(told.first, told.last + 1) for told in window.earlier.told if told.tells]
    read = sum(any(message.index in span for span in spans) for message in sources.earlier)
    oldest = sources.earlier[0].index if sources.earlier else window.start
    unread = sum(len(range(max(span.start, sources.counts.live_begin), min(span.stop, oldest))) for span in spans)
    return read + min(sources.counts.unread, unread)
