"""Contexts, runs and summaries as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.compaction.models import CompactionLevel, CompactionRun, RunState, SummaryVersion, Trigger, VersionCause
from apps.engine.summary.carry_over import RemovedLine, removed_from_json
from apps.engine.summary.rolling_summary import summary_from_json, summary_to_json

LEVELS = tuple(CompactionLevel.values)
RUN_STATES = tuple(RunState.values)
TRIGGERS = tuple(Trigger.values)
VERSION_CAUSES = tuple(VersionCause.values)
RUN_STAGES = {"reading": 10, "writing": 35, "checking": 75, "storing": 90}
"""How far a run is by then, in percent."""

_DONE = (RunState.SUCCEEDED, RunState.UNDONE)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """`stage` is empty but while it runs; `fallback_reason` is why the engine wrote though a model is configured."""

    id: UUID
    conversation_id: UUID
    operation_id: UUID | None
    trigger: str
    level: str
    state: str
    stage: str
    progress: int
    base_version: int | None
    version: int | None
    compacted_from: int | None
    compacted_through: int | None
    compacted_count: int
    tokens_before: int | None
    tokens_after: int | None
    preservation_ratio: float | None
    model: str
    fallback_reason: str
    error_code: str
    error: str
    retry_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run that stored a summary, as an export tells it: without what it cost."""

    trigger: str
    level: str
    compacted_count: int
    tokens_before: int
    tokens_after: int
    preservation_ratio: float
    model: str
    created_at: datetime
    started_at: datetime
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """The expected effect of a compaction: exact messages and live tokens, estimated summary and freed tokens.

    `complete` is false where one run does not take all of it.
    """

    level: str
    message_count: int
    compacted_from: int | None
    compacted_through: int | None
    complete: bool
    live_tokens_before: int
    live_tokens_after: int
    summary_tokens_before: int
    summary_tokens_after: int
    freed_tokens: int
    preservation_ratio_before: float
    preservation_ratio_after: float


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """A version without its text; `run_id` and `model` are those of its compaction, if any."""

    version: int
    cause: str
    summary_tokens: int
    covers_through: int | None
    undone: bool
    created_at: datetime
    run_id: UUID | None
    model: str


@dataclass(frozen=True, slots=True)
class SummaryRecord:
    """`removed` are the lines that this version removed; `dropped` counts, by field, those that versions up to this
    one removed because their field was full."""

    version: int
    cause: str
    rolling_summary: dict[str, Any]
    summary_tokens: int
    covers_through: int | None
    created_at: datetime | None
    removed: tuple[RemovedLine, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


def run_record(row: CompactionRun) -> RunRecord:
    return RunRecord(
        id=row.id,
        conversation_id=row.conversation_id,
        operation_id=row.operation_id,
        trigger=row.trigger,
        level=row.level,
        state=row.state,
        stage=run_stage(row),
        progress=run_progress(row),
        base_version=row.base_version,
        version=row.version,
        compacted_from=row.compacted_from,
        compacted_through=row.compacted_through,
        compacted_count=row.compacted_count,
        tokens_before=row.tokens_before,
        tokens_after=row.tokens_after,
        preservation_ratio=row.preservation_ratio,
        model=row.model,
        fallback_reason=row.fallback_reason,
        error_code=row.error_code,
        error=row.error,
        retry_at=row.retry_at,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )


def run_stage(row: CompactionRun) -> str:
    """What it is at; empty but while it runs."""
    return row.stage if row.state == RunState.RUNNING else ""


def run_progress(row: CompactionRun) -> int:
    """In percent."""
    if row.state == RunState.RUNNING:
        return RUN_STAGES.get(row.stage, 0)
    return 100 if row.state in _DONE else 0


def summary_record(row: SummaryVersion, dropped: Mapping[str, int]) -> SummaryRecord:
    return SummaryRecord(
        version=row.version,
        cause=row.cause,
        rolling_summary=summary_to_json(summary_from_json(row.rolling_summary)),
        summary_tokens=row.summary_tokens,
        covers_through=row.covers_through,
        created_at=row.created_at,
        removed=removed_from_json(row.removed),
        dropped=dropped,
    )


def version_record(row: SummaryVersion, run: CompactionRun | None) -> VersionRecord:
    return VersionRecord(
        version=row.version,
        cause=row.cause,
        summary_tokens=row.summary_tokens,
        covers_through=row.covers_through,
        undone=row.undone,
        created_at=row.created_at,
        run_id=run.id if run else None,
        model=run.model if run else "",
    )
