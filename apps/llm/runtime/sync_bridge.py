"""Bridge between synchronous code and the event loop.

Workers and commands run provider calls on a loop; code on a loop runs database work in the thread that waits for the
call, or else in a small thread pool.
"""

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
    """Run a call on a new event loop, and close its connections afterwards.

    The loop pauses while this thread executes the work submitted through `in_database`, with the thread's own database
    connection.
    """
    wake_up = asyncio.Event()
    inbox = ThreadInbox(wake_up.set)
    with asyncio.Runner() as runner:
        task = runner.run(_start(answer, inbox))
        try:
            while not task.done():
                runner.run(_wait_for_work(task, wake_up))
                wake_up.clear()
                inbox.run_all()
            return task.result()
        finally:
            runner.run(_finish(task, provider))
            # Undo work of a canceled call.
            inbox.run_all()


async def in_database(work: Callable[[], T], *, undo: Callable[[T], object]) -> T:
    """Run database work on a thread, since the database must not be used on an event loop.

    A canceled caller does not wait for the work; if it was done nevertheless, `undo` reverts it.
    """
    inbox = _waiting.get()
    submit = inbox.submit if inbox is not None else _submit_to_pool
    done = submit(work)
    try:
        return await asyncio.wrap_future(done)
    except asyncio.CancelledError:
        if not done.cancel():
            submit(lambda: done.exception() or undo(done.result()))
        raise


class ThreadInbox:
    """A queue of work from a loop for the thread that waits for the call; `notify` wakes up that thread."""

    def __init__(self, notify: Callable[[], object]) -> None:
        self._queue: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._notify = notify

    def open(self) -> None:
        """Use this queue in the current task and those that it starts."""
        _waiting.set(self)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        done: Future[T] = Future()
        self._queue.append((work, done))
        self._notify()
        return done

    def run_all(self) -> None:
        while self._queue:
            work, done = self._queue.popleft()
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(work())
            except Exception as error:
                done.set_exception(error)
            except BaseException:
                # The exception ends this thread; the loop only sees a cancellation.
                done.set_exception(asyncio.CancelledError())
                raise


async def _start(answer: Coroutine[Any, Any, T], inbox: ThreadInbox) -> asyncio.Task[T]:
    inbox.open()
    return asyncio.create_task(answer)


async def _wait_for_work(task: asyncio.Task[Any], wake_up: asyncio.Event) -> None:
    """Wait until the task ends or work is queued."""
    waiting = asyncio.create_task(wake_up.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


async def _finish(task: asyncio.Task[Any], provider: Provider) -> None:
    """Cancel the task, which may still run if the worker was interrupted, and close the provider's connections."""
    task.cancel()
    await asyncio.wait({task})
    await provider.aclose()


def _submit_to_pool(work: Callable[[], T]) -> Future[T]:
    return _threads.submit(_with_own_connection, work)


def _with_own_connection(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connections.close_all()
