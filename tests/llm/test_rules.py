"""Daily limits under concurrency, and exact settlement of usage."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import NoWorkspace, workspace
from apps.engine.pack.estimators import HEURISTIC
from apps.engine.policy import Policy
from apps.llm.budget.rules import Spent
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import MeteredProvider
from apps.llm.middleware.reservation import CallEstimate, Reservation
from apps.llm.models import ModelCalibration, ModelUsage, SpendDay
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import Embedded, Events, ModelRequest, Purpose, StreamingProvider, Usage, UsageSource
from apps.llm.providers.offline import OfflineProvider
from apps.llm.runtime.sync_bridge import in_database, run_blocking
from apps.llm.services.budget_status import spending_now
from apps.llm.services.provider_stack import Payer, chained
from tests.llm.conftest import question, run
from tests.llm.spending import ONCE, PATIENT, adapter_of, call, chain, of_day, of_ledger, record, small
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour, pieces_of
from tests.providers.prompt_cache import tokens_of

pytestmark = pytest.mark.django_db(transaction=True)

CALLS, THREADS = 200, 20
Asking = Callable[[AnthropicProvider, Actor], list[str]]
CEILING = Policy(daily_token_ceiling=10_000)


@pytest.fixture
def adapter(server: ProviderServer) -> AnthropicProvider:
    return adapter_of(server.url)


def counted_by(server: ProviderServer) -> int:
    """The tokens that the provider counted for its answers."""
    answer = len(pieces_of(server.usual.text or "")) + 1
    return sum(tokens_of(request.body) + answer for request in server.requests)


def in_threads(adapter: AnthropicProvider, actor: Actor) -> list[str]:
    def one(_: int) -> str:
        try:
            return call(adapter, actor, CEILING, times=PATIENT)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(one, range(CALLS)))


def on_one_loop(adapter: AnthropicProvider, actor: Actor) -> list[str]:
    chains = [chain(adapter, actor, CEILING, PATIENT) for _ in range(CALLS)]

    async def one(number: int) -> str:
        try:
            await chains[number][0].complete(small())
        except ModelError as error:
            return error.code
        return "ok"

    async def whole() -> list[str]:
        try:
            return await asyncio.gather(*map(one, range(CALLS)))
        finally:
            await adapter.aclose()

    outcomes = asyncio.run(whole())
    for _, reports in chains:
        record(actor, reports)
    return outcomes


@pytest.mark.slow("it makes two hundred calls")
@pytest.mark.parametrize("at_once", [in_threads, on_one_loop])
def test_200_concurrent_calls_never_exceed_the_ceiling(alice: Actor, server: ProviderServer, at_once: Asking) -> None:
    server.usual = Behaviour(text="It was decided in June. " * 4)
    outcomes = Counter(at_once(adapter_of(server.url, PATIENT), alice))
    assert set(outcomes) == {"ok", "ceiling"}
    assert outcomes["ok"] == len(server.requests) > 0
    assert 0 < counted_by(server) <= 9_000
    assert of_day(alice) == of_ledger(alice)
    assert of_ledger(alice).tokens == counted_by(server)


def test_the_background_stops_before_a_person_does(
    alice: Actor, server: ProviderServer, adapter: AnthropicProvider
) -> None:
    spend(alice, 9_000)
    assert call(adapter, alice, CEILING) == "ceiling"
    assert call(adapter, alice, CEILING, small(Purpose.CHAT)) == "ok"
    spend(alice, 9_950)
    assert call(adapter, alice, CEILING, small(Purpose.CHAT)) == "ceiling"
    assert len(server.requests) == 1


def test_a_refused_call_has_no_row_and_no_reservation(alice: Actor, adapter: AnthropicProvider) -> None:
    spend(alice, 9_990)
    assert call(adapter, alice, CEILING) == "ceiling"
    assert of_day(alice) == Spent(9_990, 0)
    assert of_ledger(alice) == Spent()


def test_cost_is_reserved_and_settled_like_tokens(
    alice: Actor, server: ProviderServer, adapter: AnthropicProvider
) -> None:
    policy = Policy(daily_cost_ceiling_cents=1)
    assert call(adapter, alice, policy) == "ok"
    spent = of_day(alice)
    assert spent == of_ledger(alice)
    assert spent is not None and spent.cost_micros > 0
    spend(alice, 0, cost_micros=8_999)
    assert call(adapter, alice, policy) == "ceiling"


def test_with_a_cost_limit_a_model_without_a_known_price_is_not_called(
    alice: Actor, server: ProviderServer, adapter: AnthropicProvider
) -> None:
    strange = small(model="claude-unheard-of")
    provider, _ = chain(adapter, alice, Policy(daily_cost_ceiling_cents=100))
    with pytest.raises(ModelError) as caught:
        run_blocking(provider, provider.complete(strange))
    assert caught.value.code == "no_price"
    assert "the price of claude-unheard-of" in caught.value.detail
    assert not server.requests
    assert call(adapter, alice, CEILING, strange) == "ok"
    with workspace(alice.workspace_id):
        assert ModelUsage.objects.get().cost_micros is None


def test_recall_only_opens_no_connection_for_any_purpose(
    alice: Actor, server: ProviderServer, adapter: AnthropicProvider
) -> None:
    policy = Policy(model_calls_enabled=False)
    assert {call(adapter, alice, policy, small(purpose)) for purpose in Purpose} == {"recall_only"}
    assert not server.requests
    assert of_day(alice) is None


def test_without_a_ceiling_a_call_makes_no_reservation_and_is_counted(alice: Actor, adapter: AnthropicProvider) -> None:
    provider, reports = chain(adapter, alice, Policy())
    with CaptureQueriesContext(connection) as before:
        run_blocking(provider, provider.complete(small()))
    assert len(before) == 0
    record(alice, reports)
    assert of_day(alice) == of_ledger(alice) != Spent()


def test_an_incomplete_answer_counts_as_estimated(
    alice: Actor, server: ProviderServer, adapter: AnthropicProvider
) -> None:
    server.script(Behaviour("cut"))
    assert call(adapter, alice, CEILING) == "cut"
    with workspace(alice.workspace_id):
        assert ModelUsage.objects.get().source == "estimated"
    assert of_day(alice) == of_ledger(alice) != Spent()


def test_a_killed_call_never_releases_its_reservation(alice: Actor, adapter: AnthropicProvider) -> None:
    provider, _ = chain(adapter, alice, CEILING)
    run_blocking(provider, provider.complete(small()))
    kept = of_day(alice)
    assert kept is not None and kept.tokens > 150
    assert of_ledger(alice) == Spent()


def test_a_reservation_applies_the_calibration(alice: Actor, adapter: AnthropicProvider) -> None:
    reservations = {}
    for percent in (200, 300):
        with workspace(alice.workspace_id):
            ModelCalibration.objects.update_or_create(
                model="claude-haiku-5-5",
                estimator=HEURISTIC.name,
                defaults={"reported_tokens": 1, "estimated_tokens": 1, "calls": 9, "percent": percent},
            )
        provider, reports = chain(adapter, alice, CEILING)
        run_blocking(provider, provider.complete(small()))
        reservations[percent] = reports[0].reservation
    first, second = reservations[200], reservations[300]
    assert first and second
    assert 2 * (second.tokens - 60) == 3 * (first.tokens - 60)


def test_a_call_across_midnight_is_settled_on_the_day_it_began(alice: Actor, adapter: AnthropicProvider) -> None:
    provider, reports = chain(adapter, alice, CEILING)
    run_blocking(provider, provider.complete(small()))
    yesterday = date(2026, 1, 1)
    with workspace(alice.workspace_id):
        SpendDay.objects.update(day=yesterday)
    (report,) = reports
    assert report.reservation
    moved = Reservation(yesterday, report.reservation.tokens, report.reservation.cost_micros)
    record(alice, [replace(report, reservation=moved)])
    with workspace(alice.workspace_id):
        (row,) = SpendDay.objects.all()
    assert (row.day, row.tokens) == (yesterday, of_ledger(alice).tokens)


def test_offline_replies_are_not_spending(alice: Actor) -> None:
    metered = MeteredProvider(OfflineProvider())
    run(metered, metered.complete(question()))
    record(alice, metered.reports)
    assert of_day(alice) is None


def test_each_workspace_has_its_own_daily_budget(alice: Actor, charlie: Actor, adapter: AnthropicProvider) -> None:
    spend(alice, 9_990)
    assert (call(adapter, alice, CEILING), call(adapter, charlie, CEILING)) == ("ceiling", "ok")
    assert of_day(charlie) == of_ledger(charlie)


class Vectors(StreamingProvider):
    """An embedding provider."""

    name = "ollama"

    async def stream(self, request: ModelRequest) -> Events:
        raise NotImplementedError  # never asked for text
        yield

    async def embed(self, texts: object, model: str) -> Embedded:
        return Embedded(((0.5,),), Usage(UsageSource.REPORTED, 12, 0))

    async def aclose(self) -> None: ...


def test_embeddings_are_budgeted_and_metered_like_answers(alice: Actor) -> None:
    provider, reports = chained(Vectors(), Payer(alice.workspace_id, CEILING), ONCE)
    run_blocking(provider, provider.embed(["some words"], "nomic-embed"))
    (report,) = reports
    assert (report.purpose, report.model, report.outcome) == ("embedding", "nomic-embed", "ok")
    record(alice, reports)
    assert of_day(alice) == of_ledger(alice) == Spent(12, 0)
    spend(alice, 9_000)
    with pytest.raises(ModelError, match="background share"):
        run_blocking(provider, provider.embed(["some words"], "nomic-embed"))


def test_the_budget_status_costs_a_few_reads_and_none_without_ceilings(alice: Actor) -> None:
    spend(alice, 9_200)
    with workspace(alice.workspace_id):
        with CaptureQueriesContext(connection) as reads:
            assert spending_now(Policy()).state == "open"
        assert len(reads) == 0
        with CaptureQueriesContext(connection) as reads:
            now = spending_now(CEILING)
        assert len(reads) <= 7
        assert (now.state, now.tokens, now.token_ceiling) == ("background_stopped", 9_200, 10_000)
        assert now.resets_at > datetime.now(UTC)


def test_database_work_runs_in_the_waiting_thread(alice: Actor) -> None:
    """Database work uses the waiting thread's connection and sees its uncommitted changes."""

    async def names() -> tuple[str, str]:
        there = await in_database(lambda: threading.current_thread().name, undo=print)
        return there, threading.current_thread().name

    assert run_blocking(Vectors(), names()) == (threading.current_thread().name,) * 2


def test_a_database_error_reaches_the_caller(alice: Actor) -> None:
    async def fails() -> None:
        await in_database(SpendDay.objects.first, undo=print)

    with pytest.raises(NoWorkspace):
        run_blocking(Vectors(), fails())


def test_a_reservation_includes_the_schema(alice: Actor) -> None:
    seen: list[CallEstimate] = []

    class Watching:
        async def reserve(self, estimate: CallEstimate, left: Sequence[Reservation] = ()) -> Reservation:
            seen.append(estimate)
            raise ModelError("ceiling")

    metered = MeteredProvider(Vectors(), guard=Watching())
    for request in (small(), replace(small(), answer_schema={"type": "object", "title": "x" * 400})):
        with pytest.raises(ModelError):
            run(metered, metered.complete(request))
    assert seen[1].input_tokens > seen[0].input_tokens + 100
    assert not metered.reports


def spend(actor: Actor, tokens: int, cost_micros: int = 0) -> None:
    """Set today's spending."""
    with workspace(actor.workspace_id):
        today = timezone.now().astimezone(UTC).date()
        SpendDay.objects.update_or_create(day=today, defaults={"tokens": tokens, "cost_micros": cost_micros})
