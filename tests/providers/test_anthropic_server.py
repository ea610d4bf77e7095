"""The fake Anthropic server: its protocol, and its use as a process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.calling import get, post

BODY = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
HEADERS = {"x-api-key": "k", "anthropic-version": "2026-10-21", "content-type": "application/json"}


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with running_server() as running:
        yield running


def test_both_key_headers_are_accepted_and_invalid_keys_rejected(server: ProviderServer) -> None:
    url = f"{server.url}/v1/messages"
    bearer = {**HEADERS, "authorization": "Bearer k"}
    del bearer["x-api-key"]
    assert post(url, BODY, HEADERS)[0] == post(url, BODY, bearer)[0] == 200
    assert post(url, BODY, {"anthropic-version": "2026-10-21"})[0] == 401


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.5},
        {"messages": []},
        {"messages": [{"role": "assistant", "content": "Hi"}]},
        {"system": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}] * 5},
    ],
    ids=["sampling", "no messages", "assistant first", "five breakpoints"],
)
def test_requests_that_the_real_service_rejects_are_rejected(server: ProviderServer, change: dict[str, Any]) -> None:
    status, body = post(f"{server.url}/v1/messages", {**BODY, **change}, HEADERS)
    assert status == 400
    assert json.loads(body)["error"]["type"] == "invalid_request_error"


def test_a_stream_has_all_named_events_in_order(server: ProviderServer) -> None:
    _, stream = post(f"{server.url}/v1/messages", {**BODY, "stream": True}, HEADERS)
    names = [line.removeprefix("event: ") for line in stream.decode().splitlines() if line.startswith("event: ")]
    assert names[:2] == ["message_start", "content_block_start"]
    assert names[-3:] == ["content_block_stop", "message_delta", "message_stop"]
    assert set(names[2:-3]) == {"ping", "content_block_delta"}


def test_tokens_are_counted_as_in_a_call_and_the_models_listed(server: ProviderServer) -> None:
    counted = {name: value for name, value in BODY.items() if name != "max_tokens"}
    status, response = post(f"{server.url}/v1/messages/count_tokens", counted, HEADERS)
    usage = json.loads(post(f"{server.url}/v1/messages", BODY, HEADERS)[1])["usage"]
    assert (status, json.loads(response)["input_tokens"]) == (200, usage["input_tokens"])
    assert post(f"{server.url}/v1/messages/count_tokens", BODY, HEADERS)[0] == 400
    status, models = get(f"{server.url}/v1/models", HEADERS)
    assert (status, models["data"][0]["type"], models["has_more"]) == (200, "model", False)


def test_a_server_process_is_scripted_over_http() -> None:
    program = [sys.executable, "-m", "tests.providers.anthropic_server", "--port", "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            url = process.stdout.readline().strip()
            post(f"{url}/control/script", [{"kind": "status", "status": 529}], HEADERS)
            assert post(f"{url}/v1/messages", BODY, HEADERS)[0] == 529
            assert post(f"{url}/v1/messages", BODY, HEADERS)[0] == 200
            response = json.loads(post(f"{url}/control/requests", None, HEADERS)[1])
            assert [request["body"] for request in response["requests"]] == [BODY, BODY]
        finally:
            process.terminate()
