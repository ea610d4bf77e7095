"""Canary jobs and dispatcher heartbeats. A dispatcher requests a canary at intervals to prove that jobs complete; its
heartbeat shows which process is missing when they do not.
"""

from __future__ import annotations

from django.db import connection, transaction
from django.utils import timezone

from apps.common.ids import uuid7
from apps.jobs.models import Priority, Schedule
from apps.jobs.selectors.jobs import CANARY, DISPATCHER
from apps.jobs.services.enqueue import INSTALLATION, job_request

# Always updates the same row and no indexed column, so the update stays cheap (HOT).
_NOTE = """
INSERT INTO jobs_schedule (id, kind, period, created_at) VALUES (%s, %s, to_timestamp(0), statement_timestamp())
ON CONFLICT (kind, period) DO UPDATE SET created_at = EXCLUDED.created_at
"""


def canary_request() -> None:
    """Request a canary job unless one is pending."""
    now = timezone.now()
    job_request(workspace_id=INSTALLATION, kind=CANARY, key="", due_at=now, deadline_at=now, priority=Priority.PERSON)


def canary_record_return() -> None:
    """Record the completed canary; only the newest is stored."""
    with transaction.atomic():
        Schedule.objects.filter(kind=CANARY).delete()
        Schedule.objects.create(kind=CANARY, period=timezone.now())


def dispatcher_record_heartbeat() -> None:
    """Record a dispatcher's heartbeat."""
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [uuid7(), DISPATCHER])
