"""WebSocket consumer at `/ws`: authenticate, subscribe to conversations and receive their changes.

The protocol is documented in docs/live-events.md, the frames in the OpenAPI description.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import structlog
from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from django.conf import settings
from django.db import Error as DatabaseError
from redis.exceptions import RedisError

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.context.selectors.conversation.live_snapshot import conversation_live
from apps.events.envelopes import conversation_group, person_group, team_group
from apps.realtime.access_check import SocketCredentials, access_recheck, credentials_of_session, credentials_of_ticket
from apps.realtime.connection_limits import connection_limits
from apps.realtime.db_threads import in_thread
from apps.realtime.frames import (
    ErrorFrame,
    PongFrame,
    RevokedFrame,
    UnsubscribedFrame,
    WelcomeFrame,
    frame,
    snapshot_frame,
    version_frame,
)
from apps.realtime.health_broadcaster import health_broadcaster
from apps.realtime.origin_check import is_own_origin, session_cookie
from apps.realtime.protocol import (
    LONGEST_FRAME,
    MOST_SUBSCRIPTIONS,
    AuthenticateFrame,
    ClientFrame,
    FrameBudget,
    PingFrame,
    ProtocolError,
    SubscribeFrame,
    UnsubscribeFrame,
    read_frame,
)
from apps.realtime.send_queue import SendQueue

NOT_AUTHENTICATED, REVOKED, TOO_MANY_FRAMES, TOO_MANY_SOCKETS, TOO_LARGE, TRY_AGAIN = 4401, 4403, 4429, 4430, 1009, 1013
# Temporary outages: Redis, the database, or no free connection to it.
OUTAGES = (RedisError, DatabaseError)
# Conversation events that do not change its health.
_NO_HEALTH_CHANGE = frozenset({"TurnProgressed", "HealthChanged"})

_log = structlog.get_logger("continuity.realtime")


class LiveConsumer(AsyncConsumer):  # type: ignore[misc]  # the base has no types
    """One socket. Database reads run in threads; sends are queued and never wait for the client."""

    def __init__(self) -> None:
        self.channel_name = ""
        self._credentials: SocketCredentials | None = None
        self._subscriptions: set[UUID] = set()
        # Events that arrive while a conversation's snapshot is read.
        self._joining: dict[UUID, list[dict[str, Any]]] = {}
        self._frame_budget = FrameBudget()
        self._tasks: set[asyncio.Task[None]] = set()
        self._send_queue: SendQueue | None = None
        self._recheck_now = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the socket and clean up however it ends."""
        if not connection_limits.admit(self):
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": "This server has too many sockets."})
            return
        try:
            await super().__call__(scope, receive, send)
        finally:
            connection_limits.leave(self)
            await self._leave()

    @property
    def actor(self) -> Actor:
        if self._credentials is None:
            raise ProtocolError("not_authenticated", "Send a ticket first.")
        return self._credentials.actor

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Dispatch without the base class's connection cleanup: no handler uses the database on this thread."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        session_key = session_cookie(self.scope)
        if session_key and not is_own_origin(self.scope):
            await self._close_and_stop(REVOKED)
        credentials = (
            await in_thread(credentials_of_session, session_key, self._requested_workspace()) if session_key else None
        )
        await self.send({"type": "websocket.accept"})
        self.channel_layer.listeners[self.channel_name] = self.on_event
        self._send_queue = SendQueue(lambda text: self.send({"type": "websocket.send", "text": text}))
        if credentials is not None:
            await self._welcome(credentials)
        else:
            self._start_task(self._close_if_unauthenticated())

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        text = message.get("text")
        if len(text or message.get("bytes") or "") > LONGEST_FRAME:
            await self._close_and_stop(TOO_LARGE)
        if not self._frame_budget.take():
            await self._close_and_stop(TOO_MANY_FRAMES)
        try:
            await self._handle(read_frame(text))
        except ProtocolError as error:
            self.enqueue(frame(ErrorFrame(code=error.code, detail=error.detail)))

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer

    def on_event(self, message: dict[str, Any]) -> None:
        """Handle an event of a conversation or of this user; called synchronously by the layer."""
        name, about = message["name"], message["conversation_id"]
        if name == "AccessRevoked":
            self._recheck_now.set()
        elif not about:
            self.enqueue(message["text"])
        elif (conversation_id := UUID(about)) in self._joining:
            self._joining[conversation_id].append(message)
        elif conversation_id in self._subscriptions:
            self.enqueue(message["text"])
            if name not in _NO_HEALTH_CHANGE:
                health_broadcaster.changed(conversation_id)

    async def live_resync(self, message: dict[str, Any]) -> None:
        """Send versions after a Redis outage, with jitter so that sockets do not all recheck together."""
        delay = random.uniform(0, settings.LIVE_TIMES.resync_within_s)  # noqa: S311  # spreads load, keeps no secret
        asyncio.get_running_loop().call_later(delay, self._recheck_now.set)

    def enqueue(self, text: str) -> None:
        """Queue a frame; if the queue overflows, the heartbeat loop closes the socket immediately."""
        if self._send_queue is not None and not self._send_queue.put(text):
            self._recheck_now.set()

    async def _handle(self, client_frame: ClientFrame) -> None:
        match client_frame:
            case PingFrame():
                self.enqueue(frame(PongFrame()))
            case AuthenticateFrame():
                await self._authenticate(client_frame.ticket)
            case SubscribeFrame():
                await self._subscribe(self.actor, client_frame.conversation_id)
            case UnsubscribeFrame():
                await self._unsubscribe(self.actor, client_frame.conversation_id)

    async def _authenticate(self, ticket: str) -> None:
        if self._credentials is not None:
            raise ProtocolError("already_authenticated", "This socket is already authenticated.")
        credentials = await in_thread(credentials_of_ticket, ticket)
        if credentials is None:
            await self._close_and_stop(NOT_AUTHENTICATED)
        else:
            await self._welcome(credentials)

    async def _welcome(self, credentials: SocketCredentials) -> None:
        actor, heartbeat_s = credentials.actor, settings.LIVE_TIMES.heartbeat_s
        if not connection_limits.register(self, actor.user_id):
            await self._close_and_stop(TOO_MANY_SOCKETS, "One person has too many sockets here.")
        self._credentials = credentials
        for group in (person_group(actor.workspace_id, actor.user_id), team_group(actor.workspace_id)):
            await self.channel_layer.group_add(group, self.channel_name)
        self._start_task(self._heartbeat_loop(heartbeat_s))
        self.enqueue(
            frame(WelcomeFrame(user_id=actor.user_id, workspace_id=actor.workspace_id, heartbeat_s=heartbeat_s))
        )

    async def _subscribe(self, actor: Actor, conversation_id: UUID) -> None:
        """Join the group before reading the snapshot, so that no event in between is missed."""
        if len(self._subscriptions | {conversation_id}) > MOST_SUBSCRIPTIONS:
            raise ProtocolError(
                "too_many_subscriptions", f"A connection can have at most {MOST_SUBSCRIPTIONS} subscriptions."
            )
        self._joining[conversation_id] = []
        try:
            await self.channel_layer.group_add(conversation_group(conversation_id), self.channel_name)
            text = await in_thread(_snapshot, actor, conversation_id)
        except (ContinuityError, OSError, *OUTAGES) as error:
            await self._drop_subscription(conversation_id)
            code = error.code if isinstance(error, ContinuityError) else "unavailable"
            self.enqueue(frame(ErrorFrame(code=code, conversation_id=conversation_id)))
            return
        self._subscriptions.add(conversation_id)
        health_broadcaster.join(conversation_id, self)
        self.enqueue(text)
        for message in self._joining.pop(conversation_id, ()):
            self.on_event(message)

    async def _unsubscribe(self, actor: Actor, conversation_id: UUID) -> None:
        await self._drop_subscription(conversation_id)
        self.enqueue(frame(UnsubscribedFrame(conversation_id=conversation_id)))

    async def _drop_subscription(self, conversation_id: UUID) -> None:
        self._subscriptions.discard(conversation_id)
        self._joining.pop(conversation_id, None)
        health_broadcaster.leave(conversation_id, self)
        await self._leave_group(conversation_group(conversation_id))

    async def _heartbeat_loop(self, heartbeat_s: float) -> None:
        """Recheck access and send versions with every heartbeat; the first interval has jitter."""
        pause = random.uniform(0.5, 1) * heartbeat_s  # noqa: S311  # spreads load, keeps no secret
        while self._send_queue is not None and not self._send_queue.overflowed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._recheck_now.wait(), pause)
            self._recheck_now.clear()
            pause = heartbeat_s
            if not self._send_queue.overflowed:
                await self._recheck_access()
        await self._close(TRY_AGAIN)

    async def _recheck_access(self) -> None:
        if self._credentials is None:
            return
        conversation_ids = list(self._subscriptions)
        try:
            renewed, versions = await in_thread(access_recheck, self._credentials, conversation_ids)
        except Exception as error:
            _log.warning("realtime.no_beat", error=type(error).__name__)
            return
        if renewed is None:
            await self._close(REVOKED)
            return
        self._credentials = renewed
        for conversation_id in conversation_ids:
            await self._confirm(conversation_id, versions.get(conversation_id))

    async def _confirm(self, conversation_id: UUID, version: int | None) -> None:
        """Send the version of a subscription, or end the subscription if it has none."""
        if version is not None:
            self.enqueue(version_frame(conversation_id, version))
        elif conversation_id in self._subscriptions:
            await self._drop_subscription(conversation_id)
            self.enqueue(frame(RevokedFrame(conversation_id=conversation_id, code=REVOKED)))

    def _requested_workspace(self) -> UUID | None:
        """Return the workspace id from the query string, if any."""
        named = parse_qs(self.scope["query_string"].decode("latin-1")).get("workspace", [""])[0]
        try:
            return UUID(named)
        except ValueError:
            return None

    def _start_task(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _close_if_unauthenticated(self) -> None:
        await asyncio.sleep(settings.LIVE_TIMES.authenticate_s)
        if self._credentials is None:
            await self._close(NOT_AUTHENTICATED)

    async def _close_and_stop(self, code: int, reason: str = "") -> None:
        await self._close(code, reason)
        raise StopConsumer

    async def _close(self, code: int, reason: str = "") -> None:
        """Close the socket; give up after a timeout, since a stalled client never reads the close frame."""
        await self._leave()
        close = self.send({"type": "websocket.close", "code": code, "reason": reason})
        with suppress(TimeoutError, OSError):
            await asyncio.wait_for(close, settings.LIVE_TIMES.close_s)

    async def _leave(self) -> None:
        """Cancel tasks and leave all groups; idempotent."""
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()
        self.channel_layer.listeners.pop(self.channel_name, None)
        for conversation_id in {*self._subscriptions, *self._joining}:
            await self._drop_subscription(conversation_id)
        if self._credentials is not None:
            await self._leave_group(person_group(self.actor.workspace_id, self.actor.user_id))
            await self._leave_group(team_group(self.actor.workspace_id))
        if self._send_queue is not None:
            await self._send_queue.close()

    async def _leave_group(self, group: str) -> None:
        """Leave a group locally even if Redis cannot be reached."""
        with suppress(Exception):
            await self.channel_layer.group_discard(group, self.channel_name)


def _snapshot(actor: Actor, conversation_id: UUID) -> str:
    with workspace(actor.workspace_id):
        return snapshot_frame(conversation_live(actor, conversation_id))
