"""Server-sent events of a turn: the stored message, the reply's deltas, and its outcome."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any, Protocol
from uuid import UUID

from django.db import close_old_connections
from django.http import StreamingHttpResponse

from apps.api.context.pack_layers import pack_state_of
from apps.api.context.pack_serializers import PackStateSerializer
from apps.api.conversations.message_serializers import MessageSerializer
from apps.api.framework.requests import ApiRequest
from apps.context.records import BuiltPack
from apps.conversations.records import MessageRecord
from apps.conversations.services.replies import Ending
from apps.llm.errors import failure_text
from apps.turns.services.follow_access import Follower
from apps.turns.timeouts import times

KEEPALIVE = b": keepalive\n\n"
_as_json = json.JSONEncoder(ensure_ascii=False, default=str).encode
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_REVOKED = {"code": "access_revoked", "detail": "You may not read this conversation any more."}


class Reply(Protocol):
    """A reply that can be streamed: one that is being written, or a stored one."""

    @property
    def message(self) -> MessageRecord: ...
    @property
    def reply_id(self) -> UUID: ...
    @property
    def reply_index(self) -> int: ...
    @property
    def built(self) -> BuiltPack | None: ...
    @property
    def detail(self) -> str: ...

    def follow(self) -> AsyncIterator[str]: ...
    def result(self) -> Ending: ...


def turn_stream(request: ApiRequest, reply: Reply, conversation_id: UUID) -> StreamingHttpResponse:
    """Stream the reply; it is written to its end even if the client disconnects.

    The database connection is returned first: a few long streams would otherwise drain the pool.
    """
    session_key = None if request.key_holder else request.session.session_key
    follower = Follower(request.actor, session_key, conversation_id)
    close_old_connections()
    return StreamingHttpResponse(_frames(reply, follower), content_type="text/event-stream", headers=_HEADERS)


async def _frames(reply: Reply, follower: Follower) -> AsyncIterator[bytes]:
    place = {"id": str(reply.reply_id), "index": reply.reply_index}
    pack = PackStateSerializer(pack_state_of(reply.built)).data if reply.built else None
    yield _frame("started", {"message": MessageSerializer(reply.message).data, "reply": place, "pack": pack})
    look_at = time.monotonic() + times().access_check_s
    async for piece in reply.follow():
        if time.monotonic() >= look_at:
            if not await follower.may_follow():
                yield _frame("revoked", _REVOKED)
                return
            look_at = time.monotonic() + times().access_check_s
        yield _frame("delta", {"text": piece}) if piece else KEEPALIVE
    ending = reply.result()
    how = {"status": ending.status.value, "error_code": ending.error_code}
    detail = reply.detail or failure_text(ending.error_code)
    yield _frame("finished", {"reply": {**place, **how, "detail": detail}})


def _frame(event: str, data: dict[str, Any]) -> bytes:
    return f"event: {event}\ndata: {_as_json(data)}\n\n".encode()
