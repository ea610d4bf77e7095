"""Budget reservations: per attempt, for every script, and released on cancellation."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.engine.tokens.counting import count_text
from apps.llm.budget.rules import Spent, day_of, tokens_at_most
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import MeteredProvider
from apps.llm.middleware.reservation import CallEstimate, Reservation
from apps.llm.models import ModelCalibration, SpendDay
from apps.llm.providers.base import ModelRequest, Prompt, Purpose
from apps.llm.providers.claude_cli import ClaudeCliProvider
from apps.llm.runtime.sync_bridge import in_database, run_blocking
from apps.llm.services.provider_stack import Payer, chained
from tests.llm.conftest import run
from tests.llm.spending import ANSWER_TOKENS, MODEL, ONCE, adapter_of, chain, of_day, of_ledger, record, small
from tests.processes import eventually
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

pytestmark = pytest.mark.django_db(transaction=True)

CEILING = Policy(daily_token_ceiling=10_000)
DOWN = Behaviour("status", status=529, error_type="overloaded_error")


class Watching:
    """A guard that records estimates and reservations."""

    def __init__(self, refuses: bool = False) -> None:
        self.estimates: list[CallEstimate] = []
        self.left: list[int] = []
        self.refuses = refuses

    async def reserve(self, estimate: CallEstimate, left: Sequence[Reservation] = ()) -> Reservation:
        self.estimates.append(estimate)
        self.left.append(sum(one.tokens for one in left))
        if self.refuses:
            raise ModelError("ceiling")
        return Reservation(day_of(timezone.now()), 500)


def reserved_for(actor: Actor, server: ProviderServer, request: ModelRequest, policy: Policy = CEILING) -> int:
    provider, reports = chain(adapter_of(server.url), actor, policy)
    run_blocking(provider, provider.complete(request))
    (report,) = reports
    assert report.reservation
    return report.reservation.tokens


def test_a_failed_attempt_passes_its_reservation_to_the_next(alice: Actor, server: ProviderServer) -> None:
    server.script(DOWN, DOWN)
    times = replace(ONCE, attempts=3)
    payer = Payer(alice.workspace_id, Policy(daily_token_ceiling=300))
    provider, reports = chained(adapter_of(server.url, times), payer, times)
    run_blocking(provider, provider.complete(small(Purpose.CHAT)))
    assert [report.outcome for report in reports] == ["overloaded", "overloaded", "ok"]
    kept = of_day(alice)
    assert kept is not None and kept.tokens <= 300
    record(alice, reports)
    assert of_day(alice) == of_ledger(alice) != Spent()


def test_tokens_used_by_an_attempt_are_reserved_again_for_the_next(alice: Actor, server: ProviderServer) -> None:
    server.script(Behaviour("cut"))
    times = replace(ONCE, attempts=1)
    provider, reports = chained(adapter_of(server.url), Payer(alice.workspace_id, CEILING), times)
    with pytest.raises(ModelError):
        run_blocking(provider, provider.complete(small()))
    run_blocking(provider, provider.complete(small()))
    first, second = (report.reservation.tokens for report in reports if report.reservation)
    assert second == reports[0].tokens < first
    record(alice, reports)
    assert of_day(alice) == of_ledger(alice)


def test_only_one_of_concurrent_attempts_reuses_an_unused_reservation(server: ProviderServer) -> None:
    guard = Watching()
    metered = MeteredProvider(adapter_of(server.url), guard=guard)

    async def one_then_two() -> None:
        await metered.complete(small())
        await asyncio.gather(metered.complete(small()), metered.complete(small()))

    run(metered, one_then_two())
    assert guard.left == [0, 500 - metered.reports[0].tokens, 0]


def test_a_call_cancelled_during_its_reservation_returns_at_once_and_releases_it(
    alice: Actor, server: ProviderServer
) -> None:
    with workspace(alice.workspace_id):
        SpendDay.objects.create(day=day_of(timezone.now()), tokens=100)
    provider, reports = chain(adapter_of(server.url), alice, CEILING)
    stop = threading.Event()

    async def whole() -> None:
        task = asyncio.create_task(provider.complete(small(Purpose.CHAT)))
        while not stop.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait({task}, timeout=5)
        assert task.cancelled()
        await provider.aclose()

    with ThreadPoolExecutor(1) as threads:
        with workspace(alice.workspace_id):
            # As another call that is about to reserve.
            SpendDay.objects.select_for_update(of=("self",)).get()
            asking = threads.submit(asyncio.run, whole())
            assert eventually(_has_waiting_work)
            stop.set()
            asking.result(10)
        _wait_for_pool()
    record(alice, reports)
    assert (of_day(alice), of_ledger(alice), len(server.requests)) == (Spent(100), Spent(), 0)


def test_an_interrupted_worker_undoes_its_database_work(server: ProviderServer) -> None:
    taken_back: list[str] = []

    async def asks() -> None:
        task = asyncio.current_task()
        assert task

        def work() -> str:
            task.cancel()
            return "held"

        await in_database(work, undo=taken_back.append)

    with pytest.raises(asyncio.CancelledError):
        run_blocking(adapter_of(server.url), asks())
    assert taken_back == ["held"]


def test_text_in_other_scripts_is_reserved_by_its_bytes(alice: Actor, server: ProviderServer) -> None:
    text = "我们决定使用数据库。" * 50
    request = replace(small(), prompt=Prompt("", text))
    assert reserved_for(alice, server, request) - ANSWER_TOKENS >= len(text) > 1.25 * count_text(text)


def test_a_calibration_of_another_estimator_is_not_applied(alice: Actor, server: ProviderServer) -> None:
    by_words = replace(CEILING, token_estimator="words")
    usual = reserved_for(alice, server, small(), by_words)
    learn(alice, "words/0.75", 300)
    assert reserved_for(alice, server, small(), by_words) == usual
    learn(alice, "characters by script", 300)
    assert reserved_for(alice, server, small(), by_words) > 2 * usual


def learn(actor: Actor, estimator: str, percent: int) -> None:
    sums = {"reported_tokens": 1, "estimated_tokens": 1, "calls": 9}
    with workspace(actor.workspace_id):
        ModelCalibration.objects.create(model=MODEL, estimator=estimator, percent=percent, **sums)


def test_a_structured_answer_of_the_command_reserves_every_turn(db: None) -> None:
    guard = Watching(refuses=True)
    metered = MeteredProvider(ClaudeCliProvider("claude"), guard=guard)
    form = {"type": "object"}
    for request in (small(), replace(small(), answer_schema=form)):
        with pytest.raises(ModelError):
            run(metered, metered.complete(request))
    plain, formed = guard.estimates
    assert tokens_at_most(formed, 100) > 4 * tokens_at_most(plain, 100)


def _wait_for_pool() -> None:
    """Wait until every database thread has finished its work."""
    together = threading.Barrier(4)

    async def meet() -> None:
        await asyncio.gather(*(in_database(lambda: together.wait(10), undo=print) for _ in range(4)))

    asyncio.run(meet())


def _has_waiting_work() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])
