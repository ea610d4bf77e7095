"""The effect of a compaction before it runs: the messages are known exactly, the new summary's size is estimated."""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.compaction.plan import CompactionPlan, live_tokens
from apps.engine.policy import Level, Policy
from apps.engine.summary.consolidation import summary_budget

# A summary's share of the tokens that it covers, where there is none yet to measure, and at most.
_USUAL_DENSITY = 0.3
_HIGHEST_DENSITY = 0.6


@dataclass(frozen=True, slots=True)
class SummarySize:
    """Tokens of the present summary and of all messages that it covers."""

    tokens: int
    covered_tokens: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """`compacted_tokens` are the messages' live tokens; `freed_tokens` is by how much the context shrinks."""

    compacted_tokens: int
    summary_tokens: int
    freed_tokens: int


def forecast(plan: CompactionPlan, summary: SummarySize, level: Level, policy: Policy) -> Forecast:
    """What compacting the plan's messages at this level would bring.

    >>> forecast(CompactionPlan((), True), SummarySize(900, 4_000), Level.LIGHT, Policy())
    Forecast(compacted_tokens=0, summary_tokens=900, freed_tokens=0)
    """
    folded = live_tokens(plan.messages, policy)
    if not folded:
        return Forecast(0, summary.tokens, 0)
    after = round(min(summary.tokens + folded * _density(summary), _most(summary, level, policy)))
    return Forecast(folded, after, max(0, folded + summary.tokens - after))


def _most(summary: SummarySize, level: Level, policy: Policy) -> float:
    """The level's target, or its share of a current summary that is larger than any target."""
    room = summary_budget(level, policy)
    largest = summary_budget(Level.LIGHT, policy)
    return room * max(1.0, summary.tokens / largest)


def _density(summary: SummarySize) -> float:
    """As dense as the summary is so far."""
    if not summary.tokens or summary.covered_tokens <= 0:
        return _USUAL_DENSITY
    return min(_HIGHEST_DENSITY, summary.tokens / summary.covered_tokens)
