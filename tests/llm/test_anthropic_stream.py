"""A streamed answer over the real wire: what arrives, what was asked, and each way in which it can fail."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from contextlib import aclosing
from dataclasses import replace

import pytest

from apps.llm.errors import ModelError
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import Finished, Provider, Purpose, StreamEvent, TextDelta, Usage, UsageSource
from apps.llm.providers.retrying import RetryingProvider
from tests.llm.conftest import IMPATIENT, KEY, events_of, question, run, text_of
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour

SAID = "SECRET-WORDS of a person"


def failure(provider: Provider) -> tuple[ModelError, list[StreamEvent]]:
    seen: list[StreamEvent] = []
    with pytest.raises(ModelError) as caught:
        run(provider, events_of(provider, question(), seen))
    return caught.value, seen


def test_an_answer_comes_piece_by_piece_with_its_usage_and_its_end(provider: Provider) -> None:
    events = run(provider, events_of(provider, question()))
    assert text_of(events) == DEFAULT_TEXT
    assert sum(isinstance(event, TextDelta) for event in events) > 5
    usage = [event for event in events if isinstance(event, Usage)][-1]
    assert usage.source is UsageSource.REPORTED
    assert (usage.cache_read_tokens, usage.cache_write_tokens) == (7, 3)
    assert usage.input_tokens > 0
    assert usage.output_tokens > 5
    assert events[-1] == Finished("end_turn")


def test_the_request_is_the_protocol_s_of_today(provider: Provider, server: ProviderServer) -> None:
    run(provider, events_of(provider, question("Hello there")))
    (request,) = server.requests
    assert request.path.startswith("/v1/messages")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["anthropic-version"] == "2026-10-21"
    assert set(request.body) == {"model", "max_tokens", "system", "messages", "stream"}
    assert [block["text"] for block in request.body["system"]] == ["Be brief."]
    said = {"type": "text", "text": "Hello there", "cache_control": {"type": "ephemeral"}}
    assert request.body["messages"] == [{"role": "user", "content": [said]}]


def test_pings_between_the_words_are_not_words(provider: Provider, server: ProviderServer) -> None:
    server.script(Behaviour(ping_every=1))
    assert text_of(run(provider, events_of(provider, question()))) == DEFAULT_TEXT


def test_an_answer_cut_at_the_allowed_length_says_so(provider: Provider, server: ProviderServer) -> None:
    server.script(Behaviour(stop_reason="max_tokens"))
    assert run(provider, events_of(provider, question()))[-1] == Finished("max_tokens")
    server.script(Behaviour(stop_reason="model_context_window_exceeded"))
    assert run(provider, events_of(provider, question()))[-1] == Finished("max_tokens")


@pytest.mark.parametrize(("kind", "more"), [("nul", ""), ("halves", "😀")])
def test_what_cannot_be_stored_is_taken_out_of_the_answer(
    provider: Provider, server: ProviderServer, kind: str, more: str
) -> None:
    server.script(Behaviour(kind))
    assert text_of(run(provider, events_of(provider, question()))) == DEFAULT_TEXT + more


def test_a_reply_in_a_talk_may_take_longer_than_other_work(server: ProviderServer) -> None:
    times = replace(IMPATIENT, chat_total_s=5, total_s=0.5)
    provider = RetryingProvider(AnthropicProvider(KEY, server.url, times), times)
    server.usual = Behaviour(piece_s=0.15)
    assert text_of(run(provider, events_of(provider, question()))) == DEFAULT_TEXT
    with pytest.raises(ModelError, match="in time"):
        run(provider, events_of(provider, replace(question(), purpose=Purpose.COMPACTION)))


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (Behaviour("cut"), "cut"),
        (Behaviour("reset"), "cut"),
        (Behaviour("in_band", error_type="overloaded_error"), "overloaded"),
        (Behaviour("in_band", error_type="api_error"), "in_band"),
        (Behaviour("garbage"), "malformed"),
        (Behaviour("refusal"), "refused"),
        (Behaviour("stall"), "timeout"),
        (Behaviour("trickle"), "timeout"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind,
)
def test_an_answer_that_fails_in_its_middle_keeps_its_words_and_is_not_tried_again(
    provider: Provider, server: ProviderServer, behaviour: Behaviour, code: str
) -> None:
    server.script(behaviour)
    error, seen = failure(provider)
    assert error.code == code
    assert text_of(seen)
    assert DEFAULT_TEXT.startswith(text_of(seen))
    assert not any(isinstance(event, Finished) for event in seen)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("behaviour", "code", "requests"),
    [
        (Behaviour("status", status=429, error_type="rate_limit_error"), "rate_limited", 3),
        (Behaviour("status", status=529, error_type="overloaded_error"), "overloaded", 3),
        (Behaviour("status", status=500), "unavailable", 3),
        (Behaviour("status", status=503), "unavailable", 3),
        (Behaviour("status", status=504), "timeout", 1),
        (Behaviour("status", status=401, error_type="authentication_error"), "unauthorized", 1),
        (Behaviour("status", status=404, error_type="not_found_error"), "rejected", 1),
        (Behaviour("status", status=413, error_type="request_too_large"), "rejected", 1),
        (Behaviour("in_band", after=0, error_type="overloaded_error"), "overloaded", 3),
        (Behaviour("cut", after=0), "cut", 3),
        (Behaviour("reset_at_once"), "unavailable", 3),
        (Behaviour("noise"), "unavailable", 3),
        (Behaviour("garbage", after=0), "malformed", 1),
        (Behaviour("page"), "malformed", 1),
        (Behaviour("empty"), "malformed", 1),
        (Behaviour("refusal", after=0), "refused", 1),
        (Behaviour("hang"), "timeout", 1),
        (Behaviour(first_byte_s=1), "timeout", 1),
    ],
    ids=lambda value: value if isinstance(value, str | int) else f"{value.kind}-{value.status}",
)
def test_what_fails_before_the_first_word_is_tried_again_only_where_that_may_help(
    provider: Provider, server: ProviderServer, behaviour: Behaviour, code: str, requests: int
) -> None:
    server.usual = behaviour
    error, seen = failure(provider)
    assert (error.code, text_of(seen)) == (code, "")
    assert len(server.requests) == requests


def test_a_second_try_that_succeeds_is_all_that_anybody_sees(provider: Provider, server: ProviderServer) -> None:
    server.script(Behaviour("status", status=529), Behaviour("cut", after=0))
    assert text_of(run(provider, events_of(provider, question()))) == DEFAULT_TEXT
    assert len(server.requests) == 3


def test_a_short_wish_to_wait_is_honoured(provider: Provider, server: ProviderServer) -> None:
    server.script(Behaviour("status", status=429, retry_after="0.15"))
    begin = time.monotonic()
    run(provider, events_of(provider, question()))
    assert time.monotonic() - begin >= 0.15


def test_a_long_wish_to_wait_is_passed_on(provider: Provider, server: ProviderServer) -> None:
    server.script(Behaviour("status", status=429, retry_after="30"))
    error, _ = failure(provider)
    assert (error.retry_after, error.retryable, error.provider_status) == (30, True, 429)
    assert len(server.requests) == 1


def test_nobody_at_the_address_is_an_error_within_seconds() -> None:
    lonely = RetryingProvider(AnthropicProvider(KEY, "http://127.0.0.1:9", IMPATIENT), IMPATIENT)
    assert failure(lonely)[0].code == "unavailable"


def test_the_request_s_own_limit_ends_a_slow_answer(server: ProviderServer) -> None:
    provider = AnthropicProvider(KEY, server.url)
    server.script(Behaviour(piece_s=0.1))
    request = question()
    limited = type(request)(request.purpose, request.model, request.prompt, timeout_s=0.4)
    seen: list[StreamEvent] = []
    with pytest.raises(ModelError) as caught:
        run(provider, events_of(provider, limited, seen))
    assert caught.value.code == "timeout"
    assert text_of(seen)


async def _closed_early(server: ProviderServer) -> bool:
    for _ in range(100):
        if server.closed_early == 1 and server.open_streams == 0:
            return True
        await asyncio.sleep(0.02)
    return False


def test_a_reader_that_stops_closes_the_connection_upstream(provider: Provider, server: ProviderServer) -> None:
    server.usual = Behaviour(piece_s=0.1)

    async def stop_after_a_word() -> bool:
        async with aclosing(provider.stream(question())) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    break
        return await _closed_early(server)

    assert run(provider, stop_after_a_word())


def test_a_cancelled_task_closes_the_connection_upstream(provider: Provider, server: ProviderServer) -> None:
    server.usual = Behaviour("stall", after=1)

    async def cancel() -> bool:
        seen: list[StreamEvent] = []
        task = asyncio.create_task(events_of(provider, question(), seen))
        while not text_of(seen):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await _closed_early(server)

    assert run(provider, cancel())


def test_a_slow_reader_is_not_cancelled_by_our_own_limits(provider: Provider) -> None:
    async def read_slowly() -> str:
        text = ""
        async with aclosing(provider.stream(question())) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    if not text:
                        await asyncio.sleep(2 * IMPATIENT.idle_s)
                    text += event.text
        return text

    assert run(provider, read_slowly()) == DEFAULT_TEXT


def test_a_hundred_answers_at_once_all_arrive_whole(server: ProviderServer) -> None:
    provider = AnthropicProvider(KEY, server.url)
    server.usual = Behaviour(piece_s=0.02)

    async def all_at_once() -> list[str]:
        answers = await asyncio.gather(*(provider.complete(question()) for _ in range(100)))
        return [answer.text for answer in answers]

    assert run(provider, all_at_once()) == [DEFAULT_TEXT] * 100
    assert server.most_open_streams > 50


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour("status", status=401, error_type="authentication_error"),
        Behaviour("status", status=400, error_type="SECRET WORDS"),
        Behaviour("in_band", error_type="SECRET WORDS"),
        Behaviour("garbage"),
        Behaviour("reset_at_once"),
        Behaviour("hang"),
    ],
    ids=lambda behaviour: behaviour.kind,
)
def test_neither_the_key_nor_what_was_said_is_in_an_error_or_a_log(
    provider: Provider, server: ProviderServer, behaviour: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    server.usual = behaviour
    with caplog.at_level(logging.DEBUG):
        seen: list[StreamEvent] = []
        with pytest.raises(ModelError) as caught:
            run(provider, events_of(provider, question(SAID), seen))
    told = caplog.text + "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(provider)
    assert KEY not in told
    assert "SECRET" not in told
