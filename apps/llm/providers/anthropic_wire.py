"""The messages protocol of Anthropic, apart from its transport: what is sent, and what each event of an answer means.

Sampling parameters are never sent: the present version of the protocol refuses them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from apps.engine.pack import ContextPack
from apps.engine.rendering import render_anthropic
from apps.llm.errors import FAILURES, ModelError
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
from apps.llm.providers.cleaning import Cleaner

_CODES_BY_STATUS = MappingProxyType(
    {401: "unauthorized", 403: "unauthorized", 408: "timeout", 429: "rate_limited", 504: "timeout", 529: "overloaded"}
)
_CODES_BY_TYPE = MappingProxyType(
    {
        "overloaded_error": "overloaded",
        "rate_limit_error": "rate_limited",
        "authentication_error": "unauthorized",
        "permission_error": "unauthorized",
        "timeout_error": "timeout",
    }
)
# The answer was cut at its own limit, or where the model's window ended.
_TOO_LONG = frozenset({"max_tokens", "model_context_window_exceeded"})
_WORD = re.compile(r"[a-z_]{1,40}")
_MOST_TOKENS = 2**31 - 1


def request_body(request: ModelRequest) -> dict[str, Any]:
    body: dict[str, Any] = {"model": request.model, "max_tokens": request.max_tokens, **_said(request.prompt)}
    if request.answer_schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.answer_schema)}}
    return body


def _said(prompt: ContextPack | Prompt) -> dict[str, Any]:
    if isinstance(prompt, ContextPack):
        return render_anthropic(prompt)
    return {"system": prompt.system, "messages": [{"role": "user", "content": prompt.text}]}


class AnswerReader:
    """Reads the events of one answer; `finished` after the one that ends it, and only then is the answer complete."""

    def __init__(self) -> None:
        self.finished = False
        self._spoken = False
        self._cleaner = Cleaner()
        self._stop_reason = ""
        self._tokens: dict[str, int] = {}

    def read(self, event: str | None, data: str) -> Iterator[StreamEvent]:
        """Raises `ModelError` for an error in the stream, and for an end that is no answer."""
        if event == "error":
            raise in_band_error(data)
        if event == "message_start":
            yield self._usage(_part(_part(_object(data), "message"), "usage"))
        elif event == "content_block_delta":
            yield from self._text(_part(_object(data), "delta"))
        elif event == "message_delta":
            self._end(_object(data))
        elif event == "message_stop":
            yield from self._finish()

    def _text(self, delta: Mapping[str, Any]) -> Iterator[StreamEvent]:
        if delta.get("type") != "text_delta":
            return
        text = delta.get("text")
        if not isinstance(text, str):
            raise ModelError("malformed")
        if text := self._cleaner.clean(text):
            self._spoken = True
            yield TextDelta(text)

    def _end(self, event: Mapping[str, Any]) -> None:
        self._stop_reason = str(_part(event, "delta").get("stop_reason") or "")
        self._usage(_part(event, "usage"))

    def _finish(self) -> Iterator[StreamEvent]:
        if self._tokens:
            yield self._usage({})
        if self._stop_reason == "refusal":
            raise ModelError("refused")
        if not self._spoken:
            raise ModelError("malformed", "The model's answer was empty.")
        self.finished = True
        yield Finished(MAX_TOKENS if self._stop_reason in _TOO_LONG else self._stop_reason or "end_turn")

    def _usage(self, told: Mapping[str, Any]) -> Usage:
        """Every telling replaces the numbers that it names."""
        self._tokens.update({name: value for name, value in told.items() if _is_count(value)})
        return Usage(
            UsageSource.REPORTED,
            input_tokens=self._tokens.get("input_tokens", 0),
            output_tokens=self._tokens.get("output_tokens", 0),
            cache_read_tokens=self._tokens.get("cache_read_input_tokens", 0),
            cache_write_tokens=self._tokens.get("cache_creation_input_tokens", 0),
        )


def status_error(status: int, error_type: object, headers: Mapping[str, str]) -> ModelError:
    """The error of an answer with an HTTP status of 400 or more."""
    code = _CODES_BY_STATUS.get(status) or ("unavailable" if status >= 500 or status == 409 else "rejected")
    return ModelError(
        code, _explained(code, error_type, status), provider_status=status, retry_after=_retry_after(headers)
    )


def in_band_error(data: str) -> ModelError:
    """The error of an `error` event in the middle of an answer that began with status 200."""
    try:
        error_type = _part(_object(data), "error").get("type")
    except ModelError:
        error_type = None
    code = _CODES_BY_TYPE.get(str(error_type), "in_band")
    return ModelError(code, _explained(code, error_type, None), provider_status=200)


def _explained(code: str, error_type: object, status: int | None) -> str:
    """Our sentence with the provider's name for the error, if it is nothing but a name."""
    name = error_type if isinstance(error_type, str) and _WORD.fullmatch(error_type) else ""
    told = ", ".join(str(part) for part in (status, name) if part)
    return FAILURES[code].detail + (f" ({told})" if told else "")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds; a date is no number of ours to wait for."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        if 0 <= seconds < 86_400:
            return seconds
    return None


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _MOST_TOKENS


def _object(data: str) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ModelError("malformed")
    return value


def _part(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = value.get(name)
    if part is None:
        return {}
    if not isinstance(part, dict):
        raise ModelError("malformed")
    return part
