"""Live tokens by message index and the compactions between them: data of a chart, from a sample of the rows."""

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
from apps.engine.compaction.token_history import CompactionDrop, live_series, sampled
from apps.engine.policy import Policy

MAX_POINTS = 120
MAX_RUNS = 60


@dataclass(frozen=True, slots=True)
class LivePoint:
    index: int
    live_tokens: int
    source: Source


@dataclass(frozen=True, slots=True)
class CompactionPoint:
    """A compaction; its tokens are counted, `source` refers to the index."""

    run_id: UUID
    index: int
    tokens_before: int
    tokens_after: int
    source: Source


@dataclass(frozen=True, slots=True)
class LiveSeries:
    """The series of a chart; beyond `MAX_RUNS` compactions it starts at the oldest of the newest `MAX_RUNS`."""

    points: list[LivePoint]
    compactions: list[CompactionPoint]


def conversation_series(actor: Actor, conversation_id: UUID) -> LiveSeries:
    row = conversation_access(actor, conversation_id)
    runs = _compactions(row, policy_for_workspace())
    newest = row.message_count - 1
    first = runs[0].index if len(runs) == MAX_RUNS else 0
    compacted_at = {run.index for run in runs}
    through = tokens_through(row.id, compacted_at | set(sampled(first, newest, MAX_POINTS - len(compacted_at))))
    compactions = [CompactionDrop(run.index, run.tokens_before, run.tokens_after) for run in runs]
    points = live_series(through, compactions, row.live_tokens)
    return LiveSeries([LivePoint(point.index, point.live_tokens, _source(point.exact)) for point in points], runs)


def _compactions(row: Conversation, policy: Policy) -> list[CompactionPoint]:
    """The newest compactions in effect, oldest first. For old ones the index is estimated from `compacted_through`."""
    done = CompactionRun.objects.filter(conversation_id=row.id, state=RunState.SUCCEEDED).order_by("-id")[:MAX_RUNS]
    points = [_compaction(run, row.message_count - 1, policy) for run in done]
    return sorted((point for point in points if point is not None), key=lambda point: point.index)


def _compaction(run: CompactionRun, newest: int, policy: Policy) -> CompactionPoint | None:
    estimated_index = None if run.compacted_through is None else run.compacted_through + policy.recent_message_count
    index = estimated_index if run.at_index is None else run.at_index
    if index is None or run.tokens_before is None or run.tokens_after is None:
        return None
    exact = run.at_index is not None
    return CompactionPoint(run.id, min(index, newest), run.tokens_before, run.tokens_after, _source(exact))


def _source(exact: bool) -> Source:
    return Source.COUNTED if exact else Source.ESTIMATED
