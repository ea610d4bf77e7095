"""A job that only proves that jobs are done: asked for by a web process, noted when it has gone all the way round."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.jobs.models import Schedule
from apps.jobs.selectors.jobs import CANARY
from apps.jobs.services.requests import INSTALLATION, job_request


def canary_request() -> None:
    """Send one round, unless one is under way."""
    now = timezone.now()
    job_request(workspace_id=INSTALLATION, kind=CANARY, key="", due_at=now, deadline_at=now)


def canary_note() -> None:
    """It came back. Only the newest return is kept."""
    with transaction.atomic():
        Schedule.objects.filter(kind=CANARY).delete()
        Schedule.objects.create(kind=CANARY, period=timezone.now())
