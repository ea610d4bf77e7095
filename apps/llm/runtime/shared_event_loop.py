"""A shared event loop per process for short calls from synchronous code, with persistent connections.

A search needs one vector, and opening a connection for it would take longer than the call.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import Future
from typing import Any, TypeVar

from apps.llm.middleware.decorator import adapter_of
from apps.llm.middleware.metering import require_no_transaction
from apps.llm.providers.base import Provider
from apps.llm.runtime.sync_bridge import ThreadInbox

T = TypeVar("T")

CALLER_LIMIT = 32


def run_on_shared_loop(caller: Hashable, provider: Provider, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a call and wait for its result; the connections of the provider's adapter stay open for the next call.

    They are closed once the adapter is no longer the last one of any recent caller: because the caller uses another
    address or key, or because `CALLER_LIMIT` other callers came after it.
    """
    require_no_transaction()
    return _shared_loop.run(caller, adapter_of(provider), question())


class SharedLoop:
    """An event loop on its own thread, and the last adapter of each caller. All state is accessed on the loop only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._adapters_by_caller: OrderedDict[Hashable, Provider] = OrderedDict()
        self._busy: Counter[Provider] = Counter()
        self._open: set[Provider] = set()

    def run(self, caller: Hashable, adapter: Provider, answer: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the loop, while this thread executes the work that it submits through `in_database`."""
        loop, wake_up, stop = self._ensure_loop(), threading.Event(), asyncio.Event()
        inbox = ThreadInbox(wake_up.set)
        call = self._run(caller, adapter, _until_stopped(answer, inbox, stop))
        future = asyncio.run_coroutine_threadsafe(call, loop)
        future.add_done_callback(lambda _: wake_up.set())
        try:
            _serve(inbox, wake_up, future)
        finally:
            # The worker may be interrupted here by its time limit: stop the call, and undo its database work.
            loop.call_soon_threadsafe(stop.set)
            _serve(inbox, wake_up, future)
        return future.result()

    def _ensure_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="model-connections", daemon=True).start()
                self._loop = loop
            return self._loop

    async def _run(self, caller: Hashable, adapter: Provider, answer: Coroutine[Any, Any, T]) -> T:
        self._adapters_by_caller[caller] = adapter
        self._adapters_by_caller.move_to_end(caller)
        if len(self._adapters_by_caller) > CALLER_LIMIT:
            self._adapters_by_caller.popitem(last=False)
        self._busy[adapter] += 1
        self._open.add(adapter)
        try:
            return await answer
        finally:
            self._busy -= Counter({adapter: 1})
            # Errors of closing unused connections do not matter.
            await asyncio.gather(*map(self._close, self._unused()), return_exceptions=True)

    async def _close(self, adapter: Provider) -> None:
        """Close the adapter's connections, unless it is in use again."""
        if adapter in self._unused():
            self._open.discard(adapter)
            await adapter.aclose()

    def _unused(self) -> set[Provider]:
        return self._open.difference(self._adapters_by_caller.values(), self._busy)


def _serve(inbox: ThreadInbox, wake_up: threading.Event, future: Future[Any]) -> None:
    while not future.done():
        wake_up.wait()
        wake_up.clear()
        inbox.run_all()


async def _until_stopped(answer: Coroutine[Any, Any, T], inbox: ThreadInbox, stop: asyncio.Event) -> T:
    inbox.open()
    call, stopping = asyncio.create_task(answer), asyncio.create_task(stop.wait())
    await asyncio.wait({call, stopping}, return_when=asyncio.FIRST_COMPLETED)
    call.cancel()
    stopping.cancel()
    await asyncio.wait({call, stopping})
    return call.result()


_shared_loop = SharedLoop()


def _reset() -> None:
    """Replace the loop after a fork, since threads are not inherited."""
    global _shared_loop  # noqa: PLW0603  # one loop per process
    _shared_loop = SharedLoop()


os.register_at_fork(after_in_child=_reset)
