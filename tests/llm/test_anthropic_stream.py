"""Features specific to the Anthropic adapter: requests, stop reasons, prompt cache, token counts."""

from __future__ import annotations

import asyncio

import pytest

from apps.engine.messages.message import Role
from apps.llm.errors import ModelError
from apps.llm.middleware.retry import RetryingProvider
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import Finished, ModelRequest, Prompt, Provider, Purpose, Usage, UsageSource
from apps.llm.timeouts import ModelTimes
from tests.llm.conftest import IMPATIENT, KEY, events_of, pack_of, question, run, said
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour

LONG = "The harbour was built in the year of the great flood. " * 100


def usages(provider: Provider, *requests: ModelRequest) -> list[Usage]:
    async def ask() -> list[Usage | None]:
        return [(await provider.complete(request)).usage for request in requests]

    return [usage for usage in run(provider, ask()) if usage is not None]


def test_a_request_follows_the_current_protocol(provider: Provider, server: ProviderServer) -> None:
    run(provider, events_of(provider, question("Hello there")))
    (request,) = server.requests
    assert request.path.startswith("/v1/messages")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["anthropic-version"] == "2026-10-21"
    assert set(request.body) == {"model", "max_tokens", "system", "messages", "stream"}
    assert [block["text"] for block in request.body["system"]] == ["Be brief."]
    part = {"type": "text", "text": "Hello there", "cache_control": {"type": "ephemeral"}}
    assert request.body["messages"] == [{"role": "user", "content": [part]}]


def test_headers_from_the_environment_are_not_sent(
    provider: Provider, server: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = "Authorization: Bearer of-the-operator\nX-Extra: of-the-operator\nx-api-key: of-the-operator"
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", headers)
    run(provider, events_of(provider, question()))
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "of-the-operator" not in str(server.requests[0].headers)


def test_an_answer_cut_at_the_context_window_reports_max_tokens(provider: Provider, server: ProviderServer) -> None:
    server.script(Behaviour(stop_reason="model_context_window_exceeded"))
    assert run(provider, events_of(provider, question()))[-1] == Finished("max_tokens")


def test_an_unreachable_address_is_an_error_within_seconds() -> None:
    lonely = RetryingProvider(AnthropicProvider(KEY, "http://127.0.0.1:9", IMPATIENT), IMPATIENT)
    with pytest.raises(ModelError) as caught:
        run(lonely, events_of(lonely, question()))
    assert caught.value.code == "unavailable"


def test_a_hundred_concurrent_answers_arrive_complete(server: ProviderServer) -> None:
    provider = AnthropicProvider(KEY, server.url)
    server.usual = Behaviour(piece_s=0.02)

    async def all_at_once() -> list[str]:
        answers = await asyncio.gather(*(provider.complete(question()) for _ in range(100)))
        return [answer.text for answer in answers]

    assert run(provider, all_at_once()) == [DEFAULT_TEXT] * 100
    assert server.most_open_streams > 50


def test_cached_tokens_are_reported_separately_from_new_ones(provider: Provider) -> None:
    conversation = (said(0, LONG), said(1, "Good to know.", Role.ASSISTANT), said(2, "And then?"))
    first = ModelRequest(Purpose.CHAT, "claude-test", pack_of(*conversation))
    following = (*conversation, said(3, "Nothing more.", Role.ASSISTANT), said(4, "Are you sure?"))
    second = ModelRequest(Purpose.CHAT, "claude-test", pack_of(*following))
    before, after = usages(provider, first, second)
    assert before.cache_read_tokens == 0
    assert before.cache_write_tokens > 1_024
    assert after.cache_read_tokens == before.cache_write_tokens
    assert 0 < after.cache_write_tokens < 100


def test_the_provider_s_token_count_matches_the_usage_of_a_call(
    provider: Provider, once: AnthropicProvider, server: ProviderServer
) -> None:
    request = question(LONG)
    count = run(once, once.count_tokens(request))
    assert count.source is UsageSource.REPORTED
    assert set(server.requests[-1].body) == {"model", "system", "messages"}
    (usage,) = usages(provider, request)
    assert usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens == count.tokens


def test_a_schema_counts_as_input_tokens(once: AnthropicProvider, server: ProviderServer) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    run(once, once.count_tokens(ModelRequest(Purpose.MERGE, "m", Prompt("", "Hi"), answer_schema=schema)))
    assert server.requests[-1].body["output_config"]["format"]["schema"]["additionalProperties"] is False


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (Behaviour("status", status=429), "rate_limited"),
        (Behaviour("page"), "malformed"),
        (Behaviour("wrong_schema"), "malformed"),
        (Behaviour("hang"), "timeout"),
        (Behaviour("reset_at_once"), "unavailable"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind,
)
def test_a_failed_token_count_raises_instead_of_estimating(
    server: ProviderServer, behaviour: Behaviour, code: str
) -> None:
    provider = AnthropicProvider(KEY, server.url, ModelTimes(total_s=0.5, chat_total_s=0.5))
    server.script(behaviour)
    with pytest.raises(ModelError) as caught:
        run(provider, provider.count_tokens(question()))
    assert caught.value.code == code


def test_an_adapter_declares_its_capabilities(once: AnthropicProvider) -> None:
    can = once.capabilities
    assert (can.supports_schema, can.caches_prompts, can.counts_tokens, can.embeds) == (True, True, True, False)
    with pytest.raises(ModelError, match="does not support"):
        run(once, once.embed(["Hi"], "any"))
