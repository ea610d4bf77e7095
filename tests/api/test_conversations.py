"""Conversations over HTTP."""

from __future__ import annotations

from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, at_once, viewer_of
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db


def test_a_new_conversation_is_returned_with_its_location_and_etag(alice: Actor) -> None:
    caller = Caller(alice)
    answer = caller.client.post("/api/conversations", {"title": "Trip", "system_prompt": "  Be brief.\n"})
    made = answer.json()
    assert answer.status_code == 201
    assert answer["Location"] == f"/api/conversations/{made['id']}"
    assert answer["ETag"].startswith('"1-')
    assert (made["title"], made["system_prompt"], made["owner_id"]) == ("Trip", "  Be brief.\n", str(alice.user_id))
    assert caller.get(f"/conversations/{made['id']}") == made


def test_a_name_from_elsewhere_leads_to_one_conversation(alice: Actor, bob: Actor) -> None:
    first = Caller(alice).post("/conversations", {"external_id": "chat-7", "title": "Seven"})
    again = Caller(alice).post("/conversations", {"external_id": "chat-7", "title": "Other"}, status=200)
    assert again == first
    assert Caller(bob).post("/conversations", {"external_id": "chat-7"})["id"] != first["id"]


def test_a_repeated_post_returns_the_first_conversation(alice: Actor) -> None:
    caller = Caller(alice)
    first = caller.client.post("/api/conversations", {"title": "Once"}, headers={"Idempotency-Key": "k1"})
    again = caller.client.post("/api/v1/conversations", {"title": "Once"}, headers={"Idempotency-Key": "k1"})
    assert (again.json(), again["Location"], again["ETag"]) == (first.json(), first["Location"], first["ETag"])
    assert again["Idempotent-Replayed"] == "true"
    assert len(caller.get("/conversations")["data"]) == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_post_from_many_at_once_makes_one_conversation(alice: Actor) -> None:
    def post() -> str:
        return str(Caller(alice).post("/conversations", {"title": "Once"}, Idempotency_Key="k1")["id"])

    assert len(set(at_once(post))) == 1
    assert len(Caller(alice).get("/conversations")["data"]) == 1


def test_conversations_are_listed_by_latest_activity_on_every_page(alice: Actor) -> None:
    caller = Caller(alice)
    ids = [caller.post("/conversations", {"title": str(n)})["id"] for n in range(5)]
    caller.post(f"/conversations/{ids[1]}/messages", {"role": "user", "content": "Again"})
    caller.patch(f"/conversations/{ids[0]}", {"title": "0"}, If_Match='"1"')
    pages = caller.pages("/conversations", 2)
    assert [[row["title"] for row in page] for page in pages] == [["1", "4"], ["3", "2"], ["0"]]
    times = [row["active_at"] for page in pages for row in page]
    assert times == sorted(times, reverse=True)


def test_what_is_sent_a_second_time_moves_nothing(alice: Actor) -> None:
    caller = Caller(alice)
    old, new = (caller.post("/conversations", {"title": title})["id"] for title in ("old", "new"))
    said = {"role": "user", "content": "Hello", "external_id": "m1"}
    for status in (201, 200):
        caller.post(f"/conversations/{old}/messages", said, status=status)
        if status == 201:
            caller.post(f"/conversations/{new}/messages", {"role": "user", "content": "Hello"})
    assert [row["title"] for row in caller.get("/conversations")["data"]] == ["new", "old"]


def test_own_and_shared_conversations_are_in_one_list(alice: Actor, bob: Actor) -> None:
    hers, his = Caller(alice), Caller(bob)
    ids = [(hers if n % 2 else his).post("/conversations", {"title": str(n)})["id"] for n in range(6)]
    for shared in (ids[1], ids[3], ids[5]):
        hers.post(f"/conversations/{shared}/shares", {"email": "bob@example.org"})
    pages = his.pages("/conversations", 2)
    assert [[row["title"] for row in page] for page in pages] == [["5", "4"], ["3", "2"], ["1", "0"]]


def test_the_newest_come_first_and_the_archive_is_a_list_of_its_own(alice: Actor) -> None:
    caller = Caller(alice)
    ids = [caller.post("/conversations", {"title": str(n)})["id"] for n in range(5)]
    caller.patch(f"/conversations/{ids[1]}", {"archived": True}, If_Match='"1"')
    pages = caller.pages("/conversations", 3)
    assert [[row["title"] for row in page] for page in pages] == [["4", "3", "2"], ["0"]]
    assert [row["id"] for row in caller.get("/conversations?archived=true")["data"]] == [ids[1]]
    caller.get("/conversations?archived=perhaps", status=400)
    caller.get("/conversations?archive=true", status=400)


def test_a_change_names_the_version_it_saw(alice: Actor) -> None:
    caller = Caller(alice)
    path = f"/conversations/{conversation(alice, title='Old')}"
    assert caller.patch(path, {"title": "New"}, status=428)["code"] == "precondition_required"
    tag = caller.tag(path)
    assert caller.patch(path, {"title": "New"}, If_Match=tag)["version"] == 2
    stale = caller.patch(path, {"title": "Newer"}, status=412, If_Match=tag)
    assert (stale["code"], stale["version"]) == ("stale", 2)
    assert caller.get(path)["title"] == "New"


def test_a_new_message_does_not_spoil_the_version_that_an_editor_saw(alice: Actor) -> None:
    caller = Caller(alice)
    talk = conversation(alice)
    tag = caller.tag(f"/conversations/{talk}")
    say(alice, talk, "Hello")
    assert caller.tag(f"/conversations/{talk}") != tag
    caller.patch(f"/conversations/{talk}", {"title": "Greeting"}, If_Match=tag)


def test_a_conversation_may_have_a_budget_of_its_own(alice: Actor) -> None:
    caller = Caller(alice)
    made = caller.post("/conversations", {"token_budget": 4_000})
    path = f"/conversations/{made['id']}"
    assert made["token_budget"] == 4_000
    assert caller.patch(path, {"title": "Small"}, If_Match='"1"')["token_budget"] == 4_000
    assert caller.patch(path, {"token_budget": None}, If_Match='"2"')["token_budget"] is None
    assert caller.get(path)["title"] == "Small"


def test_what_has_not_changed_is_not_sent_again(alice: Actor) -> None:
    caller = Caller(alice)
    path = f"/conversations/{conversation(alice)}"
    caller.get(path, status=304, If_None_Match=caller.tag(path))


def test_an_archived_conversation_takes_no_messages_until_it_is_back(alice: Actor) -> None:
    caller = Caller(alice)
    path = f"/conversations/{conversation(alice)}"
    message = {"role": "user", "content": "Hello"}
    caller.patch(path, {"archived": True}, If_Match='"1"')
    assert caller.post(f"{path}/messages", message, status=409)["code"] == "archived"
    caller.patch(path, {"archived": False}, If_Match='"2"')
    caller.post(f"{path}/messages", message)


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "", "nothing_to_change"),
        ({"title": "x" * 201}, "/title", "max_length"),
        ({"title": None}, "/title", "null"),
        ({"archived": "yes"}, "/archived", "invalid"),
        ({"token_budget": 0}, "/token_budget", "min_value"),
        ({"token_budget": 2_000_001}, "/token_budget", "max_value"),
        ({"token_budget": 10.5}, "/token_budget", "invalid"),
        ({"system_prompt": "x" * 400_001}, "/system_prompt", "max_length"),
        ({"owner_id": str(uuid4())}, "/owner_id", "unknown_field"),
    ],
)
def test_a_change_that_makes_no_sense_is_pointed_at(
    body: dict[str, object], pointer: str, code: str, alice: Actor
) -> None:
    path = f"/conversations/{conversation(alice)}"
    problem = Caller(alice).patch(path, body, status=400, If_Match='"1"')
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [(pointer, code)]


def test_titles_preserve_every_character_and_show_hidden_ones(alice: Actor) -> None:
    title = "Ünïcødé 👩‍👩‍👧 \u202eright to left\u202c" + "é" * 100
    shown = title.replace("\u202e", "[hidden: U+202E]").replace("\u202c", "[hidden: U+202C]")
    assert Caller(alice).post("/conversations", {"title": title})["title"] == shown


def test_other_people_cannot_see_a_conversation(alice: Actor, bob: Actor, charlie: Actor) -> None:
    path = f"/conversations/{conversation(alice)}"
    for other in (bob, charlie):
        assert Caller(other).get("/conversations")["data"] == []
        assert Caller(other).get(path, status=404)["detail"] == "Conversation not found."
        Caller(other).patch(path, {"title": "Mine"}, status=404, If_Match='"1"')


def test_a_viewer_reads_and_writes_nothing(acme: Workspace, alice: Actor) -> None:
    viewer = Caller(viewer_of(acme))
    assert viewer.get("/conversations")["data"] == []
    assert viewer.post("/conversations", {"title": "Mine"}, status=403)["code"] == "forbidden"
