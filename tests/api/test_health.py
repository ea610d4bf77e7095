"""Liveness and readiness: ready only after a job made the round trip."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.api.jobs import readiness
from apps.jobs.models import DueJob, Schedule
from apps.jobs.services import canary_record_return, dispatcher_record_heartbeat
from tests.people import JsonClient

pytestmark = pytest.mark.django_db


def test_alive_asks_nothing(django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]  # pytest-django's fixture is untyped here
        answer = JsonClient().get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")


@pytest.mark.parametrize("path", ["/readyz", "/api/health", "/api/v1/health"])
def test_ready_means_that_a_job_made_the_round_trip(path: str) -> None:
    visitor = JsonClient()
    before = visitor.get(path)
    assert (before.status_code, before.json()["status"]) == (503, "not_ready")
    canary_record_return()
    after = visitor.get(path)
    assert (after.status_code, set(after.json()["checks"].values())) == (200, {"ok"})


def test_a_kind_of_job_that_fails_makes_the_server_degraded_and_not_unready(alice: Actor) -> None:
    canary_record_return()
    now = timezone.now()
    DueJob.objects.create(
        workspace_id=alice.workspace_id,
        kind="memory_vectors",
        key="a key that nobody may see",
        due_at=now + timedelta(hours=2),
        deadline_at=now,
        state="dead",
        last_error="SoftTimeLimitExceeded",
    )
    answer = JsonClient().get("/api/health")
    said = answer.json()
    assert (answer.status_code, said["status"]) == (200, "degraded")
    assert said["checks"]["jobs.memory_vectors"].startswith("1 failed after all attempts, next try in 1 hour")
    assert [(one["kind"], one["failed"], one["ends_at"]) for one in said["jobs"]] == [("memory_vectors", 1, None)]
    assert "nobody may see" not in answer.content.decode()
    DueJob.objects.all().delete()
    # Anybody may ask, so the queue is read at most every few seconds.
    readiness.last_ready.clear()
    assert JsonClient().get("/api/health").json()["status"] == "degraded"
    readiness.last_queue.clear()
    readiness.last_ready.clear()
    assert JsonClient().get("/api/health").json()["status"] == "ok"


def test_asking_sends_a_job_on_its_round() -> None:
    JsonClient().get("/readyz")
    assert DueJob.objects.filter(kind="canary").exists()


def test_readiness_names_the_missing_process_when_no_job_completes() -> None:
    def jobs() -> tuple[str, float | None]:
        answer = JsonClient().get("/readyz")
        assert answer.status_code == 503
        return answer.json()["checks"]["jobs"], answer.json()["dispatcher_age_s"]

    assert jobs() == ("no job made the round trip yet: no dispatcher has ever reported", None)
    dispatcher_record_heartbeat()
    said, age = jobs()
    assert said == "no job made the round trip yet: a dispatcher is running, but no worker has completed the job"
    assert age is not None
    assert 0 <= age < 5
    Schedule.objects.filter(kind="dispatcher").update(created_at=timezone.now() - timedelta(seconds=42))
    said, age = jobs()
    assert said == "no job made the round trip yet: no dispatcher has reported for 42 s"
    dispatcher_record_heartbeat()
    assert Schedule.objects.filter(kind="dispatcher").count() == 1
    assert (jobs()[1] or 0) < 5


def test_without_redis_readiness_fails_and_names_redis(settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    readiness._client.cache_clear()
    try:
        answer = JsonClient().get("/readyz")
    finally:
        readiness._client.cache_clear()
    assert (answer.status_code, answer.json()["checks"]["redis"]) == (503, "unreachable")


def test_a_ready_answer_is_reused_for_a_second(django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    canary_record_return()
    first = JsonClient().get("/readyz")
    with django_assert_num_queries(0):
        assert JsonClient().get("/api/health").json() == first.json()
    later = time.monotonic() + 1.5
    monkeypatch.setattr(readiness.time, "monotonic", lambda: later)
    Schedule.objects.filter(kind="canary").delete()
    assert JsonClient().get("/readyz").status_code == 503


def test_an_answer_that_is_not_ready_is_never_reused() -> None:
    assert JsonClient().get("/readyz").status_code == 503
    canary_record_return()
    assert JsonClient().get("/readyz").status_code == 200
