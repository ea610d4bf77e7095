"""Server-sent events of a turn: the stored message, the reply's deltas, and its outcome."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Protocol
from uuid import UUID

from django.http import StreamingHttpResponse

from apps.api.context.pack_layers import pack_state_of
from apps.api.context.pack_serializers import PackStateSerializer
from apps.api.conversations.message_serializers import MessageSerializer
from apps.api.framework.event_streams import KEEPALIVE, event_frame, event_stream
from apps.api.framework.requests import ApiRequest
from apps.context.records import BuiltPack
from apps.conversations.records import MessageRecord
from apps.conversations.services.replies import Ending
from apps.llm.errors import failure_text
from apps.turns.services.follow_access import Follower
from apps.turns.timeouts import times

_REVOKED = {"code": "access_revoked", "detail": "You no longer have access to this conversation."}


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
    """Stream the reply; it is written to its end even if the client disconnects."""
    session_key = None if request.key_holder else request.session.session_key
    follower = Follower(request.actor, session_key, conversation_id)
    return event_stream(_frames(reply, follower))


async def _frames(reply: Reply, follower: Follower) -> AsyncIterator[bytes]:
    place = {"id": str(reply.reply_id), "index": reply.reply_index}
    pack = PackStateSerializer(pack_state_of(reply.built)).data if reply.built else None
    yield event_frame("started", {"message": MessageSerializer(reply.message).data, "reply": place, "pack": pack})
    look_at = time.monotonic() + times().access_check_s
    async for piece in reply.follow():
        if time.monotonic() >= look_at:
            if not await follower.may_follow():
                yield event_frame("revoked", _REVOKED)
                return
            look_at = time.monotonic() + times().access_check_s
        yield event_frame("delta", {"text": piece}) if piece else KEEPALIVE
    ending = reply.result()
    how = {"status": ending.status.value, "error_code": ending.error_code}
    detail = reply.detail or failure_text(ending.error_code)
    yield event_frame("finished", {"reply": {**place, **how, "detail": detail}})
