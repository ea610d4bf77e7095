"""Anthropic's messages, or whoever speaks them at another address. Answers are always streamed upstream.

The SDK is imported when the first call is made: it costs a process about 66 MB and a second.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from apps.llm.errors import ModelError
from apps.llm.providers.anthropic_wire import AnswerReader, request_body, status_error
from apps.llm.providers.base import Events, ModelRequest, StreamingProvider
from apps.llm.times import MODEL_TIMES, ModelTimes

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

T = TypeVar("T")

OFFICIAL_URL = "https://api.anthropic.com"
# At DEBUG they would write what was said into the log.
_TALKATIVE = ("anthropic", "httpx2", "httpcore2")
# Who has sent the last event has only the end of the stream to send.
_GOODBYE_S = 0.25


class AnthropicProvider(StreamingProvider):
    """Asks once. One for all calls with the same key; its connections belong to the event loop that opened them."""

    name = "anthropic"

    def __init__(self, api_key: str, base_url: str = OFFICIAL_URL, times: ModelTimes = MODEL_TIMES) -> None:
        self._api_key, self._base_url, self._times = api_key, base_url, times
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncAnthropic] = WeakKeyDictionary()

    async def stream(self, request: ModelRequest) -> Events:
        deadline = asyncio.get_running_loop().time() + self._times.limit_s(request.purpose, request.timeout_s)
        client = await self._client()
        reader = AnswerReader()
        async with AsyncExitStack() as stack:
            opening = client.messages.with_streaming_response.create(**self._body(request), stream=True)
            answer = await self._opened(opening, stack, deadline)
            limit_s = self._times.first_byte_s
            while not reader.finished:
                with _as_model_errors():
                    event = await _within(anext(answer, None), limit_s, deadline)
                if event is None:
                    raise ModelError("cut")
                limit_s = self._times.idle_s
                for told in reader.read(event.event, event.data):
                    yield told
            await _read_out(answer)

    async def aclose(self) -> None:
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        from anthropic import transform_schema  # noqa: PLC0415  # heavy: see the module's docstring

        body = request_body(request)
        if request.answer_schema is not None:
            wanted = body["output_config"]["format"]
            wanted["schema"] = transform_schema(wanted["schema"])
        return body

    async def _opened(self, opening: Any, stack: AsyncExitStack, deadline: float) -> AsyncIterator[Any]:
        """The events of the answer, as far as the server says that it is one; `stack` closes the connection."""
        from anthropic import AsyncStream  # noqa: PLC0415  # heavy: see the module's docstring

        with _as_model_errors():
            answer = await _within(stack.enter_async_context(opening), self._times.first_byte_s, deadline)
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            raise ModelError("malformed", "The address does not speak the messages protocol.")
        return AsyncStream.raw_events(answer.http_response)

    async def _client(self) -> AsyncAnthropic:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            # On a thread, so that the others on this loop don't wait for it.
            await asyncio.to_thread(sdk_load)
        if loop not in self._clients:
            self._clients[loop] = self._new_client()
        return self._clients[loop]

    def _new_client(self) -> AsyncAnthropic:
        import httpx2  # noqa: PLC0415  # comes with the SDK
        from anthropic import AsyncAnthropic  # noqa: PLC0415  # heavy: see the module's docstring

        for name in _TALKATIVE:
            logging.getLogger(name).setLevel(logging.WARNING)
        return AsyncAnthropic(
            api_key=self._api_key,
            base_url=self._base_url,
            timeout=httpx2.Timeout(self._times.idle_s, connect=self._times.connect_s, pool=self._times.connect_s),
            max_retries=0,
            open_telemetry=False,
        )


@cache
def sdk_load() -> None:
    """Import the SDK, once, and spare the garbage collector from going through it again and again: it stays."""
    import_module("anthropic.resources.messages")
    gc.freeze()


async def _read_out(answer: AsyncIterator[Any]) -> None:
    """Read to the very end, for only then the connection is used again: the next answer begins without a handshake."""
    with suppress(Exception):
        async with asyncio.timeout(_GOODBYE_S):
            await anext(answer, None)


async def _within(awaited: Awaitable[T], limit_s: float, deadline: float) -> T:
    """Never held open while an event is handed on: whoever takes long over one must not be cancelled for it."""
    async with asyncio.timeout_at(min(asyncio.get_running_loop().time() + limit_s, deadline)):
        return await awaited


@contextmanager
def _as_model_errors() -> Iterator[None]:
    """Turn what SDK and transport raise into our error, without their texts, which may quote what was said."""
    import anthropic  # noqa: PLC0415  # heavy: see the module's docstring
    import httpx2  # noqa: PLC0415  # comes with the SDK

    try:
        yield
        return
    except (TimeoutError, anthropic.APITimeoutError, httpx2.TimeoutException):
        error = ModelError("timeout")
    except anthropic.APIStatusError as failed:
        error = status_error(failed.status_code, failed.type, failed.response.headers)
    except anthropic.APIConnectionError:
        error = ModelError("unavailable")
    except httpx2.TransportError:
        error = ModelError("cut")
    except (anthropic.AnthropicError, httpx2.RequestError, ValueError):
        error = ModelError("malformed")
    raise error from None
