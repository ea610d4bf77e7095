"""Asking from code that does not run on an event loop: workers and commands. And the way back, from a loop to the
database: into the thread that waits for the answer, else into one of a few that are there for it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, TypeVar

from django.db import connections

from apps.llm.providers.base import Provider

T = TypeVar("T")

_THREADS = 4
_threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="model-guard")
_waiting: ContextVar[ThreadInbox | None] = ContextVar("continuity_waiting_thread", default=None)


def run_blocking(provider: Provider, answer: Coroutine[Any, Any, T]) -> T:
    """Wait for the answer on a loop of its own, and leave no connection behind.

    The loop pauses while this thread does what `in_database` was asked, with the connection that the thread has.
    """
    wake_up = asyncio.Event()
    inbox = ThreadInbox(wake_up.set)
    with asyncio.Runner() as runner:
        task = runner.run(_begun(answer, inbox))
        try:
            while not task.done():
                runner.run(_news(task, wake_up))
                wake_up.clear()
                inbox.work_off()
            return task.result()
        finally:
            runner.run(_ended(task, provider))
            # What is to be taken back by now.
            inbox.work_off()


async def in_database(work: Callable[[], T], *, undo: Callable[[T], object]) -> T:
    """Do the work where the database may be asked, which is nowhere on an event loop.

    Who is stopped meanwhile does not wait for it; what it then did all the same is taken back with `undo`.
    """
    inbox = _waiting.get()
    submit = inbox.leave if inbox is not None else _submitted
    done = submit(work)
    try:
        return await asyncio.wrap_future(done)
    except asyncio.CancelledError:
        if not done.cancel():
            submit(lambda: done.exception() or undo(done.result()))
        raise


class ThreadInbox:
    """Where a loop leaves work for the thread that waits for its answer; `ring` tells that thread."""

    def __init__(self, ring: Callable[[], object]) -> None:
        self._left: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._ring = ring

    def open(self) -> None:
        """For this task and those that it starts."""
        _waiting.set(self)

    def leave(self, work: Callable[[], T]) -> Future[T]:
        done: Future[T] = Future()
        self._left.append((work, done))
        self._ring()
        return done

    def work_off(self) -> None:
        while self._left:
            work, done = self._left.popleft()
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(work())
            except Exception as error:
                done.set_exception(error)
            except BaseException:
                # It ends this thread, not the loop.
                done.set_exception(asyncio.CancelledError())
                raise


async def _begun(answer: Coroutine[Any, Any, T], inbox: ThreadInbox) -> asyncio.Task[T]:
    inbox.open()
    return asyncio.create_task(answer)


async def _news(task: asyncio.Task[Any], wake_up: asyncio.Event) -> None:
    """Until the task has ended or there is something to do."""
    ringing = asyncio.create_task(wake_up.wait())
    await asyncio.wait({task, ringing}, return_when=asyncio.FIRST_COMPLETED)
    ringing.cancel()


async def _ended(task: asyncio.Task[Any], provider: Provider) -> None:
    """Whatever ended it: a worker whose time is over leaves in the middle."""
    task.cancel()
    await asyncio.wait({task})
    await provider.aclose()


def _submitted(work: Callable[[], T]) -> Future[T]:
    return _threads.submit(_with_connection_of_its_own, work)


def _with_connection_of_its_own(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connections.close_all()
