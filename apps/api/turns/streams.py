"""Server-sent events of a turn: what was stored, the reply piece by piece, and how it ended."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from django.db import close_old_connections
from django.http import StreamingHttpResponse

from apps.api.conversations.message_shapes import MessageShape
from apps.turns.services.owning import Owner

KEEPALIVE = b": keepalive\n\n"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def turn_stream(owner: Owner) -> StreamingHttpResponse:
    """An answer that follows the reply; when its reader goes away, the reply goes on.

    The request ends with the stream, and would keep its connection until then: few streams would take the whole pool.
    """
    close_old_connections()
    return StreamingHttpResponse(_frames(owner), content_type="text/event-stream", headers=_HEADERS)


async def _frames(owner: Owner) -> AsyncIterator[bytes]:
    hold = owner.turn.hold
    reply = {"id": str(hold.reply_id), "index": hold.index}
    yield _frame("started", {"message": MessageShape(owner.turn.said).data, "reply": reply})
    async for piece in owner.follow():
        yield _frame("delta", {"text": piece}) if piece else KEEPALIVE
    ending = owner.result()
    yield _frame("finished", {"reply": {**reply, "status": ending.status.value, "error_code": ending.error_code}})


def _frame(event: str, data: dict[str, Any]) -> bytes:
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False, default=str)}\n\n".encode()
