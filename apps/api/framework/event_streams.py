"""Server-sent events: frames, keep-alive comments, and responses that hold no database connection."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from django.db import close_old_connections
from django.http import StreamingHttpResponse

EVENT_STREAM = "text/event-stream"
KEEPALIVE = b": keepalive\n\n"
_as_json = json.JSONEncoder(ensure_ascii=False, default=str).encode
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def event_frame(event: str, data: dict[str, Any]) -> bytes:
    return f"event: {event}\ndata: {_as_json(data)}\n\n".encode()


def event_stream(frames: AsyncIterator[bytes]) -> StreamingHttpResponse:
    """Stream the frames.

    The database connection is returned first: a few long streams would otherwise drain the pool.
    """
    close_old_connections()
    return StreamingHttpResponse(frames, content_type=EVENT_STREAM, headers=_HEADERS)
