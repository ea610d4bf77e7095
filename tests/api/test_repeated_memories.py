"""Memories that are posted again: the first one is returned, unless it may be repeated."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller, at_once

pytestmark = pytest.mark.django_db


def test_a_memory_that_says_the_same_is_returned_and_none_is_created(alice: Actor, bob: Actor) -> None:
    caller = Caller(alice)
    tea = {"category": "preferences", "name": "Tea", "content": "I'm fond of green tea."}
    first = caller.post("/memories", tea)
    assert first["existing"] is False
    for again in (
        tea,
        {**tea, "name": "What I drink", "content": " I’m FOND of\ngreen  tea"},
        {**tea, "name": "Ｔea", "content": "I am fond of ｇreen tea!"},
        {"uri": first["uri"], "content": "i am fond of green tea"},
    ):
        answer = caller.client.post("/api/v1/memories", again)
        told = answer.json()
        assert (answer.status_code, told["id"], told["existing"]) == (200, first["id"], True)
        assert (answer.has_header("ETag"), answer.has_header("Location")) == (True, False)
        assert told["content"] == tea["content"]
    assert caller.get("/tree?uri=mem://user/preferences")["data"][0]["id"] == first["id"]
    assert Caller(bob).post("/memories", tea)["existing"] is False


def test_a_memory_is_repeated_where_it_may_be(alice: Actor) -> None:
    """On request, in another folder, at a chosen address, and where the text differs in what may have a meaning."""
    caller = Caller(alice)
    owner = {"category": "entities", "name": "Acme/Owner", "content": "Ann is the owner."}
    first = caller.post("/memories", owner)
    for other in (
        {**owner, "allow_duplicate": True},
        {**owner, "name": "Globex/Owner"},
        {"uri": f"{first['uri']}-of-acme", "content": owner["content"]},
        {**owner, "content": "Ann is the owner?"},
        {**owner, "content": "Ann was the owner."},
        {**owner, "content": "The owner is Ann."},
    ):
        assert caller.post("/memories", other)["existing"] is False


def test_a_memory_out_of_use_is_not_what_a_new_one_repeats(alice: Actor) -> None:
    caller = Caller(alice)
    body = {"category": "preferences", "name": "Tea", "content": "Green tea."}
    archived = caller.post("/memories", body)
    caller.post(f"/memories/{archived['id']}/archive", status=200)
    erased = caller.post("/memories", body)
    caller.delete(f"/memories/{erased['id']}")
    edited = caller.post("/memories", body)
    caller.patch(f"/memories/{edited['id']}", {"content": "Black tea."}, If_Match='"1"')
    last = caller.post("/memories", body)
    assert len({one["id"] for one in (archived, erased, edited, last)}) == 4
    assert caller.post("/memories", {**body, "content": "black tea"}, status=200)["id"] == edited["id"]


def test_a_dry_run_names_the_memory_that_says_the_same(alice: Actor) -> None:
    caller = Caller(alice)
    body = {"category": "preferences", "name": "Tea", "content": "Green tea."}
    made = caller.post("/memories", body)
    other = {**body, "name": "Drinks", "content": "green tea"}
    expected = {"uri": made["uri"], "category": "preferences", "taken": False, "existing": True}
    assert caller.post("/memories?dry_run=true", other, status=200) == expected
    forced = caller.post("/memories?dry_run=true", {**other, "allow_duplicate": True}, status=200)
    assert (forced["uri"], forced["existing"]) == ("mem://user/preferences/drinks", False)


@pytest.mark.django_db(transaction=True)
def test_the_same_text_under_many_names_at_once_is_one_memory(alice: Actor) -> None:
    names = iter(["Tea", "Green tea", "What I drink", "Drinks"])

    def post() -> tuple[int, str]:
        body = {"category": "preferences", "name": next(names), "content": "Green tea."}
        answer = Caller(alice).client.post("/api/memories", body)
        return int(answer.status_code), answer.json()["id"]

    answers = at_once(post)
    assert sorted(status for status, _ in answers) == [200, 200, 200, 201]
    assert len({node_id for _, node_id in answers}) == 1
