"""Real workers and dispatchers on real servers, with and without the broker."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from redis import Redis

from apps.accounts.models import Workspace
from apps.jobs.models import DueJob
from apps.jobs.selectors import canary_age_seconds, dispatcher_age_seconds
from apps.jobs.services import canary_request
from config.stack import redis as embedded
from config.stack.process import end_session, launch
from tests.jobs.handlers import backends, runs
from tests.jobs.requests import ask
from tests.processes import Running, eventually, start_dispatcher
from tests.stack import SERVERS

pytestmark = pytest.mark.django_db(transaction=True)
NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def _own_backend() -> int:
    """Return the process that serves this test's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_job_goes_through_dispatcher_and_worker(acme: Workspace, worker: Running, dispatcher: Running) -> None:
    ask(acme.id)
    assert eventually(lambda: runs("k") == 1 and not DueJob.objects.exists())
    assert eventually(lambda: "job.ran" in worker.log())
    assert "job.ran" not in dispatcher.log()


def test_the_canary_comes_back(worker: Running, dispatcher: Running) -> None:
    canary_request()
    assert eventually(lambda: canary_age_seconds() is not None)


def test_a_dispatcher_gives_signs_of_life(dispatcher: Running) -> None:
    assert eventually(lambda: (dispatcher_age_seconds() or 99) < 1)
    assert eventually(lambda: (dispatcher_age_seconds() or 0) > 1)
    assert eventually(lambda: (dispatcher_age_seconds() or 99) < 1)


def test_two_dispatchers_bring_each_job_once(acme: Workspace, worker: Running, dispatcher: Running) -> None:
    other = start_dispatcher()
    try:
        for number in range(30):
            ask(acme.id, key=f"job {number}")
        assert eventually(lambda: not DueJob.objects.exists())
        assert [runs(f"job {number}") for number in range(30)] == [1] * 30
    finally:
        other.stop()


def test_a_job_waits_for_its_time(acme: Workspace, worker: Running, dispatcher: Running) -> None:
    began = time.monotonic()
    ask(acme.id, in_s=1.5)
    assert eventually(lambda: runs("k") == 1)
    assert time.monotonic() - began > 1.4


def test_without_a_broker_the_dispatcher_runs_the_jobs_itself(acme: Workspace) -> None:
    alone = start_dispatcher(REDIS_URL=NOBODY_LISTENS)
    try:
        for number in range(5):
            ask(acme.id, key=f"job {number}")
        assert eventually(lambda: not DueJob.objects.exists())
        assert [runs(f"job {number}") for number in range(5)] == [1] * 5
        assert alone.log().count("broker.away") == 1
    finally:
        alone.stop()


def test_jobs_go_back_to_the_workers_when_the_broker_does(acme: Workspace, late_redis: embedded.Redis) -> None:
    alone = start_dispatcher(REDIS_URL=late_redis.url)
    broker = None
    try:
        ask(acme.id, key="before")
        assert eventually(lambda: runs("before") == 1)
        broker = launch(late_redis.program())
        assert eventually(late_redis.ready)
        queue = Redis.from_url(late_redis.url)
        assert eventually(lambda: _offered(acme, queue))
        assert eventually(lambda: "broker.back" in alone.log())
    finally:
        alone.stop()
        if broker:
            end_session(broker)


def test_a_silent_broker_delays_no_job(acme: Workspace, late_redis: embedded.Redis) -> None:
    broker = launch(late_redis.program())
    assert eventually(late_redis.ready)
    alone = start_dispatcher(REDIS_URL=late_redis.url)
    try:
        broker.send_signal(signal.SIGSTOP)
        ask(acme.id)
        assert eventually(lambda: runs("k") == 1)
    finally:
        alone.stop()
        end_session(broker)


def test_the_dispatcher_outlives_a_lost_connection(
    acme: Workspace, dispatcher: Running, worker: Running, superuser_connection: psycopg.Connection[object]
) -> None:
    lose = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE '%%due_at%%' AND pid <> ALL(%s) AND pid <> pg_backend_pid()
    """

    def is_lost() -> bool:
        """Between two claims, its last statement is another one, so a single attempt could miss it."""
        superuser_connection.execute(lose, [[_own_backend()]])
        return "database.away" in dispatcher.log()

    assert eventually(is_lost)
    ask(acme.id)
    assert eventually(lambda: runs("k") == 1)


def test_a_worker_reuses_its_connection_and_replaces_a_broken_one(
    acme: Workspace, dispatcher: Running, worker: Running, superuser_connection: psycopg.Connection[object]
) -> None:
    def have_run(jobs: int) -> bool:
        return len(backends()) == jobs and not DueJob.objects.exists()

    for number in range(4):
        ask(acme.id, "test_note_backend", key=f"job {number}")
        assert eventually(partial(have_run, number + 1))
        if number == 2:
            superuser_connection.execute("SELECT pg_terminate_backend(%s, 5000)", [backends()[-1]])
    first, second, third, fourth = backends()
    assert first == second == third != fourth

    def told() -> list[bool]:
        lines = [line for line in worker.log().splitlines() if "job." in line and "test_note_backend" in line]
        return ["outcome=done" in line for line in lines]

    # The last job is finished when its row is deleted.
    assert eventually(lambda: len(told()) == 4)
    assert told() == [True] * 4, "nobody had to try again"


def test_a_dispatcher_ends_within_a_second_also_while_it_runs_a_job(acme: Workspace) -> None:
    alone = start_dispatcher(REDIS_URL=NOBODY_LISTENS)
    ask(acme.id, "test_sleep")
    assert eventually(lambda: runs("k") == 1)
    alone.process.terminate()
    assert alone.process.wait() == 0
    assert "left_a_job=True" in alone.log()


def test_the_dispatcher_carries_no_pages(dispatcher: Running) -> None:
    maps = Path(f"/proc/{dispatcher.pid}/smaps_rollup").read_text()
    pss_kb = next(int(line.split()[1]) for line in maps.splitlines() if line.startswith("Pss:"))
    assert pss_kb < 100_000


@pytest.fixture
def late_redis(tmp_path: Path) -> Iterator[embedded.Redis]:
    """A Redis with a known address that is not started yet; in the run's folder, for a socket's path must be short."""
    home = SERVERS.home / "late"
    (home / "logs").mkdir(parents=True, exist_ok=True)
    yield embedded.Redis(home, home, death_signal=SERVERS.redis.death_signal)


def _offered(acme: Workspace, queue: Redis) -> bool:
    """Return whether a job requested now is queued, instead of being run by the dispatcher."""
    ask(acme.id, key="after")
    return bool(queue.llen("celery"))
