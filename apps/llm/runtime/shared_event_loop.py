"""Short questions from code that runs on no event loop: on one loop of the process, whose connections stay open.

A search asks for one vector, and a connection of its own would take longer than the answer.
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

MOST_ASKERS = 32


def run_on_shared_loop(asker: Hashable, provider: Provider, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Ask and wait for the answer, and leave the connections of the provider's adapter open for the next one.

    They are closed when nobody's last question went by that adapter: the asker comes with another one, of another
    address or key, or many others asked since.
    """
    require_no_transaction()
    return _shared_loop.run(asker, adapter_of(provider), question())


class SharedLoop:
    """The loop, on a thread of its own, and by which adapter each asked last. Its coroutines run on the loop alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._askers: OrderedDict[Hashable, Provider] = OrderedDict()
        self._busy: Counter[Provider] = Counter()
        self._open: set[Provider] = set()

    def run(self, asker: Hashable, adapter: Provider, answer: Coroutine[Any, Any, T]) -> T:
        """What `in_database` is asked for meanwhile, this thread does."""
        loop, wake_up, stop = self._started(), threading.Event(), asyncio.Event()
        inbox = ThreadInbox(wake_up.set)
        asked = self._asked(asker, adapter, _until_stopped(answer, inbox, stop))
        ended = asyncio.run_coroutine_threadsafe(asked, loop)
        ended.add_done_callback(lambda _: wake_up.set())
        try:
            _serve(inbox, wake_up, ended)
        finally:
            # Whatever ended it: a worker whose time is over leaves in the middle, and takes back what was done by then.
            loop.call_soon_threadsafe(stop.set)
            _serve(inbox, wake_up, ended)
        return ended.result()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="model-connections", daemon=True).start()
                self._loop = loop
            return self._loop

    async def _asked(self, asker: Hashable, adapter: Provider, answer: Coroutine[Any, Any, T]) -> T:
        self._askers[asker] = adapter
        self._askers.move_to_end(asker)
        if len(self._askers) > MOST_ASKERS:
            self._askers.popitem(last=False)
        self._busy[adapter] += 1
        self._open.add(adapter)
        try:
            return await answer
        finally:
            self._busy -= Counter({adapter: 1})
            # Nobody waits for the last words of a connection that is left.
            await asyncio.gather(*map(self._close, self._unused()), return_exceptions=True)

    async def _close(self, adapter: Provider) -> None:
        """Unless somebody began to ask by it again."""
        if adapter in self._unused():
            self._open.discard(adapter)
            await adapter.aclose()

    def _unused(self) -> set[Provider]:
        return self._open.difference(self._askers.values(), self._busy)


def _serve(inbox: ThreadInbox, wake_up: threading.Event, ended: Future[Any]) -> None:
    while not ended.done():
        wake_up.wait()
        wake_up.clear()
        inbox.work_off()


async def _until_stopped(answer: Coroutine[Any, Any, T], inbox: ThreadInbox, stop: asyncio.Event) -> T:
    inbox.open()
    asking, stopping = asyncio.create_task(answer), asyncio.create_task(stop.wait())
    await asyncio.wait({asking, stopping}, return_when=asyncio.FIRST_COMPLETED)
    asking.cancel()
    stopping.cancel()
    await asyncio.wait({asking, stopping})
    return asking.result()


_shared_loop = SharedLoop()


def _begin_anew() -> None:
    """Threads do not come along into a process that was forked off."""
    global _shared_loop  # noqa: PLW0603  # it is the process's
    _shared_loop = SharedLoop()


os.register_at_fork(after_in_child=_begin_anew)
