"""Schedules: the dispatcher that inserts a period's row requests its jobs in the same transaction.

Several dispatchers may run. Missed periods are not repeated: each run covers the time since the last one.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from apps.common.ids import uuid7
from apps.jobs.models import Priority
from apps.jobs.services.enqueue import INSTALLATION, jobs_request

RETENTION_DAYS = 7

_BEGIN = """
INSERT INTO jobs_schedule (id, kind, period, created_at)
VALUES (%(id)s, %(kind)s,
    to_timestamp(floor(extract(epoch FROM statement_timestamp()) / %(seconds)s) * %(seconds)s), statement_timestamp())
ON CONFLICT (kind, period) DO NOTHING
RETURNING created_at
"""
_PRUNE = "DELETE FROM jobs_schedule WHERE created_at < statement_timestamp() - make_interval(days => %s)"


def schedule_tick(*, kind: str, period_seconds: int, per_workspace: bool = False) -> bool:
    """Request the current period's job once across all dispatchers; return True if this call did."""
    with transaction.atomic():
        began = _insert_period(kind, period_seconds)
        if began is None:
            return False
        workspace_ids = _workspace_ids() if per_workspace else [INSTALLATION]
        jobs_request(
            workspace_ids=workspace_ids,
            kind=kind,
            key="",
            due_at=began,
            deadline_at=began,
            priority=Priority.UPKEEP,
        )
    return True


def schedule_prune() -> None:
    """Delete old periods."""
    with connection.cursor() as cursor:
        cursor.execute(_PRUNE, [RETENTION_DAYS])


def _workspace_ids() -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM accounts_workspace ORDER BY id")
        return [workspace_id for (workspace_id,) in cursor.fetchall()]


def _insert_period(kind: str, period_seconds: int) -> datetime | None:
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN, {"id": uuid7(), "kind": kind, "seconds": period_seconds})
        row = cursor.fetchone()
    return None if row is None else row[0]
