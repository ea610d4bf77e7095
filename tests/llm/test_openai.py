"""Features specific to the OpenAI adapter: dialects, structured answers, and embeddings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from apps.compaction.summarizers.schema import SummaryAnswer
from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.tokens.estimate import estimate_message
from apps.llm.errors import ModelError
from apps.llm.providers.base import Finished, ModelRequest, Prompt, Purpose, Usage
from apps.llm.providers.openai import OpenAIProvider, sdk_load
from apps.llm.providers.openai_protocol import Dialect
from apps.llm.routing.providers import provider_spec
from tests.llm.conftest import IMPATIENT, KEY, events_of, pack_of, question, run, said, text_of
from tests.providers import openai_server
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour, Recorded
from tests.providers.openai_server import OpenAIWire, vector
from tests.providers.server import Exchange, ProviderServer, running

COMPATIBLE, GEMINI, OLLAMA, OPENAI, OPENROUTER = (
    provider_spec(name).dialect for name in ("compatible", "gemini", "ollama", "openai", "openrouter")
)

NOTES = ModelRequest(Purpose.COMPACTION, "gpt-test", Prompt("Keep notes.", "<messages-x>\n[]\n</messages-x>"))


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    sdk_load()
    with openai_server.running_server() as running:
        yield running


@pytest.fixture
def ollama() -> Iterator[ProviderServer]:
    sdk_load()
    with openai_server.running_server(openai_server.OLLAMA) as running:
        yield running


class WithoutUsage(OpenAIWire):
    """Knows nothing of `stream_options`, as some addresses."""

    def closing(self, exchange: Exchange, stop_reason: str) -> Iterator[bytes]:
        yield b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


class Vectors(OpenAIWire):
    """Answers with these rows, whatever the texts."""

    def __init__(self, rows: str) -> None:
        super().__init__()
        self.rows = rows

    def aside(self, request: Recorded, behaviour: Behaviour) -> Any:
        return {"data": json.loads(self.rows)}


def asking(server: ProviderServer, dialect: Dialect = OPENAI, key: str = KEY) -> OpenAIProvider:
    return OpenAIProvider("openai", key, f"{server.url}/v1", IMPATIENT, dialect)


def test_a_request_follows_the_protocol_without_sampling_parameters(server: ProviderServer) -> None:
    provider = asking(server)
    run(provider, events_of(provider, question("Hello there")))
    (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "claude-test",
        "max_completion_tokens": 500,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello there"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_the_organization_in_the_environment_is_not_sent(
    server: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-operator")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-the-operator")
    provider = asking(server)
    run(provider, events_of(provider, question()))
    assert "of-the-operator" not in str(server.requests[0].headers)


def test_headers_from_the_environment_are_not_sent(server: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = "Authorization: Bearer of-the-operator\nX-Extra: of-the-operator\napi-key: of-the-operator"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", headers)
    provider = asking(server)
    run(provider, events_of(provider, question()))
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "of-the-operator" not in str(server.requests[0].headers)


def test_rendered_tool_calls_and_results_are_accepted(server: ProviderServer) -> None:
    call, result = Part(PartKind.TOOL_CALL, '{"q": 1}', "c1", "find"), Part(PartKind.TOOL_RESULT, "found", "c1", "find")
    talk = (
        said(0, "Look it up"),
        Message("id-1", 1, Role.ASSISTANT, "", estimate_message(""), parts=(call,)),
        Message("id-2", 2, Role.TOOL, "", estimate_message("found"), parts=(result,)),
        said(3, "And?"),
    )
    provider = asking(server)
    request = ModelRequest(Purpose.CHAT, "gpt-test", pack_of(*talk))
    assert run(provider, provider.complete(request)).text == DEFAULT_TEXT
    assert [message["role"] for message in server.requests[0].body["messages"]][-4:] == [
        *("user", "assistant", "tool", "user")
    ]


def test_ollama_is_called_without_a_key_in_its_dialect(ollama: ProviderServer) -> None:
    provider = asking(ollama, OLLAMA, key="")
    assert run(provider, provider.complete(question())).text == DEFAULT_TEXT
    body = ollama.requests[0].body
    assert body["max_tokens"] == 500
    assert "max_completion_tokens" not in body


@pytest.mark.parametrize("dialect", [OPENAI, OPENROUTER, GEMINI])
def test_a_provider_that_requires_a_key_is_not_called_without_one(server: ProviderServer, dialect: Dialect) -> None:
    provider = asking(server, dialect, key="")
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete(question()))
    assert caught.value.code == "not_configured"
    assert not server.requests


def test_an_invalid_key_is_reported(server: ProviderServer) -> None:
    provider = asking(server, key="wrong")
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete(question()))
    assert (caught.value.code, caught.value.detail.endswith("(401, invalid_api_key)")) == ("unauthorized", True)


def test_an_exhausted_quota_is_not_retried_as_a_rate_limit(server: ProviderServer) -> None:
    server.script(Behaviour("status", status=429, error_type="insufficient_quota"))
    provider = asking(server)
    with pytest.raises(ModelError) as caught:
        run(provider, provider.complete(question()))
    assert (caught.value.code, caught.value.at_once, caught.value.provider_status) == ("rejected", False, 429)


def test_a_cached_prefix_is_reported_separately(server: ProviderServer) -> None:
    provider = asking(server)
    request = question("What did we decide about the harbour? " * 200)

    async def twice() -> list[Usage | None]:
        return [(await provider.complete(request)).usage for _ in range(2)]

    first, second = run(provider, twice())
    assert first
    assert second
    assert (first.cache_read_tokens, second.cache_read_tokens > 1_024) == (0, True)
    assert second.input_tokens + second.cache_read_tokens == first.input_tokens


def test_an_answer_without_usage_is_complete() -> None:
    sdk_load()
    with running(WithoutUsage()) as server:
        provider = asking(server)
        events = run(provider, events_of(provider, question()))
    assert text_of(events) == DEFAULT_TEXT
    assert events[-1] == Finished("end_turn")
    assert not any(isinstance(event, Usage) for event in events)


def test_a_structured_answer_uses_strict_mode(server: ProviderServer) -> None:
    provider = asking(server)
    run(provider, provider.complete_structured(NOTES, SummaryAnswer))
    wanted = server.requests[0].body["response_format"]
    assert (wanted["type"], wanted["json_schema"]["name"]) == ("json_schema", "SummaryAnswer")
    assert wanted["json_schema"]["strict"] is True
    schema = wanted["json_schema"]["schema"]
    assert schema["required"] == list(SummaryAnswer.model_fields)


class Loose(BaseModel):
    goals: dict[str, list[str]] = {}


def test_a_schema_beyond_strict_mode_is_sent_as_non_strict(server: ProviderServer) -> None:
    server.script(Behaviour(text='{"goals": {"a": ["b"]}}'))
    provider = asking(server)
    answer = run(provider, provider.complete_structured(NOTES, Loose))
    assert answer.value.goals == {"a": ["b"]}
    assert server.requests[0].body["response_format"]["json_schema"]["strict"] is False


@pytest.mark.parametrize("system", ["Keep notes.", ""])
def test_a_service_without_schemas_gets_it_in_the_instructions(server: ProviderServer, system: str) -> None:
    provider = asking(server, replace(COMPATIBLE, length_field="max_completion_tokens"))
    request = replace(NOTES, prompt=Prompt(system, "<messages-x>\n[]\n</messages-x>"))
    assert run(provider, provider.complete_structured(request, SummaryAnswer)).value.goals == []
    body = server.requests[0].body
    assert body["response_format"] == {"type": "json_object"}
    assert body["messages"][0]["content"].startswith(system)
    assert '"SummaryAnswer"' in body["messages"][0]["content"]


def test_an_adapter_declares_its_capabilities(server: ProviderServer) -> None:
    can = {dialect: asking(server, dialect).capabilities for dialect in (OPENAI, OLLAMA, COMPATIBLE)}
    assert [(one.supports_schema, one.caches_prompts, one.counts_tokens, one.embeds) for one in can.values()] == [
        (True, True, False, True),
        (True, False, False, True),
        (False, False, False, True),
    ]


def test_vectors_arrive_in_the_order_of_the_texts(server: ProviderServer) -> None:
    provider = asking(server)
    texts = [f"text {number}" for number in range(250)]
    embedded = run(provider, provider.embed(texts, "text-embedding-test"))
    assert embedded.vectors == tuple(tuple(vector(text)) for text in texts)
    assert [len(request.body["input"]) for request in server.requests] == [100, 100, 50]
    assert {request.body["encoding_format"] for request in server.requests} == {"float"}
    assert embedded.usage
    assert embedded.usage.input_tokens > 250


def test_embedding_no_texts_sends_no_request(server: ProviderServer) -> None:
    provider = asking(server)
    embedded = run(provider, provider.embed([], "text-embedding-test"))
    assert (embedded.vectors, embedded.usage, len(server.requests)) == ((), None, 0)


def test_an_index_that_google_omits_is_zero() -> None:
    sdk_load()
    with running(Vectors('[{"embedding": [0.5, 2], "index": 1}, {"embedding": [1, 0]}]')) as server:
        provider = asking(server, GEMINI)
        assert run(provider, provider.embed(["a", "b"], "m")).vectors == ((1.0, 0.0), (0.5, 2.0))


@pytest.mark.parametrize(
    "rows",
    [
        '[{"embedding": [1], "index": 0}]',
        '[{"embedding": [1]}, {"embedding": [2]}]',
        '[{"embedding": [1], "index": 0}, {"embedding": [2], "index": 2}]',
        '[{"embedding": [1], "index": 0}, {"embedding": [2], "index": true}]',
        '[{"embedding": [1], "index": 0}, {"embedding": [2, 3], "index": 1}]',
        '[{"embedding": [1], "index": 0}, {"embedding": [], "index": 1}]',
        '[{"embedding": [1], "index": 0}, {"embedding": [1e999], "index": 1}]',
        '[{"embedding": [1], "index": 0}, {"embedding": "AACAPw==", "index": 1}]',
        '[{"embedding": [1], "index": 0}, 7]',
        '"none"',
    ],
)
def test_invalid_vectors_are_rejected(rows: str) -> None:
    sdk_load()
    with running(Vectors(rows)) as server, pytest.raises(ModelError) as caught:
        provider = asking(server)
        run(provider, provider.embed(["a", "b"], "m"))
    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (Behaviour("status", status=429), "rate_limited"),
        (Behaviour("wrong_schema"), "malformed"),
        (Behaviour("halves"), "malformed"),
        (Behaviour("page"), "malformed"),
        (Behaviour("hang"), "timeout"),
        (Behaviour("reset_at_once"), "unavailable"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind,
)
def test_a_failed_embedding_is_an_error(server: ProviderServer, behaviour: Behaviour, code: str) -> None:
    server.script(behaviour)
    provider = asking(server)
    with pytest.raises(ModelError) as caught:
        run(provider, provider.embed(["a", "b"], "m"))
    assert caught.value.code == code


def test_consecutive_answers_reuse_one_connection(server: ProviderServer) -> None:
    provider = asking(server)

    async def five() -> None:
        for _ in range(5):
            await provider.complete(question())

    run(provider, five())
    assert (len(server.requests), server.connections_made) == (5, 1)


def test_a_hundred_concurrent_answers_arrive_complete(server: ProviderServer) -> None:
    times = replace(IMPATIENT, connect_s=60, first_byte_s=60, idle_s=60, total_s=60)
    provider = OpenAIProvider("openai", KEY, f"{server.url}/v1", times, OPENAI)
    server.usual = Behaviour(piece_s=0.02)

    async def all_at_once() -> list[str]:
        request = replace(question(), purpose=Purpose.MERGE)
        answers = await asyncio.gather(*(provider.complete(request) for _ in range(100)))
        return [answer.text for answer in answers]

    assert run(provider, all_at_once()) == [DEFAULT_TEXT] * 100
    assert server.most_open_streams > 50
