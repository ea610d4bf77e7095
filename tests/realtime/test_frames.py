"""Frames that a socket sends and accepts."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from django.conf import settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.events.publish import emit
from apps.events.types import TurnProgressed
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from apps.realtime.send_queue import MOST_FRAMES
from tests.api.callers import Caller
from tests.conversations.long_conversations import conversation, say
from tests.memory.trees import write
from tests.people import client_of
from tests.realtime.reducer import View
from tests.realtime.slow import SlowReader
from tests.realtime.sockets import Socket, in_sync, run, watching, with_ticket

pytestmark = pytest.mark.django_db(transaction=True)


def pin(actor: Actor, talk: Any) -> None:
    with workspace(actor.workspace_id):
        pin_create(actor, conversation_id=talk, draft=PinDraft(content="Keep this"))


def remember(actor: Actor) -> None:
    with workspace(actor.workspace_id):
        user_memory_create(actor, draft=UserMemoryDraft("fact", "editor", "Vim"))


def test_the_snapshot_and_the_api_agree(alice: Actor) -> None:
    talk = conversation(alice, title="Ours")
    say(alice, talk, "Hello", "Hi")
    told = client_of(alice).get(f"/api/conversations/{talk}/live").json()

    async def story() -> None:
        socket, snapshot = await watching(alice, talk)
        assert snapshot["version"] == told["version"] == 1
        assert snapshot["state"]["counts"] == told["counts"]
        assert snapshot["state"]["health"]["status"] == told["health"]["status"] == "new"
        assert [message["id"] for message in snapshot["state"]["messages"]] == [m["id"] for m in told["messages"]]
        assert set(snapshot["state"]) == set(told) - {"conversation_id", "version"}
        await socket.leave()

    run(story)


def test_what_happens_is_heard_and_leads_to_the_fresh_state(alice: Actor) -> None:
    talk = conversation(alice)

    async def story() -> None:
        socket, snapshot = await watching(alice, talk)
        view = View(snapshot)
        await in_sync(say, alice, talk, "Hello", "Hi")
        await in_sync(pin, alice, talk)
        while (view.version, view.health_version) != (2, 2):
            view.apply(await socket.receive())
        assert not view.stale
        fresh, again = await watching(alice, talk)
        assert view.state == again["state"]
        await socket.leave()
        await fresh.leave()

    run(story)


def test_nothing_is_missed_while_the_snapshot_is_read(alice: Actor) -> None:
    talk = conversation(alice)

    async def story() -> None:
        async def write() -> None:
            for number in range(30):
                await in_sync(say, alice, talk, f"Number {number}")

        socket = await with_ticket(alice)
        writing = asyncio.create_task(write())
        for _ in range(5):
            await socket.say(type="subscribe", conversation_id=talk)
            view = View(await socket.receive("snapshot"))
        while view.version < 30:
            heard = await socket.receive("event")
            # Health is read independently of events, and may be newer than an event in transit.
            if heard["name"] != "HealthChanged":
                view.apply(heard)
            assert not view.stale
        await writing
        await socket.leave()

    run(story)


def test_many_changes_make_few_health_frames(alice: Actor) -> None:
    talk = conversation(alice)

    async def story() -> None:
        socket, _ = await watching(alice, talk)
        begin = time.monotonic()
        for number in range(12):
            await in_sync(say, alice, talk, f"Number {number}")
        frames = []
        while not frames or frames[-1]["version"] < 12:
            frames.append(await socket.receive("HealthChanged"))
        intervals = (time.monotonic() - begin) / settings.LIVE_TIMES.health_s
        assert len(frames) <= 1 + intervals
        await socket.leave()

    run(story)


def test_progress_passes_without_a_version(alice: Actor) -> None:
    talk = conversation(alice)

    async def story() -> None:
        socket, _ = await watching(alice, talk)
        await in_sync(emit, TurnProgressed(conversation_id=talk, reply_id=talk, characters=120))
        frame = await socket.receive("TurnProgressed")
        assert "version" not in frame and frame["data"]["characters"] == 120
        assert await socket.silent("HealthChanged")
        await socket.leave()

    run(story)


def test_user_memory_events_reach_only_their_person(alice: Actor, bob: Actor) -> None:
    async def story() -> None:
        hers, his = await with_ticket(alice), await with_ticket(bob)
        await in_sync(remember, alice)
        assert (await hers.receive("UserMemoryChanged"))["data"]["deleted"] is False
        assert await his.silent("UserMemoryChanged")
        await hers.leave()
        await his.leave()

    run(story)


def test_who_has_a_conversation_in_their_list_hears_that_it_changed(alice: Actor, bob: Actor) -> None:
    async def story() -> None:
        hers, his = await with_ticket(alice), await with_ticket(bob)
        talk, caller = await in_sync(conversation, alice), await in_sync(Caller, alice)
        assert "version" not in await hers.receive("ConversationsChanged")
        await in_sync(caller.post, f"/conversations/{talk}/messages", {"role": "user", "content": "Hello"})
        await hers.receive("ConversationsChanged")
        assert await his.silent("ConversationsChanged")
        await in_sync(caller.post, f"/conversations/{talk}/shares", {"email": "bob@example.org"})
        await his.receive("ConversationsChanged")
        await hers.leave()
        await his.leave()

    run(story)


def test_members_hear_who_joins_gets_another_role_or_leaves(alice: Actor, bob: Actor, charlie: Actor) -> None:
    members = f"/api/members/{charlie.user_id}"

    async def story() -> None:
        his, stranger = await with_ticket(bob), await with_ticket(charlie)
        owner, guest = await in_sync(client_of, alice), await in_sync(client_of, charlie)

        async def heard(sent: Any, *arguments: Any) -> None:
            assert (await in_sync(sent, *arguments)).status_code < 300
            assert (await his.receive("MembersChanged"))["data"] == {}

        made = await in_sync(owner.post, "/api/invitations", {"email": "charlie@example.org"})
        await heard(guest.post, "/api/invitations/accept", {"secret": made.json()["secret"]})
        await heard(owner.patch, members, {"role": "curator"})
        await heard(owner.delete, members)
        assert await stranger.silent("MembersChanged")
        await his.leave()
        await stranger.leave()

    run(story)


def test_a_declined_invitation_is_heard_where_it_was_pending(alice: Actor, charlie: Actor) -> None:
    async def story() -> None:
        hers = await with_ticket(alice)
        owner, guest = await in_sync(client_of, alice), await in_sync(client_of, charlie)
        made = await in_sync(owner.post, "/api/invitations", {"email": "charlie@example.org"})
        await in_sync(guest.post, "/api/invitations/decline", {"secret": made.json()["secret"]})
        await hers.receive("MembersChanged")
        await hers.leave()

    run(story)


def test_the_heartbeat_carries_versions(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello")

    async def story() -> None:
        socket, _ = await watching(alice, talk)
        beat = await socket.receive("version")
        assert (beat["conversation_id"], beat["version"]) == (str(talk), 1)
        await socket.leave()

    run(story)


def test_after_an_unsubscribe_nothing_more_comes(alice: Actor) -> None:
    talk = conversation(alice)

    async def story() -> None:
        socket, _ = await watching(alice, talk)
        await socket.say(type="unsubscribe", conversation_id=talk)
        await socket.receive("unsubscribed")
        await in_sync(say, alice, talk, "Hello")
        assert await socket.silent("MessagesStored")
        await socket.leave()

    run(story)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "not_json"),
        ("[" * 20_000, "not_json"),
        ("[]", "not_an_object"),
        ("{}", "unknown_type"),
        ('{"type": "dance"}', "unknown_type"),
        ('{"type": ["subscribe"]}', "unknown_type"),
        ('{"type": "subscribe"}', "invalid_id"),
        ('{"type": "subscribe", "conversation_id": 7}', "invalid_id"),
        ('{"type": "authenticate", "ticket": "again"}', "already_authenticated"),
    ],
)
def test_nonsense_is_answered_and_forgiven(alice: Actor, text: str, code: str) -> None:
    async def story() -> None:
        socket = await with_ticket(alice)
        await socket.say_raw(text)
        assert (await socket.receive())["code"] == code
        await socket.say(type="ping")
        assert (await socket.receive())["type"] == "pong"
        await socket.leave()

    run(story)


def test_a_huge_frame_and_a_flood_close_the_socket(alice: Actor) -> None:
    async def story() -> None:
        huge, flood = await with_ticket(alice), await with_ticket(alice)
        await huge.say_raw(json.dumps({"type": "ping", "pad": "x" * 65_536}))
        assert await huge.closed() == 1009
        for _ in range(200):
            await flood.say(type="ping")
        assert await flood.closed() == 4429

    run(story)


def test_a_socket_has_at_most_fifty_subscriptions(alice: Actor) -> None:
    talks = [conversation(alice) for _ in range(51)]

    async def story() -> None:
        socket = await with_ticket(alice)
        for talk in talks[:50]:
            await socket.say(type="subscribe", conversation_id=talk)
            await socket.receive("snapshot")
        await socket.say(type="subscribe", conversation_id=talks[50])
        assert (await socket.receive("error"))["code"] == "too_many_subscriptions"
        await socket.leave()

    run(story)


def test_there_is_no_socket_at_another_address() -> None:
    async def story() -> None:
        assert await Socket(path="/ws/other").open() == "close"

    run(story)


def test_a_reader_that_never_reads_is_let_go_and_others_hear_on(alice: Actor) -> None:
    """The slow reader blocks permanently in its first send."""
    talk = conversation(alice)

    async def story() -> None:
        quick, _ = await watching(alice, talk)
        slow = await SlowReader.watching(alice, talk)
        for number in range(MOST_FRAMES + 50):
            emit(TurnProgressed(conversation_id=talk, reply_id=talk, characters=number))
            if number % 50 == 0:
                assert (await quick.receive("TurnProgressed"))["data"]["characters"] <= number
        while (await quick.receive("TurnProgressed"))["data"]["characters"] < MOST_FRAMES + 49:
            pass
        assert await slow.closed_with() == 1013
        assert slow.held() == 0
        await slow.leave()
        await quick.leave()

    run(story)


def test_tree_events_reach_only_people_who_can_see_the_change(alice: Actor, bob: Actor, charlie: Actor) -> None:
    async def story() -> None:
        hers, his, others = [await with_ticket(actor) for actor in (alice, bob, charlie)]
        mine = await in_sync(write, alice, "mem://agent/cases/mine")
        assert (await hers.receive("MemoryChanged"))["data"]["user_id"] == str(alice.user_id)
        ours = await in_sync(write, alice, "mem://agent/cases/ours", shared=True)
        heard = (await his.receive("MemoryChanged"))["data"]
        assert heard["user_id"] is None
        assert str(ours.id) in heard["node_ids"] and str(mine.id) not in heard["node_ids"]
        assert await others.silent("MemoryChanged")
        for socket in (hers, his, others):
            await socket.leave()

    run(story)
