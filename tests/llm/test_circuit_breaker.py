"""A provider that fails again and again is left alone for a while, and found again by one call at a time."""

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


class Asker:
    """Asks a server through a breaker whose clock the test holds."""

    def __init__(self, server: ProviderServer) -> None:
        self.server, self.clock = server, Clock()
        self.breaker = Breaker(self.clock)
        self.adapter = AnthropicProvider("sk-test", server.url, IMPATIENT)

    def provider(self, adapter: AnthropicProvider | None = None, workspace_id: UUID = HERE) -> BreakingProvider:
        adapter = adapter or self.adapter
        return BreakingProvider(adapter, adapter=adapter, workspace_id=workspace_id, breaker=self.breaker)

    def ask(self, request: ModelRequest | None = None, **of: UUID) -> str:
        provider = self.provider(**of)  # type: ignore[arg-type]  # only the workspace is ever said
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
def asker(server: ProviderServer) -> Asker:
    return Asker(server)


def test_after_five_failures_in_a_row_it_is_not_asked_for_a_while(asker: Asker) -> None:
    asker.break_it()
    assert [asker.ask() for _ in range(20)] == ["resting"] * 20
    assert asker.requests() == 5


def test_who_is_refused_is_told_how_long_it_rests(asker: Asker) -> None:
    asker.break_it()
    asker.clock.now += 10
    provider = asker.provider()
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete(small()))
    assert (caught.value.code, caught.value.retry_after) == ("resting", 20)


def test_a_success_in_between_begins_the_count_anew(asker: Asker) -> None:
    asker.server.script(DOWN, DOWN, DOWN, DOWN, Behaviour(), DOWN, DOWN, DOWN, DOWN, Behaviour())
    assert [asker.ask() for _ in range(10)] == [*["overloaded"] * 4, "ok"] * 2


def test_what_a_provider_refuses_is_no_failure_of_it(asker: Asker) -> None:
    asker.server.usual = Behaviour("status", status=401, error_type="authentication_error")
    assert [asker.ask() for _ in range(7)] == ["unauthorized"] * 7


def test_each_rest_is_twice_as_long_up_to_five_minutes(asker: Asker) -> None:
    asker.break_it()
    for rest_s in (30, 60, 120, 240, 300, 300):
        asker.clock.now += rest_s - 1
        assert asker.ask() == "resting"
        asker.clock.now += 1
        assert asker.ask() == "overloaded"


def test_a_probe_that_succeeds_ends_the_rest(asker: Asker) -> None:
    asker.break_it()
    asker.clock.now += 30
    asker.server.usual = Behaviour()
    assert [asker.ask() for _ in range(3)] == ["ok"] * 3
    asker.server.usual = DOWN
    assert [asker.ask() for _ in range(6)] == [*["overloaded"] * 5, "resting"]


def test_one_probe_goes_at_a_time_until_it_has_its_first_word(asker: Asker) -> None:
    asker.break_it()
    asker.clock.now += 30
    asker.server.usual = Behaviour()

    async def probe() -> list[str]:
        seen: list[str] = []
        asker.breaker.admit(asker.adapter, HERE, person=False)
        seen.append(await asker_code(asker))
        asker.breaker.released(asker.adapter, HERE)
        async with aclosing(asker.provider().stream(small())) as events:
            await anext(events)
            async for _ in events:
                seen.append(await asker_code(asker))
                return seen
        return seen

    assert run(asker.adapter, probe()) == ["resting", "ok"]


async def asker_code(asker: Asker) -> str:
    try:
        await asker.provider().complete(small())
    except ModelError as error:
        return error.code
    return "ok"


def test_who_looks_away_from_a_probe_leaves_it_to_the_next(asker: Asker) -> None:
    asker.break_it()
    asker.clock.now += 30
    asker.server.usual = Behaviour()

    async def look_away() -> None:
        async with aclosing(asker.provider().stream(small())) as events:
            await anext(events)

    run(asker.adapter, look_away())
    assert asker.ask() == "ok"


def test_a_person_may_find_out_before_the_rest_is_over(asker: Asker) -> None:
    asker.break_it()
    assert asker.ask(question()) == "overloaded"
    asker.clock.now += 29
    assert asker.ask() == "resting"
    asker.server.usual = Behaviour()
    assert asker.ask(question()) == "ok"
    assert asker.ask() == "ok"


def test_workspaces_and_addresses_rest_each_on_their_own(asker: Asker, server: ProviderServer) -> None:
    asker.break_it()
    asker.server.usual = Behaviour()
    assert asker.ask(workspace_id=uuid4()) == "ok"
    other = asker.provider(adapter_of(server.url))
    run(other, other.complete(small()))
    assert asker.ask() == "resting"


def test_nobody_asks_a_resting_provider_again_at_once(asker: Asker) -> None:
    asker.break_it()
    provider = RetryingProvider(asker.provider(), IMPATIENT)
    with pytest.raises(ModelError, match="left alone"):
        run(provider, provider.complete(small()))
    assert asker.requests() == 5


def test_an_adapter_that_nobody_has_any_more_is_forgotten(server: ProviderServer) -> None:
    asker = Asker(server)
    asker.break_it()
    del asker.adapter
    gc.collect()
    assert not asker.breaker._failing


def test_no_more_than_a_thousand_failing_workspaces_are_remembered(asker: Asker) -> None:
    for _ in range(1_200):
        asker.breaker.failed(asker.adapter, uuid4(), wish_s=None)
    assert len(asker.breaker._failing[asker.adapter]) == 1_000


def test_a_provider_that_wants_more_rest_gets_it(asker: Asker) -> None:
    for _ in range(5):
        asker.breaker.failed(asker.adapter, HERE, wish_s=90)
    asker.clock.now += 89
    assert asker.ask() == "resting"
    asker.clock.now += 1
    assert asker.ask(ModelRequest(Purpose.MERGE, "claude-haiku-5-5", small().prompt)) == "ok"
