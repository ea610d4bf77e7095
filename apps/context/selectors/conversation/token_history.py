"""How full the context was, message by message, and where it was compacted: for a chart, from a few of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.compaction.models import CompactionRun, RunState
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import tokens_through
from apps.engine.compaction.health import Source
from apps.engine.compaction.token_history import Fold, live_series, sampled
from apps.engine.policy import Policy

MOST_POINTS = 120
MOST_RUNS = 60


@dataclass(frozen=True, slots=True)
class LivePoint:
    index: int
    live_tokens: int
    source: Source


@dataclass(frozen=True, slots=True)
class CompactionPoint:
    """Its tokens were counted; `source` is that of the index."""

    run_id: UUID
    index: int
    tokens_before: int
    tokens_after: int
    source: Source


@dataclass(frozen=True, slots=True)
class LiveSeries:
    """With very many compactions it begins at the oldest of the newest `MOST_RUNS`."""

    points: list[LivePoint]
    compactions: list[CompactionPoint]


def conversation_series(actor: Actor, conversation_id: UUID) -> LiveSeries:
    row = conversation_access(actor, conversation_id)
    runs = _compactions(row, policy_for_workspace())
    newest = row.message_count - 1
    first = runs[0].index if len(runs) == MOST_RUNS else 0
    marked = {run.index for run in runs}
    through = tokens_through(row.id, marked | set(sampled(first, newest, MOST_POINTS - len(marked))))
    folds = [Fold(run.index, run.tokens_before, run.tokens_after) for run in runs]
    points = live_series(through, folds, row.live_tokens)
    return LiveSeries([LivePoint(point.index, point.live_tokens, _source(point.exact)) for point in points], runs)


def _compactions(row: Conversation, policy: Policy) -> list[CompactionPoint]:
    """The newest that stand, oldest first. Of some it is only known how far they folded."""
    done = CompactionRun.objects.filter(conversation_id=row.id, state=RunState.SUCCEEDED).order_by("-id")[:MOST_RUNS]
    points = [_compaction(run, row.message_count - 1, policy) for run in done]
    return sorted((point for point in points if point is not None), key=lambda point: point.index)


def _compaction(run: CompactionRun, newest: int, policy: Policy) -> CompactionPoint | None:
    folded = None if run.folded_through is None else run.folded_through + policy.recent_message_count
    index = folded if run.at_index is None else run.at_index
    if index is None or run.tokens_before is None or run.tokens_after is None:
        return None
    exact = run.at_index is not None
    return CompactionPoint(run.id, min(index, newest), run.tokens_before, run.tokens_after, _source(exact))


def _source(exact: bool) -> Source:
    return Source.COUNTED if exact else Source.ESTIMATED
