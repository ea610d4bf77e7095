"""Adapter for the OpenAI Chat Completions API and compatible services. Requests are always streamed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from apps.llm.errors import ModelError
from apps.llm.providers.base import Capabilities, Embedded, ModelRequest
from apps.llm.providers.http import HttpProvider, Sdk, load
from apps.llm.providers.json_access import is_count, read_object, read_part
from apps.llm.providers.openai_protocol import (
    ChunkReader,
    Dialect,
    Vector,
    embedded,
    http_error,
    request_body,
    vectors_of,
)
from apps.llm.timeouts import ModelTimes

# The SDK requires a key even if the service does not.
_NO_KEY = "none"
# Google's limit.
_LARGEST_BATCH = 100
_SDK = Sdk("openai", "openai.resources.chat", "OpenAIError")


class OpenAIProvider(HttpProvider):
    """One instance per service; `dialect` describes how the service differs from others."""

    sdk = _SDK

    def __init__(self, name: str, api_key: str, base_url: str, times: ModelTimes, dialect: Dialect) -> None:
        super().__init__(times)
        self.name = name
        self.capabilities = Capabilities(
            supports_schema=dialect.supports_schema, caches_prompts=dialect.caches_prompts, embeds=True
        )
        self._api_key, self._base_url, self._dialect = api_key, base_url, dialect

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        """Embed in batches, each with the deadline of a whole call."""
        batches = [texts[start : start + _LARGEST_BATCH] for start in range(0, len(texts), _LARGEST_BATCH)]
        answers = [await self._embed_batch(batch, model) for batch in batches]
        return embedded(answers)

    async def _embed_batch(self, texts: Sequence[str], model: str) -> tuple[list[Vector], int | None]:
        """The vectors of one batch, and its input tokens if reported."""

        def ask(client: Any) -> Any:
            return client.embeddings.with_raw_response.create(input=list(texts), model=model, encoding_format="float")

        answer = await self._call(ask, asyncio.get_running_loop().time() + self._times.total_s)
        body = read_object(answer.http_response.content)
        tokens = read_part(body, "usage").get("prompt_tokens")
        return vectors_of(body, len(texts)), tokens if is_count(tokens) else None

    def _new_client(self, timeout: Any) -> Any:
        if self._dialect.needs_key and not self._api_key:
            raise ModelError("not_configured")
        sdk = import_module("openai")
        # A redirect could send the key to another host.
        transport = sdk.DefaultAsyncHttpxClient(timeout=timeout, follow_redirects=False)
        client = sdk.AsyncOpenAI(
            api_key=self._api_key or _NO_KEY, base_url=self._base_url, max_retries=0, http_client=transport
        )
        # The SDK reads these from the environment; they must not leak to another address or key.
        client.organization = client.project = None
        return client

    def _opening(self, client: Any, request: ModelRequest) -> Any:
        """Pass the messages as `extra_body`: the SDK would otherwise validate each part of each message against its
        types, which blocks the event loop for milliseconds."""
        body = request_body(request, self._dialect)
        extra_body = {"messages": body.pop("messages")}
        completions = client.chat.completions.with_streaming_response
        return completions.create(**body, messages=[], extra_body=extra_body, stream=True)

    def _reader(self) -> ChunkReader:
        return ChunkReader()

    def _status_error(self, failed: Any) -> ModelError:
        return http_error(failed)


def sdk_load() -> None:
    """Import the SDK ahead of the first call."""
    load(_SDK)
