"""The socket at `/ws`: somebody proves who they are, subscribes to conversations, and hears what changes in them.

Every frame is a JSON object with a `type`.

Getting in
    With the session cookie, from a page of our own (the `Origin` is checked), one is in at once; `?workspace=<id>`
    names a workspace, as X-Continuity-Workspace does elsewhere. Anybody else sends, within 5 seconds,
    `{"type": "authenticate", "ticket"}` with a ticket from `POST /api/ws-ticket` (30 seconds, one use), or the socket
    is closed with 4401. The answer is `{"type": "welcome", "user_id", "workspace_id", "beat_s"}`. A socket lives no
    longer than the session or key that opened it, itself or by a ticket. Where the process has no room for one more it
    is closed with 1013, where the person has too many with 4430; both give a reason.

Client
    `{"type": "subscribe", "conversation_id"}`, `{"type": "unsubscribe", "conversation_id"}`, `{"type": "ping"}`.
    A frame holds at most 64 KB, a socket at most 50 subscriptions and 20 frames a second; beyond 1009, an error, 4429.

Server
    `{"type": "snapshot", "conversation_id", "version", "state"}` once for a subscription; the same state as
    `GET /api/conversations/{id}/live`. Then `{"type": "event", "name", "conversation_id", "version", "data"}`.
    `data` holds whole parts of the state: `counts`, `summary`, `compaction`, `turn`, `pins`, `conversation`, `health`
    replace the client's; `messages` are put in by `id`, and the newest 50 by `index` stay.
    `{"type": "version", "conversation_id", "version"}` every 30 seconds, and after Redis was away or hung.
    `{"type": "revoked", "conversation_id", "code": 4403}` ends one subscription; who may not be here at all is closed
    with 4403. `unsubscribed`, `pong`, and `{"type": "error", "code", "detail"}`.

What a client does with versions
    An event whose version is the client's plus one is applied. A lower or equal one is old: dropped. A higher one
    means that something is missing: fetch the state. HealthChanged never counts up: its version says of what state it
    is; it is applied unless it is older than the health one has, and if it is ahead of the client's version, fetch. A
    `version` frame that is ahead of the state's or the health's version: fetch. TurnProgressed has no version; it may
    be lost. After a reconnect: subscribe again, the snapshot replaces everything. A reader too slow to keep up is
    closed with 1013 and does the same.
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
from apps.realtime.connection_limits import seats
from apps.realtime.db_threads import in_thread
from apps.realtime.frames import frame, snapshot_frame, version_frame
from apps.realtime.health_broadcaster import desk
from apps.realtime.origin_check import is_own_origin, session_cookie
from apps.realtime.protocol import LONGEST_FRAME, MOST_SUBSCRIPTIONS, Allowance, Misunderstood, Said, read_frame
from apps.realtime.send_queue import Outbox

NOT_AUTHENTICATED, REVOKED, TOO_MANY_FRAMES, TOO_MANY_SOCKETS, TOO_LARGE, TRY_AGAIN = 4401, 4403, 4429, 4430, 1009, 1013
# What may be away for a while: Redis, and the database or a free connection to it.
AWAY = (RedisError, DatabaseError)
# Of a conversation's events, those that its health does not follow from.
_BESIDE_HEALTH = frozenset({"TurnProgressed", "HealthChanged"})

_log = structlog.get_logger("continuity.realtime")


class LiveConsumer(AsyncConsumer):  # type: ignore[misc]  # the base has no types
    """One socket. What it reads of the database it reads in threads; what it sends never waits for its reader."""

    def __init__(self) -> None:
        self.channel_name = ""
        self._pass: SocketCredentials | None = None
        self._subscriptions: set[UUID] = set()
        # What is heard of a conversation while its snapshot is read.
        self._joining: dict[UUID, list[dict[str, Any]]] = {}
        self._allowance = Allowance()
        self._tasks: set[asyncio.Task[None]] = set()
        self._outbox: Outbox | None = None
        self._beat_now = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """However it ends, nothing of it stays."""
        if not seats.come_in(self):
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": "This server has too many sockets."})
            return
        try:
            await super().__call__(scope, receive, send)
        finally:
            seats.leave(self)
            await self._leave()

    @property
    def actor(self) -> Actor:
        if self._pass is None:
            raise Misunderstood("not_authenticated", "Send a ticket first.")
        return self._pass.actor

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Without the base's look after the database at each step: here no step uses it directly."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        session_key = session_cookie(self.scope)
        if session_key and not is_own_origin(self.scope):
            await self._stop(REVOKED)
        held = await in_thread(credentials_of_session, session_key, self._wanted()) if session_key else None
        await self.send({"type": "websocket.accept"})
        self.channel_layer.listeners[self.channel_name] = self.hear
        self._outbox = Outbox(lambda text: self.send({"type": "websocket.send", "text": text}))
        if held is not None:
            await self._let_in(held)
        else:
            self._begin(self._close_if_nobody())

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        text = message.get("text")
        if len(text or message.get("bytes") or "") > LONGEST_FRAME:
            await self._stop(TOO_LARGE)
        if not self._allowance.take():
            await self._stop(TOO_MANY_FRAMES)
        try:
            await self._answer(read_frame(text))
        except Misunderstood as error:
            self.tell(frame("error", code=error.code, detail=error.detail))

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer

    def hear(self, message: dict[str, Any]) -> None:
        """An event of a conversation, or of this person; called by the layer, in between of all else."""
        name, about = message["name"], message["conversation_id"]
        if name == "AccessRevoked":
            self._beat_now.set()
        elif not about:
            self.tell(message["text"])
        elif (conversation_id := UUID(about)) in self._joining:
            self._joining[conversation_id].append(message)
        elif conversation_id in self._subscriptions:
            self.tell(message["text"])
            if name not in _BESIDE_HEALTH:
                desk.changed(conversation_id)

    async def live_resync(self, message: dict[str, Any]) -> None:
        """Redis was away: tell the versions soon, but not on all sockets at once."""
        delay = random.uniform(0, settings.LIVE_TIMES.resync_within_s)  # noqa: S311  # spreads load, keeps no secret
        asyncio.get_running_loop().call_later(delay, self._beat_now.set)

    def tell(self, text: str) -> None:
        """Send when the reader is ready; one that is too slow loses its socket at the beat that is due now."""
        if self._outbox is not None and not self._outbox.put(text):
            self._beat_now.set()

    async def _answer(self, said: Said) -> None:
        if said.kind == "ping":
            self.tell(frame("pong"))
        elif said.kind == "authenticate":
            await self._authenticate(said.ticket)
        elif said.conversation_id is not None:
            act = self._subscribe if said.kind == "subscribe" else self._unsubscribe
            await act(self.actor, said.conversation_id)

    async def _authenticate(self, ticket: str) -> None:
        if self._pass is not None:
            raise Misunderstood("already_authenticated", "This socket has somebody already.")
        held = await in_thread(credentials_of_ticket, ticket)
        if held is None:
            await self._stop(NOT_AUTHENTICATED)
        else:
            await self._let_in(held)

    async def _let_in(self, held: SocketCredentials) -> None:
        actor, beat_s = held.actor, settings.LIVE_TIMES.beat_s
        if not seats.sit_down(self, actor.user_id):
            await self._stop(TOO_MANY_SOCKETS, "One person has too many sockets here.")
        self._pass = held
        for group in (person_group(actor.workspace_id, actor.user_id), team_group(actor.workspace_id)):
            await self.channel_layer.group_add(group, self.channel_name)
        self._begin(self._keep_beating(beat_s))
        self.tell(frame("welcome", user_id=actor.user_id, workspace_id=actor.workspace_id, beat_s=beat_s))

    async def _subscribe(self, actor: Actor, conversation_id: UUID) -> None:
        """Join first, then read: what happens in between is in the state, or comes after it, or both."""
        if len(self._subscriptions | {conversation_id}) > MOST_SUBSCRIPTIONS:
            raise Misunderstood("too_many_subscriptions", f"A socket has at most {MOST_SUBSCRIPTIONS} subscriptions.")
        self._joining[conversation_id] = []
        try:
            await self.channel_layer.group_add(conversation_group(conversation_id), self.channel_name)
            text = await in_thread(_snapshot, actor, conversation_id)
        except (ContinuityError, OSError, *AWAY) as error:
            await self._forget(conversation_id)
            code = error.code if isinstance(error, ContinuityError) else "unavailable"
            self.tell(frame("error", code=code, conversation_id=conversation_id))
            return
        self._subscriptions.add(conversation_id)
        desk.join(conversation_id, self)
        self.tell(text)
        for message in self._joining.pop(conversation_id, ()):
            self.hear(message)

    async def _unsubscribe(self, actor: Actor, conversation_id: UUID) -> None:
        await self._forget(conversation_id)
        self.tell(frame("unsubscribed", conversation_id=conversation_id))

    async def _forget(self, conversation_id: UUID) -> None:
        self._subscriptions.discard(conversation_id)
        self._joining.pop(conversation_id, None)
        desk.leave(conversation_id, self)
        await self._hear_no_more(conversation_group(conversation_id))

    async def _keep_beating(self, beat_s: float) -> None:
        """Each beat asks again who may hear what, and tells the versions; the first at a random moment."""
        pause = random.uniform(0.5, 1) * beat_s  # noqa: S311  # spreads load, keeps no secret
        while self._outbox is not None and not self._outbox.overflowed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._beat_now.wait(), pause)
            self._beat_now.clear()
            pause = beat_s
            if not self._outbox.overflowed:
                await self._beat()
        await self._shut(TRY_AGAIN)

    async def _beat(self) -> None:
        if self._pass is None:
            return
        asked = list(self._subscriptions)
        try:
            renewed, versions = await in_thread(access_recheck, self._pass, asked)
        except Exception as error:
            _log.warning("realtime.no_beat", error=type(error).__name__)
            return
        if renewed is None:
            await self._shut(REVOKED)
            return
        self._pass = renewed
        for conversation_id in asked:
            await self._confirm(conversation_id, versions.get(conversation_id))

    async def _confirm(self, conversation_id: UUID, version: int | None) -> None:
        """Tell the version of a subscription, or its end where there is none to tell."""
        if version is not None:
            self.tell(version_frame(conversation_id, version))
        elif conversation_id in self._subscriptions:
            await self._forget(conversation_id)
            self.tell(frame("revoked", conversation_id=conversation_id, code=REVOKED))

    def _wanted(self) -> UUID | None:
        """The workspace that the address names."""
        named = parse_qs(self.scope["query_string"].decode("latin-1")).get("workspace", [""])[0]
        try:
            return UUID(named)
        except ValueError:
            return None

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _close_if_nobody(self) -> None:
        await asyncio.sleep(settings.LIVE_TIMES.authenticate_s)
        if self._pass is None:
            await self._shut(NOT_AUTHENTICATED)

    async def _stop(self, code: int, reason: str = "") -> None:
        await self._shut(code, reason)
        raise StopConsumer

    async def _shut(self, code: int, reason: str = "") -> None:
        """Close the socket; one whose reader has stopped reading may never take notice."""
        await self._leave()
        close = self.send({"type": "websocket.close", "code": code, "reason": reason})
        with suppress(TimeoutError, OSError):
            await asyncio.wait_for(close, settings.LIVE_TIMES.close_s)

    async def _leave(self) -> None:
        """Keep nothing, hear nothing; it may have left before."""
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()
        self.channel_layer.listeners.pop(self.channel_name, None)
        for conversation_id in {*self._subscriptions, *self._joining}:
            await self._forget(conversation_id)
        if self._pass is not None:
            await self._hear_no_more(person_group(self.actor.workspace_id, self.actor.user_id))
            await self._hear_no_more(team_group(self.actor.workspace_id))
        if self._outbox is not None:
            await self._outbox.close()

    async def _hear_no_more(self, group: str) -> None:
        """Out of the group in this process, whatever becomes of the word to Redis."""
        with suppress(Exception):
            await self.channel_layer.group_discard(group, self.channel_name)


def _snapshot(actor: Actor, conversation_id: UUID) -> str:
    with workspace(actor.workspace_id):
        return snapshot_frame(conversation_live(actor, conversation_id))
