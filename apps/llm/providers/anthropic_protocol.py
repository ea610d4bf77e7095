"""The Anthropic Messages protocol without its transport: request bodies and stream events.

Sampling parameters are never sent, because the current version of the protocol rejects them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_anthropic
from apps.llm.errors import ModelError
from apps.llm.providers.base import (
    MAX_TOKENS,
    Finished,
    ModelRequest,
    Prompt,
    StreamEvent,
    TextDelta,
    Usage,
    UsageSource,
)
from apps.llm.providers.http import explained
from apps.llm.providers.json_access import is_count, read_object, read_part, read_text
from apps.llm.providers.sse import EventBytes
from apps.llm.providers.text_sanitizer import Cleaner

_CODES_BY_TYPE = MappingProxyType(
    {
        "overloaded_error": "overloaded",
        "rate_limit_error": "rate_limited",
        "authentication_error": "unauthorized",
        "permission_error": "unauthorized",
        "timeout_error": "timeout",
    }
)
# The answer was cut off at its own limit or at the end of the context window.
_TOO_LONG = frozenset({"max_tokens", "model_context_window_exceeded"})


def request_body(request: ModelRequest) -> dict[str, Any]:
    return {"max_tokens": request.max_tokens, **counting_body(request)}


def counting_body(request: ModelRequest) -> dict[str, Any]:
    """The part of a request body that costs input tokens."""
    body: dict[str, Any] = {"model": request.model, **_prompt_body(request.prompt)}
    if request.answer_schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.answer_schema)}}
    return body


def _prompt_body(prompt: ContextPack | Prompt) -> dict[str, Any]:
    if isinstance(prompt, ContextPack):
        return render_anthropic(prompt)
    return {"system": prompt.system, "messages": [{"role": "user", "content": prompt.text}]}


class AnswerReader:
    """Parses the bytes of one answer, which is complete once `finished` is true."""

    def __init__(self) -> None:
        self.finished = False
        self._events = EventBytes()
        self._has_text = False
        self._cleaner = Cleaner()
        self._stop_reason = ""
        self._tokens: dict[str, int] = {}

    def read(self, piece: bytes | None) -> Iterator[StreamEvent]:
        """Parse a chunk of bytes, or the end of the stream (None).

        Raises `ModelError` for an error event and for a stream that ends too early.
        """
        if piece is None:
            raise ModelError("cut")
        for name, data in self._events.feed(piece):
            yield from self._event(name, data)

    def _event(self, name: bytes, data: bytes) -> Iterator[StreamEvent]:
        match name:
            case b"content_block_delta":
                yield from self._text(read_part(read_object(data), "delta"))
            case b"message_start":
                yield self._usage(read_part(read_part(read_object(data), "message"), "usage"))
            case b"message_delta":
                self._end(read_object(data))
            case b"message_stop":
                yield from self._finish()
            case b"error":
                raise in_band_error(data)

    def _text(self, delta: Mapping[str, Any]) -> Iterator[StreamEvent]:
        if delta.get("type") == "text_delta" and (text := self._cleaner.clean(read_text(delta, "text"))):
            self._has_text = True
            yield TextDelta(text)

    def _end(self, event: Mapping[str, Any]) -> None:
        self._stop_reason = str(read_part(event, "delta").get("stop_reason") or "")
        self._usage(read_part(event, "usage"))

    def _finish(self) -> Iterator[StreamEvent]:
        if self._tokens:
            yield self._usage({})
        if self._stop_reason == "refusal":
            raise ModelError("refused")
        if not self._has_text:
            raise ModelError("malformed", "The model's answer was empty.")
        self.finished = True
        yield Finished(MAX_TOKENS if self._stop_reason in _TOO_LONG else self._stop_reason or "end_turn")

    def _usage(self, reported: Mapping[str, Any]) -> Usage:
        """Merge reported counts into the totals; each report replaces the counts that it names."""
        self._tokens.update({name: value for name, value in reported.items() if is_count(value)})
        return Usage(
            UsageSource.REPORTED,
            input_tokens=self._tokens.get("input_tokens", 0),
            output_tokens=self._tokens.get("output_tokens", 0),
            cache_read_tokens=self._tokens.get("cache_read_input_tokens", 0),
            cache_write_tokens=self._tokens.get("cache_creation_input_tokens", 0),
        )


def in_band_error(data: bytes) -> ModelError:
    """The error of an `error` event within an answer that began with status 200."""
    try:
        error_type = read_part(read_object(data), "error").get("type")
    except ModelError:
        error_type = None
    code = _CODES_BY_TYPE.get(str(error_type), "in_band")
    return ModelError(code, explained(code, error_type, None), provider_status=200)
