"""Signs of life: a job that only proves that jobs are done, asked for by a web process and noted when it has gone all
the way round; and the dispatcher's own word, which tells who is missing when it does not come back.
"""

from __future__ import annotations

from django.db import connection, transaction
from django.utils import timezone

from apps.common.ids import uuid7
from apps.jobs.models import Schedule
from apps.jobs.selectors.jobs import CANARY, DISPATCHER
from apps.jobs.services.enqueue import INSTALLATION, job_request

# Always the same row, and no index knows what changes in it.
_NOTE = """
INSERT INTO jobs_schedule (id, kind, period, created_at) VALUES (%s, %s, to_timestamp(0), statement_timestamp())
ON CONFLICT (kind, period) DO UPDATE SET created_at = EXCLUDED.created_at
"""


def canary_request() -> None:
    """Send one round, unless one is under way."""
    now = timezone.now()
    job_request(workspace_id=INSTALLATION, kind=CANARY, key="", due_at=now, deadline_at=now)


def canary_note() -> None:
    """It came back. Only the newest return is kept."""
    with transaction.atomic():
        Schedule.objects.filter(kind=CANARY).delete()
        Schedule.objects.create(kind=CANARY, period=timezone.now())


def dispatcher_note() -> None:
    """A dispatcher is at work."""
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [uuid7(), DISPATCHER])
