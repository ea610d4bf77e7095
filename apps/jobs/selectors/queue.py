"""The queue by kind of job: what waits, runs and has failed, the rates of the last minutes, and which kinds fail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone
from django.utils.timesince import timeuntil

from apps.common.sql import sql_file
from apps.jobs.selectors.jobs import CANARY
from apps.jobs.timeouts import RUN_COUNT_TIMES

_REPORT = sql_file(Path(__file__).with_name("queue_report.sql"))


@dataclass(frozen=True, slots=True)
class KindReport:
    """Jobs of one kind. `later` are not due yet; `retried` wait or run after a run that failed; `failed` wait until
    `retry_at` or longer; `error` is the most frequent one. Retried and failed jobs are in `failing_workspaces`, a
    `failing_share` of all (1 if they are the installation's own).

    `items_waiting` are what running and waiting jobs have left, where they know it. The rates are those of the last
    minutes; `recently_…` count runs and items of the last half hour.
    """

    kind: str
    waiting: int
    later: int
    running: int
    retried: int
    failed: int
    failing_workspaces: int
    failing_share: float
    retry_at: datetime | None
    items_waiting: int | None
    error: str
    recently_finished: int
    recently_failed: int
    recently_done: int
    finished_per_minute: float
    items_per_minute: float

    @property
    def has_jobs(self) -> bool:
        return bool(self.waiting or self.later or self.running or self.failed)

    @property
    def works(self) -> bool:
        """Whether a run succeeded lately, or stored a part of its work."""
        return bool(self.recently_finished or self.recently_done)

    @property
    def fails_always(self) -> bool:
        return self.has_jobs and not self.works and self.recently_failed >= RUN_COUNT_TIMES.failing_runs

    @property
    def failure(self) -> str:
        """What fails of this kind of job, for the console; empty if nothing does."""
        parts = []
        if self.fails_always:
            parts.append(f"all of the last {self.recently_failed} runs failed")
        elif self.retried:
            parts.append(f"{self.retried} retried after a failure")
        if self.failed:
            parts.append(f"{self.failed} failed after all attempts{_next_try(self.retry_at)}")
        return f"{'; '.join(parts)} ({self.error})" if parts else ""

    @property
    def problem(self) -> str:
        """The failure if it is the installation's rather than that of a few workspaces; empty if it is not.

        Then nothing of this kind works, or jobs of several workspaces failed after all attempts while others work.
        """
        is_widespread = self.failing_share >= RUN_COUNT_TIMES.failing_share
        has_failed = self.failed and (self.failing_workspaces > 1 or not self.works)
        return self.failure if is_widespread and (self.fails_always or has_failed) else ""

    @property
    def ends_at(self) -> datetime | None:
        """When the backlog is done at the present rate; None if there is none, or no rate."""
        left, rate = self.waiting, self.finished_per_minute
        if self.items_waiting and self.items_per_minute:
            left, rate = self.items_waiting, self.items_per_minute
        return timezone.now() + timedelta(minutes=left / rate) if left and rate else None


def queue_report() -> list[KindReport]:
    """Return the kinds of jobs that are in the queue, or were lately; without ids or content.

    Reads all rows of the queue: callers that answer anybody cache it for some seconds.
    """
    values = {"rate": RUN_COUNT_TIMES.rate_s, "retention": RUN_COUNT_TIMES.retention_s}
    return [one for one in _REPORT.rows(KindReport, values) if one.kind != CANARY]


def _next_try(retry_at: datetime | None) -> str:
    if retry_at is None or retry_at <= timezone.now():
        return ", next try now"
    return f", next try in {timeuntil(retry_at, depth=1)}".replace("\xa0", " ")
