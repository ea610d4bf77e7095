"""Base class for adapters that use a vendor SDK over HTTP: deadlines, connections, and errors without quoted content.

SDKs are imported on the first call, because an import costs tens of megabytes and up to a second.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
from abc import abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from apps.llm.errors import FAILURES, ModelError
from apps.llm.providers.base import Events, ModelRequest, StreamEvent, StreamingProvider
from apps.llm.timeouts import ModelTimes

T = TypeVar("T")

# Time for the end of the stream, after its last event.
_DRAIN_S = 0.25
_MAX_RETRY_AFTER_S = 86_400.0
# Larger than any real answer, including the framing of each event.
LARGEST_STREAM = 32 * 1024 * 1024
_CODES_BY_STATUS = MappingProxyType(
    {401: "unauthorized", 403: "unauthorized", 408: "timeout", 429: "rate_limited", 504: "timeout", 529: "overloaded"}
)
_WORD = re.compile(r"[a-z_]{1,40}")


@dataclass(frozen=True, slots=True)
class Sdk:
    """A provider's SDK: its package, the module whose import loads the rest, and the name of its base error."""

    package: str
    entrance: str
    error: str


class Reader(Protocol):
    """Parses one answer, which is complete once `finished` is true."""

    finished: bool

    def read(self, piece: bytes | None) -> Iterable[StreamEvent]:
        """Parse a chunk of bytes, or the end of the stream (None); raises `ModelError` if it ends too early."""


class HttpProvider(StreamingProvider):
    """An adapter without retries. One instance serves all calls with a key; connections are pooled per event loop."""

    sdk: Sdk

    def __init__(self, times: ModelTimes) -> None:
        self._times = times
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    async def stream(self, request: ModelRequest) -> Events:
        deadline = self._deadline(request)
        client = await self._client()
        reader = self._reader()
        async with AsyncExitStack() as stack:
            limit = min(deadline, _now() + self._times.first_byte_s)
            response = await self._open(self._opening(client, request), stack, limit)
            pieces = await stack.enter_async_context(aclosing(self._pieces(response, limit, deadline)))
            while not reader.finished:
                for event in reader.read(await anext(pieces, None)):
                    yield event
            await _drain(pieces)

    async def aclose(self) -> None:
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    @abstractmethod
    def _new_client(self, timeout: Any) -> Any:
        """Create the SDK's client, with its own retries disabled."""

    @abstractmethod
    def _opening(self, client: Any, request: ModelRequest) -> Any:
        """The SDK's context manager for the open response to the request."""

    @abstractmethod
    def _reader(self) -> Reader: ...

    def _status_error(self, failed: Any) -> ModelError:
        """Translate the SDK's error for an HTTP status of 400 or more."""
        return status_error(failed.status_code, failed.type, failed.response.headers)

    def _deadline(self, request: ModelRequest) -> float:
        return _now() + self._times.limit_s(request.purpose, request.timeout_s)

    async def _call(self, call: Callable[[Any], Awaitable[T]], deadline: float) -> T:
        """Make a call that is not streamed, within `total_s`."""
        client = await self._client()
        with self._as_model_errors():
            return await within(call(client), min(deadline, _now() + self._times.total_s))

    async def _open(self, opening: Any, stack: AsyncExitStack, limit: float) -> Any:
        """Open the response and check its content type; `stack` closes the connection."""
        with self._as_model_errors():
            answer = await within(stack.enter_async_context(opening), limit)
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            raise ModelError("malformed", "This URL does not respond like the provider's API. Check the base URL.")
        return answer.http_response

    async def _pieces(self, response: Any, limit: float, deadline: float) -> AsyncGenerator[bytes, None]:
        """Yield the answer's bytes as they arrive, the first chunk before `limit`, up to `LARGEST_STREAM`.

        No timeout runs while a chunk is yielded: a slow consumer must not be canceled.
        """
        left = LARGEST_STREAM
        with self._as_model_errors():
            async with asyncio.timeout_at(limit) as idle_timeout:
                async for piece in response.aiter_bytes():
                    idle_timeout.reschedule(None)
                    left -= len(piece)
                    if left < 0:
                        raise ModelError("malformed", "The provider's response did not end.")
                    yield piece
                    idle_timeout.reschedule(min(deadline, _now() + self._times.idle_s))

    async def _client(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            # On a thread, so that the import does not block the event loop.
            await asyncio.to_thread(load, self.sdk)
        if loop not in self._clients:
            client = self._new_client(self._timeout())
            # The SDKs add headers from environment variables, one of which would even replace the key.
            client._custom_headers = {}
            self._clients[loop] = client
        return self._clients[loop]

    def _timeout(self) -> Any:
        """The transport's timeouts, except for reads, which `_pieces` limits."""
        times = self._times
        return import_module("httpx2").Timeout(times.idle_s, connect=times.connect_s, pool=times.connect_s, read=None)

    @contextmanager
    def _as_model_errors(self) -> Iterator[None]:
        """Translate errors of the SDK and the transport. Their texts are dropped, because they may quote content."""
        sdk, transport = import_module(self.sdk.package), import_module("httpx2")
        try:
            yield
            return
        except (TimeoutError, sdk.APITimeoutError, transport.TimeoutException) as failed:
            error = ModelError("timeout", sent=_was_sent(failed))
        except sdk.APIStatusError as failed:
            error = self._status_error(failed)
        except sdk.APIConnectionError as failed:
            error = ModelError("unavailable", sent=_was_sent(failed))
        except transport.TransportError:
            error = ModelError("cut")
        except (getattr(sdk, self.sdk.error), transport.RequestError, ValueError):
            error = ModelError("malformed")
        raise error from None


def _was_sent(failed: BaseException) -> bool:
    """Whether the request may have been sent; false if no connection was established."""
    transport = import_module("httpx2")
    never = (transport.ConnectError, transport.ConnectTimeout, transport.PoolTimeout)
    return not isinstance(failed.__cause__ or failed, never)


@cache
def load(sdk: Sdk) -> None:
    """Import the SDK once, and exempt its objects from garbage collection, since they are never freed."""
    import_module(sdk.entrance)
    # At DEBUG the SDK would log message content. `config/logs.py` silences its transport.
    logging.getLogger(sdk.package).setLevel(logging.WARNING)
    gc.freeze()


def status_error(status: int, error_type: object, headers: Mapping[str, str]) -> ModelError:
    """The error for a response with an HTTP status of 400 or more."""
    return refusal(status_code(status), error_type, status, headers)


def status_code(status: int) -> str:
    """The code of a `ModelError` for an HTTP status of 400 or more."""
    return _CODES_BY_STATUS.get(status) or ("unavailable" if status >= 500 or status == 409 else "rejected")


def refusal(code: str, error_type: object, status: int, headers: Mapping[str, str]) -> ModelError:
    """The error with the given code, the provider's name for it, and its Retry-After."""
    detail = explained(code, error_type, status)
    return ModelError(code, detail, provider_status=status, retry_after=_retry_after(headers))


def explained(code: str, error_type: object, status: int | None) -> str:
    """Our sentence for the code, plus the status and the provider's error type if that is a plain identifier."""
    name = error_type if isinstance(error_type, str) and _WORD.fullmatch(error_type) else ""
    details = ", ".join(str(part) for part in (status, name) if part)
    return FAILURES[code].detail + (f" ({details})" if details else "")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The Retry-After in seconds, a day at most; providers send seconds or a date. None if absent or invalid."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _seconds(headers.get(name, ""), scale)
        # False for `nan`.
        if seconds is not None and seconds >= 0:
            return min(seconds, _MAX_RETRY_AFTER_S)
    return None


def _seconds(text: str, scale: float) -> float | None:
    try:
        return float(text) * scale
    except ValueError:
        return _seconds_until(text)


def _seconds_until(date: str) -> float | None:
    try:
        then = parsedate_to_datetime(date)
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        return max(0.0, (then - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read to the end of the stream, so that the connection returns to the pool and saves the next call a handshake."""
    with suppress(Exception):
        async with asyncio.timeout(_DRAIN_S):
            await anext(pieces, None)


async def within(awaited: Awaitable[T], limit: float) -> T:
    """Await until a point in the loop's time; raises `ModelError` (`timeout`) after it."""
    try:
        async with asyncio.timeout_at(limit):
            return await awaited
    except TimeoutError:
        raise ModelError("timeout") from None


def _now() -> float:
    return asyncio.get_running_loop().time()
