"""User memory over HTTP: private to each person."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, at_once, viewer_of
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db

TONE = {"type": "preference", "key": "tone", "content": "Short answers."}


def test_a_memory_is_written_read_changed_and_forgotten(alice: Actor) -> None:
    caller = Caller(alice)
    answer = caller.client.post("/api/user-memory", TONE)
    made = answer.json()
    path = f"/user-memory/{made['id']}"
    assert (answer.status_code, answer["Location"]) == (201, f"/api{path}")
    assert {name: made[name] for name in TONE} == TONE
    assert made["is_active"] is True
    assert caller.get(path) == made
    changed = caller.patch(path, {"content": "Long answers.", "is_active": False}, If_Match=answer["ETag"])
    assert (changed["content"], changed["is_active"], changed["version"]) == ("Long answers.", False, 2)
    caller.patch(path, {"content": "None."}, status=412, If_Match=answer["ETag"])
    caller.patch(path, {"content": "None."}, status=428)
    caller.delete(path, status=412, If_Match='"1"')
    caller.delete(path)
    caller.get(path, status=404)


def test_there_is_one_text_for_a_type_and_key(alice: Actor) -> None:
    caller = Caller(alice)
    caller.post("/user-memory", TONE)
    assert caller.post("/user-memory", TONE, status=409)["code"] == "key_taken"
    other = caller.post("/user-memory", {**TONE, "type": "fact"})
    path = f"/user-memory/{other['id']}"
    assert caller.patch(path, {"type": "preference"}, status=409, If_Match='"1"')["code"] == "key_taken"
    assert caller.get(path)["version"] == 1


def test_a_switched_off_memory_is_in_no_pack(alice: Actor) -> None:
    caller = Caller(alice)
    talk = conversation(alice)
    say(alice, talk, "Hello")
    made = caller.post("/user-memory", TONE)
    pack = f"/conversations/{talk}/context"
    assert [item["id"] for item in caller.get(pack)["user_memory"]] == [made["id"]]
    caller.patch(f"/user-memory/{made['id']}", {"is_active": False}, If_Match='"1"')
    assert caller.get(pack)["user_memory"] == []
    assert len(caller.get("/user-memory")["data"]) == 1


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"type": "wish"}, "/type"),
        ({"key": ""}, "/key"),
        ({"key": "x" * 121}, "/key"),
        ({"content": "  "}, "/content"),
        ({"content": "x" * 10_001}, "/content"),
        ({"is_active": 1}, "/is_active"),
        ({"user_id": "x"}, "/user_id"),
    ],
)
def test_a_memory_that_makes_no_sense_is_pointed_at(change: dict[str, object], pointer: str, alice: Actor) -> None:
    problem = Caller(alice).post("/user-memory", {**TONE, **change}, status=400)
    assert problem["errors"][0]["pointer"] == pointer
    made = Caller(alice).post("/user-memory", TONE)
    problem = Caller(alice).patch(f"/user-memory/{made['id']}", change, status=400, If_Match='"1"')
    assert problem["errors"][0]["pointer"] == pointer


def test_a_repeated_post_is_one_memory(alice: Actor) -> None:
    posts = [Caller(alice).post("/user-memory", TONE, Idempotency_Key="m1") for _ in range(2)]
    assert posts[0] == posts[1]


@pytest.mark.django_db(transaction=True)
def test_the_same_key_from_many_at_once_is_stored_once(alice: Actor) -> None:
    def post() -> int:
        return int(Caller(alice).client.post("/api/user-memory", TONE).status_code)

    assert sorted(at_once(post)) == [201, 409, 409, 409]


def test_memories_come_in_pages(alice: Actor) -> None:
    caller = Caller(alice)
    for number in range(5):
        caller.post("/user-memory", {**TONE, "key": f"key {number}"})
    pages = caller.pages("/user-memory", 2)
    assert [[item["key"] for item in page] for page in pages] == [["key 0", "key 1"], ["key 2", "key 3"], ["key 4"]]


def test_another_persons_memory_is_invisible(acme: Workspace, alice: Actor, bob: Actor, charlie: Actor) -> None:
    path = f"/user-memory/{Caller(alice).post('/user-memory', TONE)['id']}"
    for other in (bob, charlie):
        caller = Caller(other)
        assert caller.get("/user-memory")["data"] == []
        caller.get(path, status=404)
        caller.patch(path, {"content": "Mine"}, status=404, If_Match='"1"')
        caller.delete(path, status=404)
    Caller(bob).post("/user-memory", TONE)
    viewer = Caller(viewer_of(acme))
    assert viewer.get("/user-memory")["data"] == []
    viewer.post("/user-memory", TONE, status=403)
