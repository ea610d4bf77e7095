"""Readiness checks of the database, its schema, Redis and the round trip of a canary job; and the backlog of jobs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, TypeVar
from uuid import UUID

import redis
import structlog
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from apps.accounts.services.installation import server_id
from apps.jobs.selectors import KindReport, canary_age_seconds, dispatcher_age_seconds, queue_report
from apps.jobs.services import canary_request

_CANARY_IS_FRESH_S = 60.0
_DISPATCHER_IS_SILENT_S = 15.0
_READY_IS_CACHED_S = 1.0
_QUEUE_IS_CACHED_S = 5.0
_STARTED = time.monotonic()
_log = structlog.get_logger("continuity.api")


@dataclass(frozen=True, slots=True)
class Readiness:
    """Results of the checks by name: `ok` or a short problem. The numbers are informational.

    A kind of job that fails does not make the server unready: it is `degraded`.
    """

    checks: dict[str, str]
    jobs: list[KindReport] = field(default_factory=list)
    dispatcher_age_s: float | None = None
    pool_waiting: int | None = None
    server_id: UUID | None = None

    @property
    def is_ready(self) -> bool:
        return all(result == "ok" for result in self.checks.values())

    @property
    def problems(self) -> dict[str, str]:
        """Kinds of jobs that need attention, by the names of their checks."""
        return {f"jobs.{one.kind}": one.problem for one in self.jobs if one.problem}


Value = TypeVar("Value")


class _Cached(Generic[Value]):
    """A value of this process, for some seconds."""

    def __init__(self, seconds: float) -> None:
        self._value: Value | None = None
        self._seconds, self._until = seconds, 0.0

    def get(self) -> Value | None:
        return self._value if time.monotonic() < self._until else None

    def set(self, value: Value) -> None:
        self._value, self._until = value, time.monotonic() + self._seconds

    def clear(self) -> None:
        self._until = 0.0


last_ready: _Cached[Readiness] = _Cached(_READY_IS_CACHED_S)
last_queue: _Cached[list[KindReport]] = _Cached(_QUEUE_IS_CACHED_S)


def readiness() -> Readiness:
    """Return the cached report if it was ready, so that frequent probes cost nothing, or run the checks."""
    if (cached := last_ready.get()) is not None:
        return cached
    report = _checked()
    if report.is_ready:
        last_ready.set(report)
    return report


def _checked() -> Readiness:
    """Run all checks; without the database, skip those that need it."""
    checks = {"redis": _run_check(_redis), "database": _run_check(_database)}
    if checks["database"] != "ok":
        return Readiness(checks, pool_waiting=_pool_waiting())
    checks |= {"migrations": _run_check(_migrations), "jobs": _run_check(_jobs)}
    return Readiness(checks, _queue(), _dispatcher_age(), _pool_waiting(), _server_id())


def _queue() -> list[KindReport]:
    """Return the kinds of jobs in the queue, read at most every few seconds, since anybody may ask."""
    report = last_queue.get()
    if report is None:
        try:
            report = [one for one in queue_report() if one.has_jobs]
        except Error:
            return []
        last_queue.set(report)
    return report


def _run_check(check: Callable[[], str]) -> str:
    try:
        return check()
    except (Error, redis.RedisError) as error:
        _log.warning("not ready", check=check.__name__, error=type(error).__name__)
        return "unreachable"


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def _redis() -> str:
    _client().ping()
    return "ok"


def _migrations() -> str:
    return "ok" if _schema_is_current() else "the schema is behind; run migrate"


def _jobs() -> str:
    """Check the age of the canary, which a dispatcher requests at intervals.

    A canary from before this process started is ignored: then another one is requested at once.
    """
    age, uptime = canary_age_seconds(), time.monotonic() - _STARTED
    if age is None or age > uptime:
        canary_request()
    fresh = age is not None and age <= min(_CANARY_IS_FRESH_S, uptime)
    return "ok" if fresh else f"no job made the round trip yet: {_missing_process()}"


def _missing_process() -> str:
    age = _dispatcher_age()
    if age is None:
        return "no dispatcher has ever reported"
    if age > _DISPATCHER_IS_SILENT_S:
        return f"no dispatcher has reported for {age:.0f} s"
    return "a dispatcher is running, but no worker has completed the job"


def _dispatcher_age() -> float | None:
    try:
        return dispatcher_age_seconds()
    except Error:
        return None


def _server_id() -> UUID | None:
    try:
        return server_id()
    except Error:
        return None


def _pool_waiting() -> int | None:
    """Return the number of requests that wait for a pooled connection; None without a pool."""
    pool = getattr(connection, "pool", None)
    return pool.get_stats().get("requests_waiting", 0) if pool else None


_current: set[bool] = set()


def _schema_is_current() -> bool:
    """Check until it succeeds once: a schema never falls behind a running process."""
    if not _current:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _current.add(True)
    return True


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
