"""The OpenAI Chat Completions protocol and its dialects, without the transport: request bodies and stream chunks.

Sampling parameters are never sent, because newer models reject them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_openai
from apps.llm.errors import ModelError
from apps.llm.providers.base import (
    MAX_TOKENS,
    Embedded,
    Finished,
    ModelRequest,
    Prompt,
    Reasoning,
    StreamEvent,
    TextDelta,
    Usage,
    UsageSource,
)
from apps.llm.providers.http import explained, refusal, status_code
from apps.llm.providers.json_access import is_count, read_content, read_count, read_object, read_part, read_text
from apps.llm.providers.sse import EventBytes
from apps.llm.providers.strict_schema import strict_schema
from apps.llm.providers.text_sanitizer import Cleaner
from apps.llm.providers.thinking import ThinkingFilter

Vector = tuple[float, ...]

_DONE = b"[DONE]"
_SCHEMA_INSTRUCTIONS = "Answer with one JSON object and nothing else. It follows this JSON schema:\n"
# By an error's code or type; services fill in one or the other, some with HTTP statuses.
_CODES_BY_NAME = MappingProxyType(
    {
        "rate_limit_exceeded": "rate_limited",
        "rate_limit_error": "rate_limited",
        "429": "rate_limited",
        "server_is_overloaded": "overloaded",
        "overloaded_error": "overloaded",
        "slow_down": "overloaded",
        "503": "overloaded",
        "529": "overloaded",
        "insufficient_quota": "rejected",
        "402": "rejected",
        "content_filter": "refused",
        "invalid_api_key": "unauthorized",
    }
)
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Dialect:
    """Differences between services. Without `supports_schema` the request asks for any JSON object, and the schema
    goes into the instructions."""

    length_field: str = "max_tokens"
    supports_schema: bool = True
    caches_prompts: bool = False
    needs_key: bool = True


def request_body(request: ModelRequest, dialect: Dialect) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        dialect.length_field: request.max_tokens,
        "messages": _messages(request.prompt),
        "stream_options": {"include_usage": True},
    }
    if request.answer_schema is None:
        return body
    if dialect.supports_schema:
        return {**body, "response_format": _response_format(request.answer_schema)}
    instructions = _SCHEMA_INSTRUCTIONS + json.dumps(request.answer_schema, ensure_ascii=False)
    messages = _with_instructions(body["messages"], instructions)
    return {**body, "messages": messages, "response_format": {"type": "json_object"}}


def _messages(prompt: ContextPack | Prompt) -> list[dict[str, Any]]:
    if isinstance(prompt, ContextPack):
        messages: list[dict[str, Any]] = render_openai(prompt)["messages"]
        return messages
    message = {"role": "user", "content": prompt.text}
    return [{"role": "system", "content": prompt.system}, message] if prompt.system else [message]


def _with_instructions(messages: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """Append text to the system message, which is created if needed."""
    if messages and messages[0]["role"] == "system":
        first, *others = messages
        return [{**first, "content": f"{first['content']}\n\n{text}"}, *others]
    return [{"role": "system", "content": text}, *messages]


def _response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    strict = strict_schema(schema)
    name = _NOT_IN_NAMES.sub("_", str(schema.get("title", "")))[:_LONGEST_NAME] or "answer"
    named_schema = {"name": name, "strict": strict is not None, "schema": strict or dict(schema)}
    return {"type": "json_schema", "json_schema": named_schema}


class ChunkReader:
    """Parses the bytes of one answer. It ends with a finish reason followed by `[DONE]` or by the end of the stream:
    some services omit `[DONE]`, others send the usage between the two."""

    def __init__(self) -> None:
        self.finished = False
        self._events = EventBytes()
        self._cleaner, self._thought_cleaner = Cleaner(), Cleaner()
        self._thinking = ThinkingFilter()
        self._has_text = False
        self._reason = ""
        self._usage: Usage | None = None

    def read(self, piece: bytes | None) -> Iterator[StreamEvent]:
        """Parse a chunk of bytes, or the end of the stream (None).

        Raises `ModelError` for an error chunk and for a stream that ends too early.
        """
        if piece is None:
            yield from self._finish()
            return
        for _name, data in self._events.feed(piece):
            if data.strip() == _DONE:
                yield from self._finish()
                return
            yield from self._chunk(read_object(data))

    def _chunk(self, chunk: Mapping[str, Any]) -> Iterator[StreamEvent]:
        if error := chunk.get("error"):
            raise in_band_error(error)
        choice = _first_choice(chunk)
        delta = read_part(choice, "delta")
        if read_text(delta, "refusal"):
            raise ModelError("refused")
        text, thought = read_content(delta)
        self._thinking.note(self._thought_cleaner.clean(thought))
        yield from self._text(self._thinking.feed(self._cleaner.clean(text)))
        self._reason = read_text(choice, "finish_reason") or self._reason
        self._note_usage(read_part(chunk, "usage"))

    def _text(self, text: str) -> Iterator[StreamEvent]:
        """A piece of the answer, the first one preceded by the reasoning."""
        if text:
            if not self._has_text:
                yield from self._reasoning()
            self._has_text = True
            yield TextDelta(text)

    def _reasoning(self) -> Iterator[StreamEvent]:
        if reasoning := self._thinking.reasoning:
            yield Reasoning(reasoning)

    def _note_usage(self, reported: Mapping[str, Any]) -> None:
        """Replace the usage: some services report the running total with each chunk."""
        if is_count(reported.get("prompt_tokens")):
            self._usage = usage_of(reported)

    def _finish(self) -> Iterator[StreamEvent]:
        yield from self._text(self._thinking.end())
        if not self._has_text:
            yield from self._reasoning()
        if not self._reason:
            raise ModelError("cut")
        if self._usage is not None:
            yield self._usage
        if self._reason.startswith("content_filter"):
            raise ModelError("refused")
        if self._reason == "error":
            raise ModelError("in_band", provider_status=200)
        if not self._has_text:
            raise ModelError("malformed", "The model's answer was empty.")
        self.finished = True
        yield Finished(MAX_TOKENS if self._reason == "length" else "end_turn")


def usage_of(reported: Mapping[str, Any]) -> Usage:
    """Convert a usage report, whose `prompt_tokens` include tokens read from and written to the cache."""
    details = read_part(reported, "prompt_tokens_details")
    read, written = read_count(details, "cached_tokens"), read_count(details, "cache_write_tokens")
    return Usage(
        UsageSource.REPORTED,
        input_tokens=max(read_count(reported, "prompt_tokens") - read - written, 0),
        output_tokens=read_count(reported, "completion_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def vectors_of(body: Mapping[str, Any], count: int) -> list[Vector]:
    """The vectors of `count` texts, in order."""
    rows = body.get("data")
    if not isinstance(rows, list) or len(rows) != count:
        raise ModelError("malformed", "The provider did not return an embedding for each text.")
    by_index = {_index(row): row for row in rows}
    if by_index.keys() != set(range(count)):
        raise ModelError("malformed", "The provider's embeddings have no valid index.")
    return [_vector(by_index[number].get("embedding")) for number in range(count)]


def embedded(batches: Sequence[tuple[Sequence[Vector], int | None]]) -> Embedded:
    """Combine batches into one result, with the usage if every batch reported it."""
    vectors = tuple(vector for batch, _ in batches for vector in batch)
    if len({len(vector) for vector in vectors}) > 1:
        raise ModelError("malformed", "The provider's embeddings differ in length.")
    counts = [count for _, count in batches if count is not None]
    is_reported = bool(batches) and len(counts) == len(batches)
    return Embedded(vectors, Usage(UsageSource.REPORTED, sum(counts), 0) if is_reported else None)


def _index(row: Any) -> int:
    """The row's index. Google omits 0."""
    index = row.get("index", 0) if isinstance(row, dict) else None
    if type(index) is not int:
        raise ModelError("malformed", "The provider's embeddings have no valid index.")
    return index


def _vector(value: Any) -> Vector:
    if not isinstance(value, list) or not value or not all(_is_number(part) for part in value):
        raise ModelError("malformed", "The provider returned an invalid embedding.")
    return tuple(map(float, value))


def _is_number(value: object) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value)


def in_band_error(error: Any) -> ModelError:
    """The error in a chunk of an answer that began with status 200."""
    fields = error if isinstance(error, dict) else {}
    names = [str(fields[name]) for name in ("code", "type") if fields.get(name) is not None]
    code = next((_CODES_BY_NAME[name] for name in names if name in _CODES_BY_NAME), "in_band")
    return ModelError(code, explained(code, names[0] if names else None, None), provider_status=200)


def http_error(failed: Any) -> ModelError:
    """Translate an HTTP error. An exhausted quota has the status of a rate limit, but retrying does not help."""
    status: int = failed.status_code
    out_of_quota = "insufficient_quota" in {failed.code, failed.type}
    code = "rejected" if out_of_quota else status_code(status)
    return refusal(code, failed.code or failed.type, status, failed.response.headers)


def _first_choice(chunk: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = chunk.get("choices") or [{}]
    if not isinstance(choices, list) or not isinstance(choices[0], dict):
        raise ModelError("malformed")
    return choices[0]
