"""The socket behind a real web server, with a real Redis that may crash."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as http_client
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from apps.accounts.actors import Actor
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.events.redis_publisher import redis_publisher_for
from config.stack.process import Program, launch, stop_all, wait_until
from config.stack.redis import Redis
from tests.conversations.long_conversations import conversation
from tests.processes import Web, start_web
from tests.realtime.reducer import Frame, View
from tests.realtime.sockets import cookie_of, run

pytestmark = pytest.mark.django_db(transaction=True)


class OwnRedis:
    """A private Redis server that the test may kill and restart."""

    def __init__(self, home: Path) -> None:
        (home / "logs").mkdir()
        self.server = Redis(home, home, death_signal=signal.SIGKILL)
        self.start()

    def start(self) -> None:
        program: Program = self.server.program()
        self.process = launch(program)
        assert wait_until(self.server.ready, 10)

    def kill9(self) -> None:
        stop_all([(self.process, signal.SIGKILL)], 5)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path)
    yield server
    server.kill9()
    redis_publisher_for.cache_clear()


@pytest.fixture
def web(redis: OwnRedis) -> Iterator[Web]:
    server = start_web(REDIS_URL=redis.server.url)
    yield server
    server.stop()


class Caller:
    """A program of Alice's with HTTP by API key and a socket by ticket."""

    def __init__(self, web: Web, actor: Actor) -> None:
        secret = api_key_create(actor, draft=ApiKeyDraft("hers", frozenset({"read", "write"}))).secret
        self._address = web.url.replace("http:", "ws:") + "/ws"
        self._http = http_client.AsyncClient(base_url=web.url + "/api", headers={"X-Api-Key": secret}, timeout=20)

    async def post(self, path: str, body: Any = None, status: int = 201) -> Any:
        answer = await self._http.post(path, json=body or {})
        assert answer.status_code == status, answer.text
        return answer.json()

    async def live(self, talk: Any) -> Any:
        return (await self._http.get(f"/conversations/{talk}/live")).json()

    async def socket(self) -> ClientConnection:
        socket = await connect(self._address)
        ticket = (await self.post("/ws-ticket"))["ticket"]
        await socket.send(json.dumps({"type": "authenticate", "ticket": ticket}))
        await receive(socket, "welcome")
        return socket

    async def leave(self) -> None:
        await self._http.aclose()


@pytest.fixture
def program(alice: Actor, web: Web) -> Caller:
    return Caller(web, alice)


async def receive(socket: ClientConnection, kind: str, seconds: float = 10) -> Frame:
    async with asyncio.timeout(seconds):
        while True:
            frame: Frame = json.loads(await socket.recv())
            if kind in (frame["type"], frame.get("name")):
                return frame


async def subscribe(socket: ClientConnection, talk: Any) -> Frame:
    await socket.send(json.dumps({"type": "subscribe", "conversation_id": str(talk)}))
    return await receive(socket, "snapshot")


async def caught_up(socket: ClientConnection, view: View, version: int) -> None:
    async with asyncio.timeout(10):
        while view.version < version or view.health_version < version:
            view.apply(json.loads(await socket.recv()))


def test_a_message_posted_over_http_is_heard_on_the_socket(alice: Actor, program: Caller) -> None:
    talk = conversation(alice)

    async def story() -> None:
        socket = await program.socket()
        view = View(await subscribe(socket, talk))
        await program.post(f"/conversations/{talk}/messages", {"role": "user", "content": "Hello"})
        await caught_up(socket, view, 1)
        fresh = await subscribe(socket, talk)
        assert view.state == fresh["state"]
        assert (await program.live(talk))["version"] == view.version
        await socket.close()
        await program.leave()

    run(story)


def test_the_server_itself_refuses_huge_frames_and_foreign_pages(alice: Actor, web: Web, program: Caller) -> None:
    cookie = cookie_of(alice)

    async def story() -> None:
        socket = await program.socket()
        with pytest.raises(ConnectionClosed) as closed:
            await socket.send("x" * 1_000_000)
            await socket.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        with pytest.raises(InvalidStatus) as refused:
            await connect(
                web.url.replace("http:", "ws:") + "/ws",
                additional_headers={"Cookie": cookie, "Origin": "http://evil.example"},
            )
        assert refused.value.response.status_code == 403
        await program.leave()

    run(story)


def test_a_write_while_redis_is_dead_is_stored_and_known_when_it_is_back(
    alice: Actor, program: Caller, redis: OwnRedis
) -> None:
    talk = conversation(alice)

    async def story() -> None:
        socket = await program.socket()
        view = View(await subscribe(socket, talk))
        redis.kill9()
        await program.post(f"/conversations/{talk}/messages", {"role": "user", "content": "Is anybody there?"})
        assert (await program.live(talk))["version"] == 1
        redis.start()
        while not view.stale:
            view.apply(await receive(socket, "version"))
        view.apply(await subscribe(socket, talk))
        assert view.version == 1
        await program.post(f"/conversations/{talk}/messages", {"role": "user", "content": "Again"})
        while view.version < 2:
            view.apply(json.loads(await asyncio.wait_for(socket.recv(), 10)))
            if view.stale:
                view.apply(await subscribe(socket, talk))
        await socket.close()
        await program.leave()

    run(story)


def test_events_flow_again_after_redis_came_back(alice: Actor, program: Caller, redis: OwnRedis) -> None:
    """The server subscribes again; clients only notice a version."""
    talk = conversation(alice)

    async def story() -> None:
        socket = await program.socket()
        await subscribe(socket, talk)
        redis.kill9()
        await asyncio.sleep(0.2)
        redis.start()
        await asyncio.sleep(2.5)
        await program.post(f"/conversations/{talk}/messages", {"role": "user", "content": "Hello"})
        assert (await receive(socket, "MessagesStored"))["version"] == 1
        await socket.close()
        await program.leave()

    run(story)
