"""Authentication and revocation of sockets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Membership
from apps.accounts.selectors.keys import api_key_actor
from apps.accounts.services.keys import ApiKeyDraft, api_key_create, api_key_revoke
from apps.accounts.services.members import member_remove
from apps.accounts.services.tickets import _name, _redis, ticket_issue, ticket_redeem
from apps.common.tenancy import workspace
from apps.conversations.services.conversations import conversation_share, conversation_unshare
from apps.realtime.health_broadcaster import health_broadcaster
from tests.conversations.long_conversations import conversation, say
from tests.people import client_of, key_client_of
from tests.realtime.sockets import Socket, cookie_of, in_sync, run, watching, with_ticket

pytestmark = pytest.mark.django_db(transaction=True)

OWN = "http://testserver"


@pytest.fixture(autouse=True)
def _host(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


def in_unit(service: Callable[..., Any], actor: Actor, **arguments: Any) -> Any:
    with workspace(actor.workspace_id):
        return service(actor, **arguments)


def share(alice: Actor, talk: UUID) -> None:
    """Share with Bob, for reading."""
    in_unit(conversation_share, alice, conversation_id=talk, email="bob@example.org", access="read")


def test_a_session_from_our_own_page_is_in_at_once(alice: Actor) -> None:
    cookie = cookie_of(alice)

    async def story() -> None:
        socket = Socket({"cookie": cookie, "origin": OWN})
        assert await socket.open() == "accept"
        assert (await socket.receive())["user_id"] == str(alice.user_id)
        await socket.leave()

    run(story)


FOREIGN = [
    *(None, "null", "", "testserver", "http://[", "ftp://testserver", "http://testserver:81"),
    *("http://evil.example", "http://testserver.evil.example", "http://testserver@evil.example"),
]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_session_from_any_other_page_is_refused(alice: Actor, origin: str | None) -> None:
    headers = {"cookie": cookie_of(alice), **({} if origin is None else {"origin": origin})}

    async def story() -> None:
        assert await Socket(headers).open() == "close"

    run(story)


def test_a_trusted_origin_is_as_good_as_our_own(alice: Actor, settings: Settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://chat.example"]
    cookie = cookie_of(alice)

    async def story() -> None:
        socket = Socket({"cookie": cookie, "origin": "https://chat.example"})
        assert await socket.open() == "accept"
        await socket.leave()

    run(story)


def test_an_expired_session_is_anonymous(alice: Actor) -> None:
    browser = client_of(alice)
    cookie = f"sessionid={browser.cookies['sessionid'].value}"
    browser.logout()

    async def story() -> None:
        socket = Socket({"cookie": cookie, "origin": OWN})
        assert await socket.open() == "accept"
        assert await socket.closed() == 4401

    run(story)


def test_who_sends_no_ticket_is_closed_after_a_while() -> None:
    async def story() -> None:
        socket = Socket()
        await socket.open()
        await socket.say(type="subscribe", conversation_id="01890a5d-ac96-774b-bcce-b302099a8057")
        assert (await socket.receive("error"))["code"] == "not_authenticated"
        assert await socket.closed() == 4401

    run(story)


def test_a_ticket_is_good_once(alice: Actor) -> None:
    ticket = ticket_issue(alice).ticket

    async def story() -> None:
        first, second = Socket(), Socket()
        await first.open()
        await first.say(type="authenticate", ticket=ticket)
        assert (await first.receive())["type"] == "welcome"
        await second.open()
        await second.say(type="authenticate", ticket=ticket)
        assert await second.closed() == 4401
        await first.leave()

    run(story)


def test_a_ticket_runs_out_and_is_stored_as_a_hash(alice: Actor) -> None:
    ticket = ticket_issue(alice).ticket
    assert 0 < _redis().ttl(_name(ticket)) <= 30
    assert ticket not in str(_redis().keys("ticket:*"))
    _redis().delete(_name(ticket))
    assert ticket_redeem(ticket) is None
    assert ticket_redeem("rubbish") is None


def test_a_tickets_key_must_still_be_in_force(alice: Actor) -> None:
    made = api_key_create(alice, draft=ApiKeyDraft("hers", frozenset({"read"})))
    actor = api_key_actor(made.key.id)
    assert actor is not None
    ticket = ticket_issue(actor).ticket
    in_unit(api_key_revoke, alice, key_id=made.key.id)

    async def story() -> None:
        socket = Socket()
        await socket.open()
        await socket.say(type="authenticate", ticket=ticket)
        assert await socket.closed() == 4401

    run(story)


def test_the_api_gives_tickets_to_sessions_and_keys(alice: Actor) -> None:
    for caller in (client_of(alice), key_client_of(alice, "read")):
        answer = caller.post("/api/ws-ticket")
        assert (answer.status_code, answer.json()["expires_in_s"]) == (201, 30)
        held = ticket_redeem(answer.json()["ticket"])
        assert held is not None and (held.user_id, held.workspace_id) == (alice.user_id, alice.workspace_id)
        assert (held.key_id is None) != (held.session_key is None)


def test_no_session_key_is_in_redis(alice: Actor) -> None:
    browser = client_of(alice)
    key = browser.cookies["sessionid"].value
    ticket = browser.post("/api/ws-ticket").json()["ticket"]
    stored = _redis().get(_name(ticket))
    assert isinstance(stored, bytes)
    assert key not in stored.decode() and key.encode().hex() not in stored.decode()
    held = ticket_redeem(ticket)
    assert held is not None and held.session_key == key


def test_a_sessions_ticket_is_no_longer_good_when_the_session_has_ended(alice: Actor) -> None:
    browser = client_of(alice)
    ticket = browser.post("/api/ws-ticket").json()["ticket"]
    assert browser.post("/api/sign-out").status_code == 204

    async def story() -> None:
        socket = Socket()
        await socket.open()
        await socket.say(type="authenticate", ticket=ticket)
        assert await socket.closed() == 4401

    run(story)


@pytest.mark.parametrize("by", ["cookie", "ticket"])
def test_signing_out_closes_the_sessions_sockets_and_no_others(alice: Actor, by: str, settings: Settings) -> None:
    settings.LIVE_TIMES = replace(settings.LIVE_TIMES, heartbeat_s=60)
    browser, other = client_of(alice), cookie_of(alice)
    cookie = f"sessionid={browser.cookies['sessionid'].value}"

    async def opened() -> Socket:
        socket = Socket({"cookie": cookie, "origin": OWN} if by == "cookie" else {})
        await socket.open()
        if by == "ticket":
            ticket = (await in_sync(browser.post, "/api/ws-ticket")).json()["ticket"]
            await socket.say(type="authenticate", ticket=ticket)
        assert (await socket.receive())["type"] == "welcome"
        return socket

    async def story() -> None:
        ending, staying = await opened(), Socket({"cookie": other, "origin": OWN})
        await staying.open()
        program = await with_ticket(alice)
        assert (await in_sync(browser.post, "/api/sign-out")).status_code == 204
        assert await ending.closed() == 4403
        for socket in (staying, program):
            await socket.say(type="ping")
            await socket.receive("pong")
            await socket.leave()

    run(story)


TICKETS = ['"\\ud800"', '"\u00e4"', f'"{"x" * 65}"', "7", "null", "{}"]


@pytest.mark.parametrize("ticket", TICKETS)
def test_what_cannot_be_a_ticket_is_answered_and_forgiven(alice: Actor, ticket: str) -> None:
    async def story() -> None:
        socket = Socket()
        await socket.open()
        await socket.say_raw(f'{{"type": "authenticate", "ticket": {ticket}}}')
        assert (await socket.receive())["code"] == "invalid_ticket"
        await socket.say(type="authenticate", ticket=(await in_sync(ticket_issue, alice)).ticket)
        assert (await socket.receive())["type"] == "welcome"
        await socket.leave()

    run(story)


def test_a_foreign_conversation_is_refused_as_one_that_never_was(alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk = conversation(alice)

    async def story() -> None:
        for intruder in (bob, charlie):
            socket = await with_ticket(intruder)
            for target in (talk, "01890a5d-ac96-774b-bcce-b302099a8057"):
                await socket.say(type="subscribe", conversation_id=target)
                error = await socket.receive("error")
                assert (error["code"], error["conversation_id"]) == ("not_found", str(target))
            await in_sync(say, alice, talk, "Not for you")
            assert await socket.silent("MessagesStored")
            await socket.leave()

    run(story)


def test_a_member_with_whom_it_is_shared_hears_it_until_it_is_taken_back(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    share(alice, talk)

    async def story() -> None:
        socket, snapshot = await watching(bob, talk)
        await in_sync(say, alice, talk, "Hello")
        stored = await socket.receive("MessagesStored")
        assert stored["version"] == snapshot["version"] + 1
        await in_sync(in_unit, conversation_unshare, alice, conversation_id=talk, user_id=bob.user_id)
        revoked = await socket.receive("revoked", seconds=0.9)
        assert (revoked["conversation_id"], revoked["code"]) == (str(talk), 4403)
        await in_sync(say, alice, talk, "Among us")
        assert await socket.silent("MessagesStored")
        await socket.leave()

    run(story)


def test_health_is_read_with_the_access_of_a_current_viewer(alice: Actor, bob: Actor, settings: Settings) -> None:
    settings.LIVE_TIMES = replace(settings.LIVE_TIMES, heartbeat_s=60)
    talk = conversation(alice)
    share(alice, talk)

    async def story() -> None:
        (hers, _), (his, _) = await watching(alice, talk), await watching(bob, talk)
        watchers = health_broadcaster._watchers[talk]
        health_broadcaster._watchers[talk] = sorted(watchers, key=lambda watcher: watcher.actor == alice)  # type: ignore[assignment]  # his first
        await in_sync(Membership.objects.filter(user_id=bob.user_id).delete)
        await in_sync(say, alice, talk, "Hello")
        assert (await hers.receive("HealthChanged"))["version"] == 2
        health_broadcaster._watchers[talk] = watchers
        assert await his.silent("HealthChanged")
        await hers.leave()
        await his.leave()

    run(story)


def test_who_is_put_out_of_the_workspace_is_closed_at_once(alice: Actor, bob: Actor) -> None:
    async def story() -> None:
        socket = await with_ticket(bob)
        await in_sync(in_unit, member_remove, alice, user_id=bob.user_id)
        assert await socket.closed() == 4403

    run(story)


def test_a_revoked_key_loses_its_sockets_and_others_keep_theirs(alice: Actor) -> None:
    made = api_key_create(alice, draft=ApiKeyDraft("hers", frozenset({"read"})))
    program = api_key_actor(made.key.id)
    assert program is not None

    async def story() -> None:
        of_key, of_person = await with_ticket(program), await with_ticket(alice)
        await in_sync(in_unit, api_key_revoke, alice, key_id=made.key.id)
        assert await of_key.closed() == 4403
        await of_person.say(type="ping")
        assert (await of_person.receive())["type"] == "pong"
        await of_person.leave()

    run(story)


def test_the_heartbeat_detects_unannounced_revocations(alice: Actor, bob: Actor) -> None:
    """Access that ends without an event is revoked at the next heartbeat."""
    talk = conversation(alice)
    share(alice, talk)

    async def story() -> None:
        socket, _ = await watching(bob, talk)
        await in_sync(Membership.objects.filter(user_id=bob.user_id).delete)
        assert await socket.closed() == 4403

    run(story)
