"""Permissions in a shared conversation."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, viewer_of
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db

WRITES = [
    ("post", "/messages", {"role": "user", "content": "Hello"}),
    ("post", "/exclusions", {"message_ids": ["01890a5d-ac96-774b-bcce-b302099a8057"]}),
    ("post", "/pins", {"content": "Keep"}),
    ("post", "/compactions", {}),
    ("patch", "", {"title": "Mine"}),
]
READS = ["", "/messages", "/pins", "/summary", "/compactions", "/context", "/shares"]


def share(alice: Actor, talk: object, email: str = "bob@example.org", access: str = "read") -> None:
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": email, "access": access})


def test_a_share_is_listed_with_the_person(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    made = Caller(alice).post(f"/conversations/{talk}/shares", {"email": "BOB@example.org"})
    assert (made["user_id"], made["email"], made["access"]) == (str(bob.user_id), "bob@example.org", "write")
    assert Caller(bob).get(f"/conversations/{talk}/shares")["data"] == [
        {name: made[name] for name in made if name != "private_replies"}
    ]


def test_sharing_again_changes_the_access(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    share(alice, talk, access="write")
    share(alice, talk, access="read")
    assert [row["access"] for row in Caller(alice).get(f"/conversations/{talk}/shares")["data"]] == ["read"]


def test_everyone_gets_their_permissions(alice: Actor, bob: Actor, acme: Workspace) -> None:
    def told(actor: Actor) -> list[str]:
        one, listed = Caller(actor).get(f"/conversations/{talk}"), Caller(actor).get("/conversations")["data"]
        return [one["access"], *(row["access"] for row in listed)]

    talk = conversation(alice)
    assert told(alice) == ["owner", "owner"]
    share(alice, talk, access="read")
    assert told(bob) == ["read", "read"]
    share(alice, talk, access="write")
    assert told(bob) == ["write", "write"]
    vera = viewer_of(acme)
    share(alice, talk, email="vera@example.org", access="write")
    assert told(vera) == ["read", "read"]


@pytest.mark.parametrize("path", READS)
def test_a_reader_reads_everything(path: str, alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    Caller(bob).get(f"/conversations/{talk}{path}", status=404)
    share(alice, talk)
    Caller(bob).get(f"/conversations/{talk}{path}")


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_a_reader_writes_nothing(method: str, path: str, body: dict[str, object], alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    address = f"/conversations/{talk}{path}"
    headers = {"If-Match": '"1"'} if method == "patch" else {}
    Caller(bob).call(method, address, body, 404, headers)
    share(alice, talk)
    assert Caller(bob).call(method, address, body, 403, headers)["code"] == "forbidden"
    assert Caller(alice).get(f"/conversations/{talk}")["version"] == 1


def test_a_writer_writes_but_neither_shares_nor_archives(alice: Actor, bob: Actor) -> None:
    path = f"/conversations/{conversation(alice)}"
    Caller(alice).post(f"{path}/shares", {"email": "bob@example.org"})
    writer = Caller(bob)
    writer.post(f"{path}/messages", {"role": "user", "content": "From Bob", "name": "Bob"})
    writer.patch(path, {"title": "Ours"}, If_Match='"1"')
    writer.patch(path, {"archived": True}, status=403, If_Match='"2"')
    writer.post(f"{path}/shares", {"email": "alice@example.org"}, status=403)


def test_a_viewer_reads_what_is_shared_even_for_writing_and_writes_nothing(acme: Workspace, alice: Actor) -> None:
    vera = viewer_of(acme)
    path = f"/conversations/{conversation(alice)}"
    Caller(alice).post(f"{path}/shares", {"email": "vera@example.org", "access": "write"})
    Caller(vera).get(f"{path}/context")
    Caller(vera).post(f"{path}/messages", {"role": "user", "content": "Hello"}, status=403)
    Caller(vera).post(f"{path}/fork", {"through_index": 0}, status=403)


def test_a_share_can_be_taken_back_and_left(alice: Actor, bob: Actor) -> None:
    path = f"/conversations/{conversation(alice)}"
    for leaving in (alice, bob):
        Caller(alice).post(f"{path}/shares", {"email": "bob@example.org"})
        Caller(leaving).delete(f"{path}/shares/{bob.user_id}")
        Caller(bob).get(path, status=404)
    Caller(alice).delete(f"{path}/shares/{bob.user_id}", status=404)


def test_strangers_cannot_be_shared_with(alice: Actor, charlie: Actor) -> None:
    path = f"/conversations/{conversation(alice)}/shares"
    caller = Caller(alice)
    assert caller.post(path, {"email": "charlie@example.org"}, status=422)["code"] == "no_such_member"
    assert caller.post(path, {"email": "alice@example.org"}, status=422)["code"] == "already_owner"
    assert caller.post(path, {"email": "not an address"}, status=400)["errors"][0]["pointer"] == "/email"
    assert caller.post(path, {"email": "bob@example.org", "access": "own"}, status=400)["code"] == "invalid"


def test_user_memory_in_a_shared_conversation_is_the_owners_own_if_allowed(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    share(alice, talk)
    Caller(alice).patch(f"/conversations/{talk}", {"private_memory_when_shared": True}, If_Match='"1"')
    say(alice, talk, "Hello")
    for actor in (alice, bob):
        body = {"type": "fact", "key": "me", "content": f"I am {actor.user_id}."}
        Caller(actor).post("/user-memory", body)
    (item,) = Caller(alice).get(f"/conversations/{talk}/context")["user_memory"]
    assert item["content"] == f"I am {alice.user_id}."
    assert Caller(bob).get(f"/conversations/{talk}/context")["user_memory"] == []


def test_the_reader_of_a_shared_conversation_learns_whose_it_is(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    share(alice, talk, access="write")
    path = f"/conversations/{talk}"
    assert Caller(alice).get(path)["owner_name"] == ""
    assert Caller(bob).get(path)["owner_name"] == "Alice"
    assert Caller(bob).patch(path, {"title": "Trip"}, If_Match='"1"')["owner_name"] == "Alice"
