"""A fake OpenAI Chat Completions API over HTTP and SSE, with scripted failures.

It plays OpenAI, OpenRouter (comments while waiting, numeric error codes), or Ollama (no key, additional lists).
In a test: `with running_server(OLLAMA) as server: …`. As a process:
`python -m tests.providers.openai_server --port 0 --plays ollama` prints its URL; it ends with its parent.
`tests/providers/server.py` describes how to script it over HTTP.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from tests.providers.behaviours import Behaviour, Recorded
from tests.providers.openai_refusals import refused
from tests.providers.server import Exchange, ProviderServer, key_of, running, serve_until_left

__all__ = ["OLLAMA", "OPENAI", "OPENROUTER", "OpenAIWire", "ProviderServer", "running_server"]

OPENAI, OPENROUTER, OLLAMA = "openai", "openrouter", "ollama"
MODELS = ("gpt-test", "text-embedding-test")
DIMENSIONS = 8
_GETS = {"/v1/models"}
_OLLAMA_GETS = {"/api/tags", "/api/version"}
_POSTS = {"/v1/chat/completions", "/v1/embeddings"}
_SHORTEST_CACHED, _CACHED_STEP, _CHARACTERS_IN_TOKEN = 1_024, 128, 4
# What Anthropic's words for an error are in OpenAI's: a type and a code.
_ERRORS = {
    "api_error": ("server_error", None),
    "overloaded_error": ("server_error", "server_is_overloaded"),
    "rate_limit_error": ("requests", "rate_limit_exceeded"),
    "authentication_error": ("invalid_request_error", "invalid_api_key"),
    "not_found_error": ("invalid_request_error", "model_not_found"),
    "request_too_large": ("invalid_request_error", "context_length_exceeded"),
}
_NUMBERS = {"overloaded_error": 503, "rate_limit_error": 429}
_REASONS = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}


class OpenAIWire:
    """The protocol as spoken by one service, with automatic prompt caching."""

    def __init__(self, plays: str = OPENAI) -> None:
        self.plays = plays
        self._seen: list[tuple[str, str]] = []

    def reset(self) -> None:
        self._seen.clear()

    def refusal(self, request: Recorded) -> tuple[int, str] | None:
        paths = _POSTS if request.method == "POST" else _GETS | (_OLLAMA_GETS if self.plays == OLLAMA else set())
        if request.path not in paths:
            return 404, "not_found_error"
        if self.plays != OLLAMA and not key_of(request):
            return 401, "authentication_error"
        if request.method == "POST" and refused(request, lenient=self.plays != OPENAI):
            return 400, "invalid_request_error"
        return None

    def listing(self, request: Recorded) -> Any:
        match request.path:
            case "/v1/models":
                models = [{"id": name, "object": "model", "created": 1, "owned_by": "tests"} for name in MODELS]
                return {"object": "list", "data": models}
            case "/api/tags":
                return {"models": [{"name": name, "model": name, "size": 1_000, "details": {}} for name in MODELS]}
            case "/api/version":
                return {"version": "0.40.12"}
        return None

    def aside(self, request: Recorded, behaviour: Behaviour) -> Any:
        return _embeddings(request.body, behaviour) if request.path == "/v1/embeddings" else None

    def usage(self, request: Recorded) -> dict[str, Any]:
        text = json.dumps(request.body["messages"])
        known = 0 if self.plays == OLLAMA else self._known(request.body["model"], text)
        usage: dict[str, Any] = {"prompt_tokens": len(text) // _CHARACTERS_IN_TOKEN}
        return usage if self.plays == OLLAMA else {**usage, "prompt_tokens_details": {"cached_tokens": known}}

    def error_body(self, error_type: str, status: int) -> Any:
        message = "As the test wished. Your request began: SECRET-WORDS"
        if self.plays == OPENROUTER:
            return {"error": {"code": status, "message": message}}
        kind, code = _ERRORS.get(error_type, (error_type, None))
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}

    def opening(self, exchange: Exchange) -> bytes:
        if self.plays == OPENROUTER:
            return b": OPENROUTER PROCESSING\n\n"
        return _event(_chunk(exchange, {"role": "assistant", "content": "", "refusal": None}))

    def delta(self, exchange: Exchange, text: str) -> bytes:
        return _event(_chunk(exchange, {"content": text}))

    def ping(self, exchange: Exchange) -> bytes:
        return b": OPENROUTER PROCESSING\n\n" if self.plays == OPENROUTER else _event(_chunk(exchange, {}))

    def broken(self, exchange: Exchange) -> bytes:
        error_type = exchange.behaviour.error_type
        if self.plays != OPENROUTER:
            return _event(self.error_body(error_type, 500))
        failed = _chunk(exchange, {"content": ""}, "error")
        return _event({**failed, **self.error_body(error_type, _NUMBERS.get(error_type, 502))})

    def garbage(self) -> bytes:
        return b"data: {\xff\xfe not json\n\n"

    def closing(self, exchange: Exchange, stop_reason: str) -> Iterator[bytes]:
        reason = _REASONS.get(stop_reason, stop_reason)
        yield _event(_chunk(exchange, {}, reason))
        if exchange.request.body.get("stream_options", {}).get("include_usage"):
            yield _event({**_chunk(exchange, {}), "choices": [], "usage": _usage(exchange)})
        if exchange.behaviour.kind != "no_done":
            yield b"data: [DONE]\n\n"

    def message(self, exchange: Exchange) -> Any:
        refused = exchange.behaviour.kind == "refusal"
        reason = "content_filter" if refused else _REASONS.get(exchange.behaviour.stop_reason, "stop")
        message = {"role": "assistant", "content": exchange.text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
        return {**_head(exchange, "chat.completion"), "choices": [choice], "usage": _usage(exchange)}

    def _known(self, model: str, text: str) -> int:
        """The tokens of the longest cached prefix, in whole steps."""
        same = max((_same(text, before) for name, before in self._seen if name == model), default=0)
        self._seen.append((model, text))
        tokens = same // _CHARACTERS_IN_TOKEN // _CACHED_STEP * _CACHED_STEP
        return tokens if tokens >= _SHORTEST_CACHED else 0


def _same(one: str, other: str) -> int:
    """The length of the common prefix of two texts."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _head(exchange: Exchange, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-test", "object": kind, "created": 1, "model": exchange.request.body["model"]}


def _chunk(exchange: Exchange, delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    return {**_head(exchange, "chat.completion.chunk"), "choices": [choice], "usage": None}


def _usage(exchange: Exchange) -> dict[str, Any]:
    completion = exchange.output_tokens
    total = exchange.usage["prompt_tokens"] + completion
    return {**exchange.usage, "completion_tokens": completion, "total_tokens": total}


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _embeddings(body: dict[str, Any], behaviour: Behaviour) -> dict[str, Any]:
    """A deterministic vector of a text; rows are sent in reverse order, because only their indexes count."""
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    rows = [{"object": "embedding", "index": number, "embedding": vector(text)} for number, text in enumerate(texts)]
    match behaviour.kind:
        case "wrong_schema":
            rows = rows[1:]
        case "not_json":
            rows[0]["embedding"] = ["I", "would", "rather", "not"]
        case "halves":
            rows[-1]["embedding"] = vector(texts[-1])[: DIMENSIONS // 2]
    tokens = sum(map(len, texts)) // _CHARACTERS_IN_TOKEN
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage}


def vector(text: str) -> list[float]:
    return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:DIMENSIONS]]


def running_server(plays: str = OPENAI, port: int = 0) -> AbstractContextManager[ProviderServer]:
    """Run the server on its own thread until the block ends."""
    return running(OpenAIWire(plays), port)


def main() -> None:
    """Serve until a signal arrives or the parent process ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--plays", choices=(OPENAI, OPENROUTER, OLLAMA), default=OPENAI)
    args = parser.parse_args()
    serve_until_left(running_server(args.plays, args.port))


if __name__ == "__main__":
    main()
