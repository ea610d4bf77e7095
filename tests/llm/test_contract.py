"""The contract of all adapters: streaming, every kind of failure, and cancellation."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.summarizers.schema import SummaryAnswer
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import MeteredProvider, TransactionOpen
from apps.llm.middleware.retry import RetryingProvider
from apps.llm.providers.base import (
    Finished,
    ModelRequest,
    Prompt,
    Provider,
    Purpose,
    StreamEvent,
    TextDelta,
    Usage,
    UsageSource,
)
from apps.llm.timeouts import ModelTimes
from tests.llm.adapters import ADAPTERS, HTTP_ADAPTERS, Adapter, OfflineAdapter
from tests.llm.conftest import IMPATIENT, KEY, events_of, question, run, text_of
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour

SAID = "SECRET-WORDS of a person"
NOTES = ModelRequest(
    Purpose.COMPACTION, "test-model", Prompt("Keep notes.", "<messages-x>\n[]\n</messages-x>"), max_tokens=500
)

OTHER_S = 60.0
"""The timeouts that a test does not wait for."""

everybody = pytest.mark.parametrize("adapter", ADAPTERS, indirect=True)
also_offline = pytest.mark.parametrize("adapter", [*ADAPTERS, OfflineAdapter], indirect=True)


@pytest.fixture
def adapter(request: pytest.FixtureRequest) -> Iterator[Adapter]:
    kind: type[Adapter] = request.param
    with kind.running() as running:
        yield running


def each(
    adapters: Iterable[type[Adapter]], *cases: tuple[Any, ...], values: str = "behaviour code"
) -> pytest.MarkDecorator:
    """Every case for every adapter that can have its behaviour."""
    params = [
        pytest.param(adapter, *case, id=f"{adapter.name}-{_named(case[0])}")
        for adapter in adapters
        for case in cases
        if case[0].kind in adapter.kinds
    ]
    return pytest.mark.parametrize(("adapter", *values.split()), params, indirect=["adapter"])


def _named(behaviour: Behaviour) -> str:
    more = {"status": str(behaviour.status), "in_band": behaviour.error_type}.get(behaviour.kind, "")
    return "-".join(part for part in (behaviour.kind, more, "slow" if behaviour.first_byte_s else "") if part)


def times_for(adapter: Adapter) -> ModelTimes:
    """A process takes longer to its first token than a server."""
    return IMPATIENT if isinstance(adapter, HTTP_ADAPTERS) else replace(IMPATIENT, first_byte_s=3, total_s=9)


def again(adapter: Adapter) -> Provider:
    """Complete with retries, as an installation does."""
    times = times_for(adapter)
    return RetryingProvider(adapter.provider(times), times)


def failure(provider: Provider, request: ModelRequest | None = None) -> tuple[ModelError, list[StreamEvent]]:
    seen: list[StreamEvent] = []
    with pytest.raises(ModelError) as caught:
        run(provider, events_of(provider, request or question(), seen))
    return caught.value, seen


@also_offline
def test_an_answer_streams_in_chunks_then_usage_then_the_end(adapter: Adapter) -> None:
    provider = again(adapter)
    events = run(provider, events_of(provider, question()))
    assert sum(isinstance(event, TextDelta) for event in events) > 5
    usage = [event for event in events if isinstance(event, Usage)][-1]
    assert usage.input_tokens > 0
    assert usage.output_tokens > 5
    assert events[-1] == Finished("end_turn")
    assert sum(isinstance(event, Finished) for event in events) == 1


@everybody
def test_the_text_is_complete_and_the_usage_is_reported(adapter: Adapter) -> None:
    provider = again(adapter)
    answer = run(provider, provider.complete(question()))
    assert answer.text == DEFAULT_TEXT
    assert answer.usage
    assert answer.usage.source is UsageSource.REPORTED


@each(
    ADAPTERS,
    (Behaviour(ping_every=1), DEFAULT_TEXT),
    (Behaviour("nul"), DEFAULT_TEXT),
    (Behaviour("halves"), DEFAULT_TEXT + "😀"),
    (Behaviour("no_done"), DEFAULT_TEXT),
    values="behaviour text",
)
def test_an_unusual_but_complete_answer_arrives_storable(adapter: Adapter, behaviour: Behaviour, text: str) -> None:
    adapter.script(behaviour)
    provider = again(adapter)
    assert text_of(run(provider, events_of(provider, question()))) == text


@each(ADAPTERS, (Behaviour("twice"),), values="behaviour")
def test_an_answer_of_twice_the_requested_length_arrives_complete(adapter: Adapter, behaviour: Behaviour) -> None:
    adapter.script(behaviour)
    provider, request = again(adapter), question()
    text = text_of(run(provider, events_of(provider, request)))
    assert len(text) >= 2 * 4 * request.max_tokens
    assert not text.replace(DEFAULT_TEXT, "").strip()


@everybody
def test_an_answer_cut_at_its_limit_reports_max_tokens(adapter: Adapter) -> None:
    adapter.script(Behaviour(stop_reason="max_tokens"))
    provider = again(adapter)
    assert run(provider, events_of(provider, question()))[-1] == Finished("max_tokens")


@each(
    ADAPTERS,
    (Behaviour("cut"), "cut"),
    (Behaviour("reset"), "cut"),
    (Behaviour("in_band", error_type="overloaded_error"), "overloaded"),
    (Behaviour("in_band", error_type="rate_limit_error"), "rate_limited"),
    (Behaviour("in_band", error_type="api_error"), "in_band"),
    (Behaviour("garbage"), "malformed"),
    (Behaviour("refusal"), "refused"),
    (Behaviour("stall"), "timeout"),
    (Behaviour("trickle"), "timeout"),
)
def test_an_answer_that_fails_midway_is_not_retried_and_its_text_remains(
    adapter: Adapter, behaviour: Behaviour, code: str
) -> None:
    adapter.script(behaviour)
    error, seen = failure(again(adapter))
    assert error.code == code
    assert text_of(seen)
    assert DEFAULT_TEXT.startswith(text_of(seen))
    assert not any(isinstance(event, Finished) for event in seen)
    assert adapter.requests_made() == 1


@each(
    ADAPTERS,
    (Behaviour("status", status=429, error_type="rate_limit_error"), "rate_limited", 3),
    (Behaviour("status", status=529, error_type="overloaded_error"), "overloaded", 3),
    (Behaviour("status", status=500), "unavailable", 3),
    (Behaviour("status", status=401, error_type="authentication_error"), "unauthorized", 1),
    (Behaviour("in_band", after=0, error_type="overloaded_error"), "overloaded", 3),
    (Behaviour("cut", after=0), "cut", 3),
    (Behaviour("reset_at_once"), "unavailable", 3),
    (Behaviour("noise"), "unavailable", 3),
    (Behaviour("garbage", after=0), "malformed", 1),
    (Behaviour("page"), "malformed", 1),
    (Behaviour("empty"), "malformed", 1),
    (Behaviour("refusal", after=0), "refused", 1),
    (Behaviour("hang"), "timeout", 1),
    (Behaviour(first_byte_s=2), "timeout", 1),
    values="behaviour code requests",
)
def test_a_failure_before_the_first_text_is_retried_only_if_transient(
    adapter: Adapter, behaviour: Behaviour, code: str, requests: int
) -> None:
    adapter.usual = behaviour
    error, seen = failure(again(adapter))
    assert (error.code, text_of(seen)) == (code, "")
    assert adapter.requests_made() == requests


@each(
    HTTP_ADAPTERS,
    (Behaviour("status", status=503), "unavailable", 3),
    (Behaviour("status", status=504), "timeout", 1),
    (Behaviour("status", status=404, error_type="not_found_error"), "rejected", 1),
    (Behaviour("status", status=413, error_type="request_too_large"), "rejected", 1),
    values="behaviour code requests",
)
def test_an_http_error_is_retried_only_if_transient(
    adapter: Adapter, behaviour: Behaviour, code: str, requests: int
) -> None:
    adapter.usual = behaviour
    error, _ = failure(again(adapter))
    assert (error.code, error.provider_status) == (code, behaviour.status)
    assert adapter.requests_made() == requests


@everybody
def test_a_successful_retry_hides_the_failed_attempt(adapter: Adapter) -> None:
    adapter.script(Behaviour("status", status=529, error_type="overloaded_error"), Behaviour("cut", after=0))
    provider = again(adapter)
    assert text_of(run(provider, events_of(provider, question()))) == DEFAULT_TEXT
    assert adapter.requests_made() == 3


@pytest.mark.parametrize("adapter", HTTP_ADAPTERS, indirect=True)
def test_a_short_retry_after_is_honored_and_a_long_one_passed_on(adapter: Adapter) -> None:
    adapter.script(Behaviour("status", status=429, retry_after="0.15"))
    provider = again(adapter)
    begin = time.monotonic()
    run(provider, events_of(provider, question()))
    assert time.monotonic() - begin >= 0.15
    adapter.script(Behaviour("status", status=429, retry_after="30"))
    error, _ = failure(provider)
    assert (error.retry_after, error.retryable, error.provider_status) == (30, True, 429)
    assert adapter.requests_made() == 3


@each(
    ADAPTERS,
    (Behaviour("hang"), {"idle_s": OTHER_S}),
    (Behaviour("stall", after=2), {"first_byte_s": OTHER_S}),
    (Behaviour("trickle", after=2), {"first_byte_s": OTHER_S, "idle_s": OTHER_S, "chat_total_s": 1.5}),
    values="behaviour longer",
)
def test_each_kind_of_silence_has_its_own_timeout(
    adapter: Adapter, behaviour: Behaviour, longer: dict[str, Any]
) -> None:
    adapter.script(behaviour)
    times = replace(times_for(adapter), **{"chat_total_s": OTHER_S, **longer})
    begin = time.monotonic()
    assert failure(adapter.provider(times))[0].code == "timeout"
    assert time.monotonic() - begin < OTHER_S


@everybody
def test_the_request_s_timeout_ends_a_slow_answer(adapter: Adapter) -> None:
    adapter.usual = Behaviour(piece_s=1)
    error, seen = failure(adapter.provider(ModelTimes()), replace(question(), timeout_s=4))
    assert error.code == "timeout"
    assert text_of(seen)


@everybody
def test_a_chat_reply_may_take_longer_than_background_work(adapter: Adapter) -> None:
    adapter.usual = Behaviour(piece_s=0.25)
    times = replace(times_for(adapter), chat_total_s=9, total_s=1, idle_s=1)
    provider = adapter.provider(times)
    assert text_of(run(provider, events_of(provider, question()))) == DEFAULT_TEXT
    assert failure(provider, replace(question(), purpose=Purpose.COMPACTION))[0].code == "timeout"


async def _is_idle(adapter: Adapter) -> bool:
    for _ in range(100):
        if adapter.open_calls() == 0:
            return True
        await asyncio.sleep(0.02)
    return False


@also_offline
def test_closing_the_stream_ends_the_upstream_call(adapter: Adapter) -> None:
    if "stall" in adapter.kinds:
        adapter.usual = Behaviour("stall", after=2)
    provider = adapter.provider(ModelTimes())

    async def stop_after_a_word() -> bool:
        async with aclosing(provider.stream(question())) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    assert adapter.open_calls() == ("stall" in adapter.kinds)
                    break
        return await _is_idle(adapter)

    assert run(provider, stop_after_a_word())


@everybody
def test_cancelling_the_task_ends_the_upstream_call(adapter: Adapter) -> None:
    adapter.usual = Behaviour("stall", after=2)
    provider = adapter.provider(ModelTimes())

    async def cancel() -> bool:
        seen: list[StreamEvent] = []
        task = asyncio.create_task(events_of(provider, question(), seen))
        while not text_of(seen) and not task.done():
            await asyncio.sleep(0.01)
        assert adapter.open_calls() == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await _is_idle(adapter)

    assert run(provider, cancel())


@everybody
def test_a_slow_reader_does_not_run_into_timeouts(adapter: Adapter) -> None:
    times = replace(times_for(adapter), chat_total_s=5)
    provider = adapter.provider(times)

    async def read_slowly() -> str:
        text = ""
        async with aclosing(provider.stream(question())) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    if not text:
                        await asyncio.sleep(2 * times.idle_s)
                    text += event.text
        return text

    assert run(provider, read_slowly()) == DEFAULT_TEXT


@each(
    ADAPTERS,
    (Behaviour("status", status=401, error_type="authentication_error"),),
    (Behaviour("status", status=429, error_type="SECRET WORDS"),),
    (Behaviour("in_band", error_type="SECRET WORDS"),),
    (Behaviour("garbage"),),
    (Behaviour("refusal"),),
    (Behaviour("reset_at_once"),),
    (Behaviour("page"),),
    (Behaviour("hang"),),
    values="behaviour",
)
def test_errors_and_logs_contain_neither_the_key_nor_messages(
    adapter: Adapter, behaviour: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    adapter.usual = behaviour
    provider = again(adapter)
    with caplog.at_level(logging.DEBUG):
        error, _ = failure(provider, question(SAID))
    output = caplog.text + "".join(traceback.format_exception(error)) + repr(error) + repr(provider)
    assert KEY not in output
    assert "SECRET" not in output


@each(ADAPTERS, (Behaviour(),), (Behaviour("fenced"),), (Behaviour("twice"),), values="behaviour")
def test_a_structured_answer_follows_its_schema(adapter: Adapter, behaviour: Behaviour) -> None:
    adapter.script(behaviour)
    provider = again(adapter)
    answer = run(provider, provider.complete_structured(NOTES, SummaryAnswer))
    assert answer.value == SummaryAnswer.model_validate({name: [] for name in SummaryAnswer.model_fields})
    assert answer.usage
    assert answer.usage.output_tokens > 0
    assert adapter.requests_made() == 1


@each(
    ADAPTERS,
    (Behaviour("wrong_schema"), "malformed"),
    (Behaviour("not_json"), "malformed"),
    (Behaviour("empty"), "malformed"),
    (Behaviour(stop_reason="max_tokens"), "malformed"),
    (Behaviour("cut"), "cut"),
    (Behaviour("refusal"), "refused"),
)
def test_an_invalid_or_incomplete_structured_answer_is_malformed(
    adapter: Adapter, behaviour: Behaviour, code: str
) -> None:
    adapter.script(behaviour)
    provider = adapter.provider(ModelTimes())
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete_structured(NOTES, SummaryAnswer))
    assert caught.value.code == code
    assert "prose" not in "".join(traceback.format_exception(caught.value))


@also_offline
def test_no_provider_is_called_inside_a_transaction(adapter: Adapter, alice: Actor) -> None:
    provider = MeteredProvider(adapter.provider(ModelTimes()))
    with workspace(alice.workspace_id), pytest.raises(TransactionOpen):
        run(provider, provider.complete(question()))
    assert adapter.requests_made() == 0
    run(provider, provider.complete(question()))
