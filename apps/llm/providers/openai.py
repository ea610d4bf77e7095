"""OpenAI's chat completions, and everybody who speaks them at another address. Answers are always streamed upstream."""

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

# The SDK wants a key even where nobody asks for one.
_NO_KEY = "none"
# Google takes no more at once.
_LARGEST_BATCH = 100
_SDK = Sdk("openai", "openai.resources.chat", "OpenAIError")


class OpenAIProvider(HttpProvider):
    """One for each service; `dialect` tells how it differs from the others."""

    sdk = _SDK

    def __init__(self, name: str, api_key: str, base_url: str, times: ModelTimes, dialect: Dialect) -> None:
        super().__init__(times)
        self.name = name
        self.capabilities = Capabilities(
            supports_schema=dialect.supports_schema, caches_prompts=dialect.caches_prompts, embeds=True
        )
        self._api_key, self._base_url, self._dialect = api_key, base_url, dialect

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        """In batches, each with the time of a whole call."""
        batches = [texts[start : start + _LARGEST_BATCH] for start in range(0, len(texts), _LARGEST_BATCH)]
        answers = [await self._embedded(batch, model) for batch in batches]
        return embedded(answers)

    async def _embedded(self, texts: Sequence[str], model: str) -> tuple[list[Vector], int | None]:
        """The vectors of one batch, and what it took if that was told."""

        def ask(client: Any) -> Any:
            asked = client.embeddings.with_raw_response
            return asked.create(input=list(texts), model=model, encoding_format="float")

        answer = await self._asked(ask, asyncio.get_running_loop().time() + self._times.total_s)
        body = read_object(answer.http_response.content)
        told = read_part(body, "usage").get("prompt_tokens")
        return vectors_of(body, len(texts)), told if is_count(told) else None

    def _new_client(self, timeout: Any) -> Any:
        if self._dialect.needs_key and not self._api_key:
            raise ModelError("not_configured")
        sdk = import_module("openai")
        # A redirect could lead anywhere, and the key with it.
        transport = sdk.DefaultAsyncHttpxClient(timeout=timeout, follow_redirects=False)
        client = sdk.AsyncOpenAI(
            api_key=self._api_key or _NO_KEY, base_url=self._base_url, max_retries=0, http_client=transport
        )
        # The SDK takes these from the environment; they are no business of another address or another key.
        client.organization = client.project = None
        return client

    def _opening(self, client: Any, request: ModelRequest) -> Any:
        """The SDK compares each part of each message with the types that it knows, for milliseconds on the event loop:
        so the messages go beside what it looks at."""
        body = request_body(request, self._dialect)
        beside = {"messages": body.pop("messages")}
        opened = client.chat.completions.with_streaming_response
        return opened.create(**body, messages=[], extra_body=beside, stream=True)

    def _reader(self) -> ChunkReader:
        return ChunkReader()

    def _status_error(self, failed: Any) -> ModelError:
        return http_error(failed)


def sdk_load() -> None:
    """Import the SDK where nobody waits for it."""
    load(_SDK)
