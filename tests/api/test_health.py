"""Alive, and ready: the second only when a job went all the way round."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from apps.api.work import readiness
from apps.jobs.models import DueJob
from apps.jobs.services import canary_note
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
    canary_note()
    after = visitor.get(path)
    assert (after.status_code, set(after.json()["checks"].values())) == (200, {"ok"})


def test_asking_sends_a_job_on_its_round() -> None:
    JsonClient().get("/readyz")
    assert DueJob.objects.filter(kind="canary").exists()


def test_without_redis_it_is_not_ready_and_says_so(settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    readiness._client.cache_clear()
    try:
        answer = JsonClient().get("/readyz")
    finally:
        readiness._client.cache_clear()
    assert (answer.status_code, answer.json()["checks"]["redis"]) == (503, "does not answer")
