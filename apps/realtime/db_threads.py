"""Dedicated threads for database reads of sockets, so that neither the event loop nor Django's sync thread blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

_THREADS = 3
_readers = ThreadPoolExecutor(_THREADS, thread_name_prefix="live-reader")

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the function in a reader thread and close the thread's connection afterwards."""

    def whole() -> T:
        close_old_connections()
        try:
            return read(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_readers, whole)
