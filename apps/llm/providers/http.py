"""What all adapters that speak HTTP through an SDK have in common: deadlines, connections, and errors without quotes.

An SDK is imported when the first call is made: it costs a process tens of megabytes and up to a second.
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

# Who has sent the last event has only the end of the stream to send.
_GOODBYE_S = 0.25
_LONGEST_WISH_S = 86_400.0
# More than any answer has, whatever its provider wraps around each word.
LARGEST_STREAM = 32 * 1024 * 1024
_CODES_BY_STATUS = MappingProxyType(
    {401: "unauthorized", 403: "unauthorized", 408: "timeout", 429: "rate_limited", 504: "timeout", 529: "overloaded"}
)
_WORD = re.compile(r"[a-z_]{1,40}")


@dataclass(frozen=True, slots=True)
class Sdk:
    """A provider's SDK: its package, the module that loads the rest of it, and its most general error."""

    package: str
    entrance: str
    error: str


class Reader(Protocol):
    """Reads one answer; `finished` after its end, and only then is it complete."""

    finished: bool

    def read(self, piece: bytes | None) -> Iterable[StreamEvent]:
        """What some bytes tell; None is the end of the stream. Raises `ModelError` for an end that is no answer."""


class HttpProvider(StreamingProvider):
    """Asks once. One for all calls with the same key; its connections belong to the event loop that opened them."""

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
            response = await self._opened(self._opening(client, request), stack, limit)
            pieces = await stack.enter_async_context(aclosing(self._pieces(response, limit, deadline)))
            while not reader.finished:
                for told in reader.read(await anext(pieces, None)):
                    yield told
            await _read_out(pieces)

    async def aclose(self) -> None:
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    @abstractmethod
    def _new_client(self, timeout: Any) -> Any:
        """The SDK's client, which must not try again by itself."""

    @abstractmethod
    def _opening(self, client: Any, request: ModelRequest) -> Any:
        """The context in which the SDK's response to the request is open."""

    @abstractmethod
    def _reader(self) -> Reader: ...

    def _status_error(self, failed: Any) -> ModelError:
        """The error for the SDK's error of an HTTP status of 400 or more."""
        return status_error(failed.status_code, failed.type, failed.response.headers)

    def _deadline(self, request: ModelRequest) -> float:
        return _now() + self._times.limit_s(request.purpose, request.timeout_s)

    async def _asked(self, call: Callable[[Any], Awaitable[T]], deadline: float) -> T:
        """The SDK's answer to a request that is not streamed."""
        client = await self._client()
        with self._as_model_errors():
            return await within(call(client), min(deadline, _now() + self._times.total_s))

    async def _opened(self, opening: Any, stack: AsyncExitStack, limit: float) -> Any:
        """The response, as far as the server says that it is an answer; `stack` closes the connection."""
        with self._as_model_errors():
            answer = await within(stack.enter_async_context(opening), limit)
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            raise ModelError("malformed", "The address does not speak the provider's protocol.")
        return answer.http_response

    async def _pieces(self, response: Any, limit: float, deadline: float) -> AsyncGenerator[bytes, None]:
        """The answer's bytes as they come, the first until `limit`; never more than an answer has.

        Nobody is waited for while a piece is handed on: whoever takes long over one must not be cancelled for it.
        """
        left = LARGEST_STREAM
        with self._as_model_errors():
            async with asyncio.timeout_at(limit) as patience:
                async for piece in response.aiter_bytes():
                    patience.reschedule(None)
                    left -= len(piece)
                    if left < 0:
                        raise ModelError("malformed", "The provider's answer has no end.")
                    yield piece
                    patience.reschedule(min(deadline, _now() + self._times.idle_s))

    async def _client(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            # On a thread, so that the others on this loop don't wait for it.
            await asyncio.to_thread(load, self.sdk)
        if loop not in self._clients:
            client = self._new_client(self._timeout())
            # The SDKs add headers that the environment names, and one of them would even take the key's place.
            client._custom_headers = {}
            self._clients[loop] = client
        return self._clients[loop]

    def _timeout(self) -> Any:
        """What is read has our own patience."""
        times = self._times
        return import_module("httpx2").Timeout(times.idle_s, connect=times.connect_s, pool=times.connect_s, read=None)

    @contextmanager
    def _as_model_errors(self) -> Iterator[None]:
        """Turn what SDK and transport raise into our error, without their texts, which may quote what was said."""
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
    """Not where no connection ever stood."""
    transport = import_module("httpx2")
    never = (transport.ConnectError, transport.ConnectTimeout, transport.PoolTimeout)
    return not isinstance(failed.__cause__ or failed, never)


@cache
def load(sdk: Sdk) -> None:
    """Import the SDK, once, and spare the garbage collector from going through it again and again: it stays."""
    import_module(sdk.entrance)
    # At DEBUG it would write what was said into the log; its transport is silenced for all (`config/logs.py`).
    logging.getLogger(sdk.package).setLevel(logging.WARNING)
    gc.freeze()


def status_error(status: int, error_type: object, headers: Mapping[str, str]) -> ModelError:
    """The error of an answer with an HTTP status of 400 or more."""
    return refusal(status_code(status), error_type, status, headers)


def status_code(status: int) -> str:
    return _CODES_BY_STATUS.get(status) or ("unavailable" if status >= 500 or status == 409 else "rejected")


def refusal(code: str, error_type: object, status: int, headers: Mapping[str, str]) -> ModelError:
    detail = explained(code, error_type, status)
    return ModelError(code, detail, provider_status=status, retry_after=_retry_after(headers))


def explained(code: str, error_type: object, status: int | None) -> str:
    """Our sentence with the provider's name for the error, if it is nothing but a name."""
    name = error_type if isinstance(error_type, str) and _WORD.fullmatch(error_type) else ""
    told = ", ".join(str(part) for part in (status, name) if part)
    return FAILURES[code].detail + (f" ({told})" if told else "")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, a day at most; a provider tells them, or a moment."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _seconds(headers.get(name, ""), scale)
        # Not so for `nan`.
        if seconds is not None and seconds >= 0:
            return min(seconds, _LONGEST_WISH_S)
    return None


def _seconds(told: str, scale: float) -> float | None:
    try:
        return float(told) * scale
    except ValueError:
        return _seconds_until(told)


def _seconds_until(moment: str) -> float | None:
    try:
        then = parsedate_to_datetime(moment)
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        return max(0.0, (then - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None


async def _read_out(pieces: AsyncIterator[bytes]) -> None:
    """Read to the very end, for only then the connection is used again: the next answer begins without a handshake."""
    with suppress(Exception):
        async with asyncio.timeout(_GOODBYE_S):
            await anext(pieces, None)


async def within(awaited: Awaitable[T], limit: float) -> T:
    """Until a moment of the loop's clock; raises `ModelError`."""
    try:
        async with asyncio.timeout_at(limit):
            return await awaited
    except TimeoutError:
        raise ModelError("timeout") from None


def _now() -> float:
    return asyncio.get_running_loop().time()
