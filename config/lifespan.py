"""ASGI lifespan: start-up and graceful shutdown of the web process.

uvicorn sends the shutdown event only after waiting for open streams. So the signal is handled here as well: replies end
first and their streams with them, and uvicorn has nothing to wait for.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from types import FrameType

from starlette.types import Receive, Send

from apps.api.jobs.operation_events import operation_streams_stop
from apps.llm.services.adapters import providers_load
from apps.memory.services.access_buffer import access_buffer
from apps.turns.services.reply_writer import reply_writers_close, reply_writers_stop


async def lifespan(receive: Receive, send: Send) -> None:
    await receive()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            _install_handler(number, asyncio.get_running_loop())
    loading = asyncio.create_task(asyncio.to_thread(providers_load))
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await asyncio.gather(reply_writers_close(), loading)
    await asyncio.to_thread(access_buffer.write)
    await send({"type": "lifespan.shutdown.complete"})


def _install_handler(number: signal.Signals, loop: asyncio.AbstractEventLoop) -> None:
    """Chain our signal handler in front of the one that the server installed."""
    previous = signal.getsignal(number)

    def handler(received: int, frame: FrameType | None) -> None:
        operation_streams_stop()
        loop.call_soon_threadsafe(reply_writers_stop)
        if callable(previous):
            previous(received, frame)

    signal.signal(number, handler)
