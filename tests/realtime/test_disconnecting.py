"""Closed sockets leave no state in the process, whose connections are limited."""

from __future__ import annotations

from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import OperationalError
from redis.exceptions import RedisError

from apps.accounts.actors import Actor
from apps.accounts.services.tickets import ticket_issue
from apps.realtime import connection_limits as seating
from apps.realtime.connection_limits import connection_limits
from apps.realtime.health_broadcaster import health_broadcaster
from tests.conversations.long_conversations import conversation, say
from tests.realtime.sockets import Socket, in_sync, run, watching, with_ticket

pytestmark = pytest.mark.django_db(transaction=True)


def no_connection_is_free(*_: Any) -> None:
    raise OperationalError("couldn't get a connection after 2.00 sec")


def remaining_state() -> list[Any]:
    """Return the socket state that remains in this process."""
    layer = get_channel_layer()
    held = [
        layer.listeners,
        layer.groups,
        layer.channels,
        health_broadcaster._watchers,
        connection_limits._whose,
        connection_limits._of_person,
    ]
    return [found for found in held if found]


def test_a_database_that_is_busy_refuses_a_subscription_and_keeps_the_socket(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = conversation(alice)

    async def story() -> None:
        socket = await with_ticket(alice)
        with monkeypatch.context() as busy:
            busy.setattr("apps.realtime.consumer._snapshot", no_connection_is_free)
            await socket.say(type="subscribe", conversation_id=talk)
            error = await socket.receive("error")
            assert (error["code"], error["conversation_id"]) == ("unavailable", str(talk))
        await in_sync(say, alice, talk, "Hello")
        assert await socket.silent("MessagesStored")
        await socket.say(type="subscribe", conversation_id=talk)
        assert (await socket.receive("snapshot"))["version"] == 1
        await socket.leave()
        assert remaining_state() == []

    run(story)


@pytest.mark.parametrize("error", [OperationalError, RedisError])
def test_who_cannot_be_let_in_now_is_asked_to_come_back(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*_: Any) -> None:
        raise error

    async def story() -> None:
        monkeypatch.setattr("apps.realtime.consumer.credentials_of_ticket", fail)
        socket = Socket()
        await socket.open()
        await socket.say(type="authenticate", ticket="any")
        assert await socket.closed() == 1013
        await socket.ended()
        assert remaining_state() == []

    run(story)


def test_a_redis_that_goes_away_at_the_door_leaves_nothing(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = ticket_issue(alice).ticket

    async def away(*_: Any) -> None:
        raise RedisError

    async def story() -> None:
        socket = Socket()
        await socket.open()
        monkeypatch.setattr(get_channel_layer()._shards[0], "subscribe", away)
        await socket.say(type="authenticate", ticket=ticket)
        assert await socket.closed() == 1013
        await socket.ended()
        assert remaining_state() == []

    run(story)


def test_a_mistake_of_ours_ends_the_socket_whole(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = conversation(alice)

    def mistaken(*_: Any) -> None:
        raise ZeroDivisionError

    async def story() -> None:
        socket, _ = await watching(alice, talk)
        monkeypatch.setattr("apps.realtime.consumer._snapshot", mistaken)
        await socket.say(type="subscribe", conversation_id=talk)
        with pytest.raises(ZeroDivisionError):
            await socket.ended()
        assert remaining_state() == []

    run(story)


def test_a_process_at_its_connection_limit_says_so(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MOST_SOCKETS", 2)

    async def story() -> None:
        first, second, third = Socket(), Socket(), Socket()
        for socket in (first, second, third):
            assert await socket.open() == "accept"
        assert (await third.closed(), third.reason) == (1013, "This server has too many sockets.")
        await first.leave()
        await (await with_ticket(alice)).leave()
        await second.leave()
        assert remaining_state() == []

    run(story)


def test_the_limit_of_sockets_is_per_person(alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MOST_OF_ONE_PERSON", 2)

    async def story() -> None:
        hers = [await with_ticket(alice) for _ in range(2)]
        third, ticket = Socket(), (await in_sync(ticket_issue, alice)).ticket
        await third.open()
        await third.say(type="authenticate", ticket=ticket)
        assert await third.closed() == 4430
        assert third.reason == "One person has too many sockets here."
        his = await with_ticket(bob)
        await hers.pop().leave()
        hers.append(await with_ticket(alice))
        for socket in (*hers, his):
            await socket.leave()
        assert remaining_state() == []

    run(story)
