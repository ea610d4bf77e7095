"""Pins over HTTP."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, at_once, viewer_of
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db

EXACT = "  We fly before May.\n\t👩‍👩‍👧 \n"


def pins_of(talk: UUID) -> str:
    return f"/conversations/{talk}/pins"


def test_a_pinned_message_is_in_the_pack_byte_for_byte(alice: Actor) -> None:
    talk = conversation(alice)
    message = say(alice, talk, EXACT)[0]
    caller = Caller(alice)
    pin = caller.post(pins_of(talk), {"message_id": str(message.id), "category": "requirement"})
    assert (pin["content"], pin["message_id"], pin["pinned_by"]) == (EXACT, str(message.id), str(alice.user_id))
    pack = caller.get(f"/conversations/{talk}/context?format=plain")
    assert pack["pinned_memory"][0]["content"] == EXACT
    assert EXACT in pack["rendered"]


def test_a_text_alone_can_be_pinned(alice: Actor) -> None:
    talk = conversation(alice)
    answer = Caller(alice).client.post(f"/api{pins_of(talk)}", {"content": EXACT})
    pin = answer.json()
    assert (answer.status_code, pin["content"], pin["category"], pin["message_id"]) == (201, EXACT, "other", None)
    assert answer["Location"] == f"/api{pins_of(talk)}/{pin['id']}"
    assert Caller(alice).get(f"{pins_of(talk)}/{pin['id']}") == pin


def test_changing_a_pin_requires_its_version(alice: Actor) -> None:
    talk = conversation(alice)
    caller = Caller(alice)
    path = f"{pins_of(talk)}/{caller.post(pins_of(talk), {'content': 'Keep'})['id']}"
    caller.patch(path, {"category": "decision"}, status=428)
    tag = caller.tag(path)
    changed = caller.patch(path, {"category": "decision"}, If_Match=tag)
    assert (changed["category"], changed["content"], changed["version"]) == ("decision", "Keep", 2)
    caller.patch(path, {"content": "Other"}, status=412, If_Match=tag)
    assert caller.patch(path, {"content": "  "}, status=422, If_Match='"2"')["code"] == "empty_pin"
    assert caller.get(path)["content"] == "Keep"


def test_a_pin_is_deleted_or_only_if_it_is_still_the_same(alice: Actor) -> None:
    talk = conversation(alice)
    caller = Caller(alice)
    path = f"{pins_of(talk)}/{caller.post(pins_of(talk), {'content': 'Keep'})['id']}"
    caller.delete(path, status=412, If_Match='"7"')
    caller.delete(path)
    caller.delete(path, status=404)
    assert caller.get(pins_of(talk))["data"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"content": " \n"}, 422),
        ({"content": "x", "category": "vow"}, 400),
        ({"content": 5}, 400),
        ({"content": "x" * 400_001}, 400),
        ({"message_id": "x"}, 400),
        ({"message_id": str(uuid4())}, 404),
    ],
)
def test_a_pin_that_makes_no_sense_is_refused(body: dict[str, object], status: int, alice: Actor) -> None:
    talk = conversation(alice)
    Caller(alice).post(pins_of(talk), body, status=status)
    assert Caller(alice).get(pins_of(talk))["data"] == []


def test_a_message_of_another_conversation_cannot_be_pinned_here(alice: Actor) -> None:
    elsewhere = say(alice, conversation(alice), "Hello")[0].id
    Caller(alice).post(pins_of(conversation(alice)), {"message_id": str(elsewhere)}, status=404)


def test_a_pin_is_not_found_in_another_conversation(alice: Actor) -> None:
    talk, other = conversation(alice), conversation(alice)
    pin = Caller(alice).post(pins_of(talk), {"content": "Keep"})["id"]
    Caller(alice).get(f"{pins_of(other)}/{pin}", status=404)
    Caller(alice).delete(f"{pins_of(other)}/{pin}", status=404)


def test_pins_come_in_pages_and_have_an_end(alice: Actor) -> None:
    talk = conversation(alice)
    caller = Caller(alice)
    for number in range(200):
        caller.post(pins_of(talk), {"content": f"Pin {number}"})
    assert caller.post(pins_of(talk), {"content": "One more"}, status=409)["code"] == "too_many_pins"
    pages = caller.pages(pins_of(talk), 150)
    assert [pin["content"] for page in pages for pin in page] == [f"Pin {number}" for number in range(200)]


@pytest.mark.django_db(transaction=True)
def test_the_same_pin_from_many_at_once_is_one(alice: Actor) -> None:
    talk = conversation(alice)
    at_once(lambda: Caller(alice).post(pins_of(talk), {"content": "Keep"}, Idempotency_Key="p1"))
    assert len(Caller(alice).get(pins_of(talk))["data"]) == 1


def test_pins_are_seen_and_made_by_whom_the_conversation_is_shared_with(
    acme: Workspace, alice: Actor, bob: Actor, charlie: Actor
) -> None:
    talk = conversation(alice)
    pin = Caller(alice).post(pins_of(talk), {"content": "Keep"})["id"]
    for other in (bob, charlie, viewer_of(acme)):
        Caller(other).get(pins_of(talk), status=404)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    reader = Caller(bob)
    assert len(reader.get(pins_of(talk))["data"]) == 1
    reader.post(pins_of(talk), {"content": "Mine"}, status=403)
    reader.patch(f"{pins_of(talk)}/{pin}", {"content": "Mine"}, status=403, If_Match='"1"')
    reader.delete(f"{pins_of(talk)}/{pin}", status=403)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "write"})
    reader.patch(f"{pins_of(talk)}/{pin}", {"content": "Ours"}, If_Match='"1"')
