"""A fake Anthropic Messages API over HTTP and SSE, with scripted failures.

In a test: `with running_server() as server: server.script(Behaviour("cut")); … server.url`. As a process:
`python -m tests.providers.anthropic_server --port 0` prints its URL; it ends with its parent.
`tests/providers/server.py` describes how to script it over HTTP.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any

from tests.providers.behaviours import Behaviour, Recorded
from tests.providers.prompt_cache import MOST_BREAKPOINTS, PromptCache, breakpoints_of, tokens_of
from tests.providers.server import Exchange, ProviderServer, key_of, running, serve_until_left

__all__ = ["AnthropicWire", "ProviderServer", "running_server"]

VERSIONS = {"2023-06-01", "2026-10-21"}
SAMPLING = {"temperature", "top_p", "top_k"}
MODELS = ("claude-sonnet-5-5", "claude-haiku-5-5")
_PATHS = {("POST", "/v1/messages"), ("POST", "/v1/messages/count_tokens"), ("GET", "/v1/models")}


class AnthropicWire:
    """The Messages API, with a prompt cache that counts like the real one."""

    def __init__(self) -> None:
        self.cache = PromptCache()

    def reset(self) -> None:
        self.cache.forget()

    def refusal(self, request: Recorded) -> tuple[int, str] | None:
        """Reject invalid keys, unknown versions, sampling parameters, missing bodies, and too many breakpoints."""
        path = request.path.split("?")[0]
        if (request.method, path) not in _PATHS:
            return 404, "not_found_error"
        if not key_of(request):
            return 401, "authentication_error"
        version = request.headers.get("anthropic-version")
        fine = version in VERSIONS and (request.method == "GET" or _acceptable(request, path, str(version)))
        return None if fine else (400, "invalid_request_error")

    def listing(self, request: Recorded) -> Any:
        if request.path.split("?")[0] != "/v1/models":
            return None
        models = [
            {"type": "model", "id": name, "display_name": name, "created_at": "2026-10-21T00:00:00Z"} for name in MODELS
        ]
        return {"data": models, "has_more": False, "first_id": MODELS[0], "last_id": MODELS[-1]}

    def aside(self, request: Recorded, behaviour: Behaviour) -> Any:
        if not request.path.split("?")[0].endswith("/count_tokens"):
            return None
        return {"tokens": "many"} if behaviour.kind == "wrong_schema" else {"input_tokens": tokens_of(request.body)}

    def usage(self, request: Recorded) -> dict[str, Any]:
        return {**self.cache.read(request.body)}

    def error_body(self, error_type: str, status: int) -> Any:
        error = {"type": error_type, "message": "As the test wished. Your request began: SECRET-WORDS"}
        return {"type": "error", "error": error, "request_id": "req_test"}

    def opening(self, exchange: Exchange) -> bytes:
        message = {**_message(exchange), "content": [], "stop_reason": None}
        message["usage"] = {**exchange.usage, "output_tokens": 1}
        start = {"index": 0, "content_block": {"type": "text", "text": ""}}
        return _event("message_start", {"message": message}) + _event("content_block_start", start) + _event("ping", {})

    def delta(self, exchange: Exchange, text: str) -> bytes:
        return _event("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": text}})

    def ping(self, exchange: Exchange) -> bytes:
        return _event("ping", {})

    def broken(self, exchange: Exchange) -> bytes:
        return _event("error", self.error_body(exchange.behaviour.error_type, 200))

    def garbage(self) -> bytes:
        return b"event: content_block_delta\ndata: {\xff\xfe not json\n\n"

    def closing(self, exchange: Exchange, stop_reason: str) -> Iterator[bytes]:
        yield _event("content_block_stop", {"index": 0})
        ended = {
            "delta": {"stop_reason": stop_reason, "stop_sequence": None},
            "usage": {"output_tokens": exchange.output_tokens},
        }
        yield _event("message_delta", ended)
        yield _event("message_stop", {})

    def message(self, exchange: Exchange) -> Any:
        refused = exchange.behaviour.kind == "refusal"
        return {**_message(exchange), "stop_reason": "refusal" if refused else exchange.behaviour.stop_reason}


def _message(exchange: Exchange) -> dict[str, Any]:
    return {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": exchange.request.body["model"],
        "content": [{"type": "text", "text": exchange.text}] if exchange.text else [],
        "stop_sequence": None,
        "usage": {**exchange.usage, "output_tokens": exchange.output_tokens},
    }


def _event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def _acceptable(request: Recorded, path: str, version: str) -> bool:
    body = request.body if isinstance(request.body, dict) else {}
    counting = path.endswith("/count_tokens")
    needed = {"model", "messages"} if counting else {"model", "max_tokens", "messages"}
    if not needed <= body.keys() or not body["messages"] or (counting and "max_tokens" in body):
        return False
    if version == "2026-10-21" and SAMPLING & body.keys():
        return False
    roles = [message["role"] for message in body["messages"]]
    alternate = all(a != b for a, b in pairwise(roles))
    return roles[0] == "user" and alternate and breakpoints_of(body) <= MOST_BREAKPOINTS


def running_server(port: int = 0) -> AbstractContextManager[ProviderServer]:
    """The server on a thread of its own, until the block ends."""
    return running(AnthropicWire(), port)


def main() -> None:
    """Serve until a signal arrives or the parent process ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    serve_until_left(running_server(parser.parse_args().port))


if __name__ == "__main__":
    main()
