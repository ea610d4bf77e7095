"""The beginning and the end of the ASGI process.

The server tells of its end only when it has waited for open streams in vain. So the signal is heard here as well: the
replies end first, their streams with them, and then there is nothing to wait for.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from types import FrameType

from starlette.types import Receive, Send

from apps.llm.services.adapters import providers_load
from apps.memory.services.access_notes import access_notes
from apps.turns.services.reply_writer import owners_end, owners_stop


async def lifespan(receive: Receive, send: Send) -> None:
    await receive()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            _heed_first(number, asyncio.get_running_loop())
    loading = asyncio.create_task(asyncio.to_thread(providers_load))
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await asyncio.gather(owners_end(), loading)
    await asyncio.to_thread(access_notes.write)
    await send({"type": "lifespan.shutdown.complete"})


def _heed_first(number: signal.Signals, loop: asyncio.AbstractEventLoop) -> None:
    """Put ourselves before the handler that the server has set by now."""
    server = signal.getsignal(number)

    def heard(told: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(owners_stop)
        if callable(server):
            server(told, frame)

    signal.signal(number, heard)
