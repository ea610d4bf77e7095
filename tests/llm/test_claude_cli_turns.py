"""The concurrency limit of `claude -p`: waiting, timeouts, and no lost slots."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from uuid import uuid4

import pytest

from apps.llm.errors import ModelError
from apps.llm.middleware.circuit_breaker import FAILURES_IN_A_ROW, BreakingProvider
from apps.llm.providers.base import Purpose
from apps.llm.providers.claude_cli import ClaudeCliProvider
from apps.llm.timeouts import ModelTimes
from tests.llm.claude_cli_adapter import ClaudeCliAdapter
from tests.llm.conftest import events_of, question, run, text_of
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour

PATIENT = ModelTimes()


@pytest.fixture
def claude() -> Iterator[ClaudeCliAdapter]:
    with ClaudeCliAdapter.running() as running:
        yield running


@asynccontextmanager
async def speaking(provider: ClaudeCliProvider) -> AsyncIterator[None]:
    """While a call is in its middle."""
    async with aclosing(provider.stream(question())) as events:
        await anext(events)
        yield


@pytest.mark.parametrize(
    ("times", "timeout_s"), [(PATIENT, 0.2), (replace(PATIENT, turn_s=0.2), None)], ids=["its own limit", "a turn's"]
)
def test_waiting_for_a_slot_times_out(claude: ClaudeCliAdapter, times: ModelTimes, timeout_s: float | None) -> None:
    claude.script(Behaviour("stall"))
    provider = claude.provider(times)

    async def ask() -> str:
        async with speaking(provider):
            begin = time.monotonic()
            with pytest.raises(ModelError) as caught:
                await provider.complete(replace(question(), timeout_s=timeout_s))
            assert time.monotonic() - begin < 2
            assert (caught.value.code, caught.value.retryable, claude.requests_made()) == ("busy", True, 1)
        return (await provider.complete(question())).text

    assert run(provider, ask()) == DEFAULT_TEXT


def test_waiting_for_a_slot_does_not_count_as_a_provider_failure(claude: ClaudeCliAdapter) -> None:
    claude.script(Behaviour("stall"))
    provider = claude.provider(replace(PATIENT, turn_s=0.05))
    guarded = BreakingProvider(provider, adapter=provider, workspace_id=uuid4())
    notes = replace(question(), purpose=Purpose.COMPACTION)

    async def ask() -> str:
        async with speaking(provider):
            for _ in range(FAILURES_IN_A_ROW):
                with pytest.raises(ModelError, match="busy"):
                    await guarded.complete(notes)
        return (await guarded.complete(notes)).text

    assert run(provider, ask()) == DEFAULT_TEXT


def test_a_slot_assigned_to_a_cancelled_waiter_is_not_lost(claude: ClaudeCliAdapter) -> None:
    claude.script(Behaviour("stall"))
    provider = claude.provider(PATIENT)

    async def ask() -> str:
        async with speaking(provider):
            waiter = asyncio.create_task(provider.complete(question()))
            await asyncio.sleep(0)
        waiter.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiter
        return (await provider.complete(question())).text

    assert run(provider, ask()) == DEFAULT_TEXT
    assert claude.requests_made() == 2


def test_the_concurrency_limit_applies_across_threads(claude: ClaudeCliAdapter) -> None:
    claude.script(Behaviour("stall"))
    provider = claude.provider(PATIENT)
    answers: list[str] = []
    others = [
        threading.Thread(target=lambda each=each: answers.append(text_of(run(each, events_of(each, question())))))
        for each in (provider, claude.provider(PATIENT))
    ]

    async def lease() -> int:
        async with speaking(provider):
            for other in others:
                other.start()
            await asyncio.sleep(0.3)  # time for the others to begin, if they could
            return claude.requests_made()

    assert run(provider, lease()) == 1
    for other in others:
        other.join(10)
    assert answers == [DEFAULT_TEXT] * 2
