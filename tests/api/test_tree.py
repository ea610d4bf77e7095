"""Browsing the memory tree over HTTP."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller

pytestmark = pytest.mark.django_db

FACTS = "mem://user/entities/acme"


def written(caller: Caller, *addresses: str, **more: Any) -> list[dict[str, Any]]:
    return [caller.post("/memories", {"uri": uri, "content": f"About {uri[6:]}.", **more}) for uri in addresses]


def listed(caller: Caller, uri: str, more: str = "") -> list[str]:
    return [line["uri"] for line in caller.get(f"/tree?uri={quote(uri)}{more}")["data"]]


def test_a_directory_lists_what_lies_right_in_it(alice: Actor) -> None:
    caller = Caller(alice)
    written(caller, f"{FACTS}/rate-limit", f"{FACTS}/owner", "mem://user/entities/borg/size")
    (acme, borg) = caller.get("/tree?uri=mem://user/entities")["data"]
    assert (acme["uri"], acme["name"], acme["node_type"], acme["child_count"]) == (FACTS, "acme", "dir", 2)
    assert (borg["name"], borg["depth"], borg["shared"], borg["owner_id"]) == ("borg", 1, False, str(alice.user_id))
    assert listed(caller, FACTS) == [f"{FACTS}/owner", f"{FACTS}/rate-limit"]
    (leaf, _) = caller.get(f"/tree?uri={FACTS}")["data"]
    assert (leaf["node_type"], leaf["category"], leaf["trust"], leaf["arrival"], leaf["version"]) == (
        *("leaf", "entities", "direct_user", "accepted"),
        1,
    )
    assert leaf["abstract"] == "About user/entities/acme/owner."


def test_deeper_each_directory_is_followed_by_what_is_in_it(alice: Actor) -> None:
    caller = Caller(alice)
    written(caller, f"{FACTS}/owner", "mem://user/events/release")
    assert listed(caller, "mem://user", "&depth=3") == [
        "mem://user/entities",
        FACTS,
        f"{FACTS}/owner",
        "mem://user/events",
        "mem://user/events/release",
    ]
    assert listed(caller, "mem://user", "&depth=2")[:2] == ["mem://user/entities", FACTS]
    assert f"{FACTS}/owner" not in listed(caller, "mem://user", "&depth=2")


def test_a_long_directory_comes_in_pages(alice: Actor) -> None:
    caller = Caller(alice)
    written(caller, *(f"{FACTS}/fact-{number}" for number in range(5)))
    first = caller.get(f"/tree?uri={FACTS}&limit=2")
    assert [line["name"] for line in first["data"]] == ["fact-0", "fact-1"]
    second = caller.get(f"/tree?uri={FACTS}&limit=3&cursor={first['next_cursor']}")
    assert [line["name"] for line in second["data"]] == ["fact-2", "fact-3", "fact-4"]
    assert second["has_more"] is False


@pytest.mark.parametrize("uri", ["mem://user", "mem://agent", "mem://sessions", "mem://user/events"])
def test_a_root_without_memories_is_empty(uri: str, alice: Actor) -> None:
    assert Caller(alice).get(f"/tree?uri={uri}")["data"] == []


@pytest.mark.parametrize("query", ["", "?uri=mem://"])
def test_without_an_address_the_roots_answer(query: str, alice: Actor) -> None:
    caller = Caller(alice)
    lines = caller.get(f"/tree{query}")["data"]
    assert [(line["uri"], line["id"], line["child_count"]) for line in lines] == [
        ("mem://user", None, 0),
        ("mem://agent", None, 0),
        ("mem://sessions", None, 0),
    ]
    written(caller, f"{FACTS}/owner")
    assert [bool(line["id"]) for line in caller.get(f"/tree{query}")["data"]] == [True, False, False]


def test_an_address_where_nothing_is_does_not_exist(alice: Actor) -> None:
    assert Caller(alice).get("/tree?uri=mem://user/events/nothing", status=404)["code"] == "not_found"


def test_the_archived_are_listed_where_they_are_asked_for(alice: Actor) -> None:
    caller = Caller(alice)
    (kept, gone) = written(caller, f"{FACTS}/kept", f"{FACTS}/gone")
    caller.post(f"/memories/{gone['id']}/archive", status=200)
    assert listed(caller, FACTS) == [kept["uri"]]
    assert gone["uri"] in listed(caller, FACTS, "&archived=true")


@pytest.mark.parametrize(
    ("query", "pointer", "code"),
    [
        ("uri=user/events", "/uri", "bad_address"),
        ("uri=mem://nobody", "/uri", "bad_address"),
        ("uri=mem:///", "/uri", "bad_address"),
        ("uri=mem://&depth=2", "/depth", "invalid"),
        ("uri=mem://user/somewhere", "/uri", "bad_address"),
        ("uri=mem://user//events", "/uri", "bad_address"),
        ("uri=mem://user/events/..", "/uri", "bad_address"),
        (f"uri=mem://user/events/{'x' * 65}", "/uri", "bad_address"),
        (f"uri=mem://user/{'x' * 3_000}", "/uri", "invalid"),
        ("uri=mem://user&depth=0", "/depth", "invalid"),
        ("uri=mem://user&depth=21", "/depth", "invalid"),
        ("uri=mem://user&archived=perhaps", "/archived", "invalid"),
        ("uri=mem://user&limit=0", "?limit", "invalid"),
        ("uri=mem://user&deep=1", "/deep", "invalid"),
    ],
)
def test_a_listing_that_makes_no_sense_is_refused(query: str, pointer: str, code: str, alice: Actor) -> None:
    problem = Caller(alice).get(f"/tree?{query}", status=400)
    assert (problem["code"], problem["errors"][0]["pointer"]) == (code, pointer)


def test_another_persons_tree_cannot_be_listed(alice: Actor, bob: Actor, charlie: Actor) -> None:
    written(Caller(alice), f"{FACTS}/owner", "mem://agent/cases/locked")
    for other in (bob, charlie):
        assert listed(Caller(other), "mem://user", "&depth=5") == []
        assert listed(Caller(other), "mem://agent", "&depth=5") == []


def test_what_is_shared_is_listed_for_all_of_the_workspace(alice: Actor, bob: Actor, charlie: Actor) -> None:
    written(Caller(alice), "mem://agent/cases/locked", shared=True)
    assert listed(Caller(bob), "mem://agent", "&depth=2") == ["mem://agent/cases", "mem://agent/cases/locked"]
    assert listed(Caller(charlie), "mem://agent", "&depth=2") == []
