"""Following a reply: from its beginning, by other readers, and only while they have access."""

from __future__ import annotations

from collections.abc import Callable
from http.client import HTTPConnection
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from django.conf import settings

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, Membership
from apps.common.tenancy import workspace
from apps.conversations.models import ConversationShare
from tests.conversations.long_conversations import conversation
from tests.people import client_of
from tests.processes import Web
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour
from tests.turns.streams import Event, Talker, ended, events, told

pytestmark = pytest.mark.django_db(transaction=True)

REVOKED = ("revoked", {"code": "access_revoked", "detail": "You no longer have access to this conversation."})


def share(actor: Actor, talk: UUID, other: Actor) -> None:
    with workspace(actor.workspace_id):
        ConversationShare.objects.create(conversation_id=talk, user_id=other.user_id, access="read")


def unshare(actor: Actor, talk: UUID, other: Actor) -> None:
    with workspace(actor.workspace_id):
        ConversationShare.objects.filter(conversation_id=talk, user_id=other.user_id).delete()


def revoke_key(actor: Actor, talk: UUID, other: Actor) -> None:
    ApiKey.objects.filter(user_id=other.user_id).delete()


def dismiss(actor: Actor, talk: UUID, other: Actor) -> None:
    Membership.objects.filter(user_id=other.user_id).delete()


def test_another_reader_can_follow_the_reply_from_its_beginning(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(piece_s=0.1))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    next(name for name, _ in stream if name == "delta")
    assert told(list(events(talker.open("GET", f"/conversations/{talk}/turns/current")))) == DEFAULT_TEXT
    list(stream)
    assert talker.ask("GET", f"/conversations/{talk}/turns/current")[0] == 404


@pytest.mark.parametrize("take", [unshare, revoke_key, dismiss], ids=lambda take: take.__name__)
def test_who_may_not_read_it_any_more_hears_no_more_of_it(
    alice: Actor,
    bob: Actor,
    web: Web,
    talker: Talker,
    provider: ProviderServer,
    take: Callable[[Actor, UUID, Actor], None],
) -> None:
    provider.script(Behaviour(piece_s=0.5))
    talk = conversation(alice)
    share(alice, talk, bob)
    stream = events(talker.turn(talk, "Hello"))
    heard = [next(stream), next(stream)]
    follower = events(Talker(web, bob).open("GET", f"/conversations/{talk}/turns/current"))
    overheard: list[Event] = [next(follower), next(follower)]
    take(alice, talk, bob)
    overheard += list(follower)
    assert overheard[-1] == REVOKED
    assert len(told(overheard)) < len(DEFAULT_TEXT)
    assert told(heard + list(stream)) == DEFAULT_TEXT
    assert ended(alice, talk) == ("complete", "")


def test_who_signs_out_hears_no_more_of_it(alice: Actor, web: Web, talker: Talker, provider: ProviderServer) -> None:
    provider.script(Behaviour(piece_s=0.5))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    heard = [next(stream)]
    browser = client_of(alice)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    reader = HTTPConnection(urlsplit(web.url).netloc, timeout=30)
    cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}", "Connection": "close"}
    reader.request("GET", f"/api/conversations/{talk}/turns/current", headers=cookie)
    follower = events(reader.getresponse())
    overheard = [next(follower)]
    browser.logout()
    overheard += list(follower)
    assert overheard[-1] == REVOKED
    assert told(heard + list(stream)) == DEFAULT_TEXT
