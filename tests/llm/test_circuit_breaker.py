"""The circuit breaker opens after repeated failures and closes after a successful probe."""

from __future__ import annotations

import gc
from contextlib import aclosing
from uuid import UUID, uuid4

import pytest

from apps.llm.errors import ModelError
from apps.llm.middleware.circuit_breaker import Breaker, BreakingProvider
from apps.llm.middleware.retry import RetryingProvider
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import ModelRequest, Purpose
from tests.llm.conftest import IMPATIENT, question, run
from tests.llm.spending import adapter_of, small
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

HERE = uuid4()
DOWN = Behaviour("status", status=529, error_type="overloaded_error")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Caller:
    """Calls a server through a circuit breaker whose clock the test controls."""

    def __init__(self, server: ProviderServer) -> None:
        self.server, self.clock = server, Clock()
        self.breaker = Breaker(self.clock)
        self.adapter = AnthropicProvider("sk-test", server.url, IMPATIENT)

    def provider(self, adapter: AnthropicProvider | None = None, workspace_id: UUID = HERE) -> BreakingProvider:
        adapter = adapter or self.adapter
        return BreakingProvider(adapter, adapter=adapter, workspace_id=workspace_id, breaker=self.breaker)

    def ask(self, request: ModelRequest | None = None, **of: UUID) -> str:
        provider = self.provider(**of)  # type: ignore[arg-type]  # only the workspace is used
        try:
            run(provider, provider.complete(request or small()))
        except ModelError as error:
            return error.code
        return "ok"

    def break_it(self) -> None:
        self.server.usual = DOWN
        assert [self.ask() for _ in range(5)] == ["overloaded"] * 5

    def requests(self) -> int:
        return len(self.server.requests)


@pytest.fixture
def caller(server: ProviderServer) -> Caller:
    return Caller(server)


def test_five_failures_in_a_row_open_the_circuit(caller: Caller) -> None:
    caller.break_it()
    assert [caller.ask() for _ in range(20)] == ["resting"] * 20
    assert caller.requests() == 5


def test_an_open_circuit_reports_how_long_it_stays_open(caller: Caller) -> None:
    caller.break_it()
    caller.clock.now += 10
    provider = caller.provider()
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete(small()))
    assert (caught.value.code, caught.value.retry_after) == ("resting", 20)


def test_a_success_resets_the_failure_count(caller: Caller) -> None:
    caller.server.script(DOWN, DOWN, DOWN, DOWN, Behaviour(), DOWN, DOWN, DOWN, DOWN, Behaviour())
    assert [caller.ask() for _ in range(10)] == [*["overloaded"] * 4, "ok"] * 2


def test_a_rejected_request_does_not_count_as_a_failure(caller: Caller) -> None:
    caller.server.usual = Behaviour("status", status=401, error_type="authentication_error")
    assert [caller.ask() for _ in range(7)] == ["unauthorized"] * 7


def test_each_rest_is_twice_as_long_up_to_five_minutes(caller: Caller) -> None:
    caller.break_it()
    for rest_s in (30, 60, 120, 240, 300, 300):
        caller.clock.now += rest_s - 1
        assert caller.ask() == "resting"
        caller.clock.now += 1
        assert caller.ask() == "overloaded"


def test_a_probe_that_succeeds_ends_the_rest(caller: Caller) -> None:
    caller.break_it()
    caller.clock.now += 30
    caller.server.usual = Behaviour()
    assert [caller.ask() for _ in range(3)] == ["ok"] * 3
    caller.server.usual = DOWN
    assert [caller.ask() for _ in range(6)] == [*["overloaded"] * 5, "resting"]


def test_only_one_probe_runs_until_its_first_text(caller: Caller) -> None:
    caller.break_it()
    caller.clock.now += 30
    caller.server.usual = Behaviour()

    async def probe() -> list[str]:
        seen: list[str] = []
        caller.breaker.admit(caller.adapter, HERE, person=False)
        seen.append(await caller_code(caller))
        caller.breaker.released(caller.adapter, HERE)
        async with aclosing(caller.provider().stream(small())) as events:
            await anext(events)
            async for _ in events:
                seen.append(await caller_code(caller))
                return seen
        return seen

    assert run(caller.adapter, probe()) == ["resting", "ok"]


async def caller_code(caller: Caller) -> str:
    try:
        await caller.provider().complete(small())
    except ModelError as error:
        return error.code
    return "ok"


def test_a_cancelled_probe_lets_the_next_call_probe(caller: Caller) -> None:
    caller.break_it()
    caller.clock.now += 30
    caller.server.usual = Behaviour()

    async def cancel_early() -> None:
        async with aclosing(caller.provider().stream(small())) as events:
            await anext(events)

    run(caller.adapter, cancel_early())
    assert caller.ask() == "ok"


def test_a_person_s_call_may_probe_before_the_rest_is_over(caller: Caller) -> None:
    caller.break_it()
    assert caller.ask(question()) == "overloaded"
    caller.clock.now += 29
    assert caller.ask() == "resting"
    caller.server.usual = Behaviour()
    assert caller.ask(question()) == "ok"
    assert caller.ask() == "ok"


def test_each_workspace_and_address_has_its_own_circuit(caller: Caller, server: ProviderServer) -> None:
    caller.break_it()
    caller.server.usual = Behaviour()
    assert caller.ask(workspace_id=uuid4()) == "ok"
    other = caller.provider(adapter_of(server.url))
    run(other, other.complete(small()))
    assert caller.ask() == "resting"


def test_a_refusal_by_the_circuit_breaker_is_not_retried(caller: Caller) -> None:
    caller.break_it()
    provider = RetryingProvider(caller.provider(), IMPATIENT)
    with pytest.raises(ModelError, match="Calls are paused"):
        run(provider, provider.complete(small()))
    assert caller.requests() == 5


def test_the_circuits_of_an_unused_adapter_are_freed(server: ProviderServer) -> None:
    caller = Caller(server)
    caller.break_it()
    del caller.adapter
    gc.collect()
    assert not caller.breaker._failing


def test_circuits_are_limited_to_a_thousand_workspaces(caller: Caller) -> None:
    for _ in range(1_200):
        caller.breaker.failed(caller.adapter, uuid4(), retry_after_s=None)
    assert len(caller.breaker._failing[caller.adapter]) == 1_000


def test_a_longer_retry_after_extends_the_rest(caller: Caller) -> None:
    for _ in range(5):
        caller.breaker.failed(caller.adapter, HERE, retry_after_s=90)
    caller.clock.now += 89
    assert caller.ask() == "resting"
    caller.clock.now += 1
    assert caller.ask(ModelRequest(Purpose.MERGE, "claude-haiku-5-5", small().prompt)) == "ok"
