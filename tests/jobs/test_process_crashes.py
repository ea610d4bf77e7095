"""Jobs survive the crash of any process, and the next process continues them."""

from __future__ import annotations

import os
import signal
from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from apps.accounts.models import Workspace
from apps.jobs.models import DueJob
from tests.jobs.handlers import runs
from tests.jobs.requests import ask
from tests.processes import Running, eventually, is_gone, start_dispatcher, start_worker

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_killed_worker_leaves_no_child_and_its_job_to_another(acme: Workspace, dispatcher: Running) -> None:
    first = start_worker()
    ask(acme.id, "test_sleep")
    assert eventually(lambda: runs("k") == 1)
    children = first.children()
    first.kill9()
    second = start_worker()
    try:
        assert children and eventually(lambda: all(is_gone(pid) for pid in children), 5)
        assert eventually(lambda: runs("k") == 2 and not DueJob.objects.exists())
    finally:
        first.stop()
        second.stop()


def test_a_killed_child_costs_no_attempt_and_its_job_needs_no_lease_to_expire(
    acme: Workspace, dispatcher: Running
) -> None:
    worker = start_worker()
    try:
        ask(acme.id, "test_sleep")
        assert eventually(lambda: runs("k") == 1)
        DueJob.objects.filter(key="k").update(lease_until=timezone.now() + timedelta(hours=1))
        (child,) = worker.children()
        os.kill(child, signal.SIGKILL)
        assert eventually(lambda: runs("k") == 2 and not DueJob.objects.filter(key="k").exists())
        assert "job.lost" in worker.log()
        assert eventually(lambda: "attempt=1 key=k kind=test_sleep outcome=done" in worker.log())
    finally:
        worker.stop()


def test_a_dispatcher_killed_after_its_claims_loses_none(acme: Workspace) -> None:
    for round_number in range(2):
        doomed = start_dispatcher()
        for number in range(10):
            ask(acme.id, key=f"{round_number} {number}")
        doomed.kill9()
    worker, last = start_worker(), start_dispatcher()
    try:
        assert eventually(lambda: not DueJob.objects.exists(), 30)
        assert [runs(f"{one} {other}") for one in range(2) for other in range(10)] == [1] * 20
    finally:
        last.stop()
        worker.stop()


def test_a_job_survives_the_loss_of_all_messages(acme: Workspace, redis_url: str, dispatcher: Running) -> None:
    ask(acme.id)
    queue = Redis.from_url(redis_url)
    assert eventually(lambda: bool(queue.llen("celery")))
    queue.flushall()
    worker = start_worker()
    try:
        assert eventually(lambda: runs("k") == 1 and not DueJob.objects.exists())
    finally:
        worker.stop()
