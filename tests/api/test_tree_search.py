"""Search with intent over HTTP: sub-queries, scores in the tree, overviews, rounds, abstention and isolation."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, viewer_of
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import index, make_vectors

pytestmark = pytest.mark.django_db

LEASE = {"uri": "mem://user/entities/acme/lease", "content": "The Acme lease ends on 30 June."}
CONTACT = {"uri": "mem://user/entities/acme/contact", "content": "Acme's contact is Petra Holm."}
FOOD = {"uri": "mem://user/preferences/food", "content": "I'm allergic to peanuts."}
DEPLOYS = {"uri": "mem://agent/patterns/deploys", "content": "We deploy on Tuesdays.", "shared": True}
OUTAGE = {"uri": "mem://agent/cases/outage", "content": "# The outage\n\n" + "The cache of node 7 was full. " * 400}


@pytest.fixture
def alices(alice: Actor) -> Caller:
    """Alice's calls; a few of her memories are stored and embedded."""
    caller = Caller(alice)
    for body in (LEASE, CONTACT, FOOD, DEPLOYS):
        caller.post("/memories", body)
    make_vectors(alice)
    return caller


def search(caller: Caller, q: str, status: int = 200, **more: Any) -> Any:
    return caller.get(f"/search?{urlencode({'mode': 'search', 'q': q, **more})}", status=status)


def uris(found: Any) -> list[str]:
    return [hit["uri"] for hit in found["hits"]]


def test_a_search_names_its_sub_queries_and_answers_each(alices: Caller) -> None:
    found = search(alices, "What am I allergic to, and how do we deploy?", top_k=2)
    assert found["intent"] == {
        "by": "rules",
        "sub_queries": [
            {"kind": "MEMORY", "text": "What am I allergic to"},
            {"kind": "PATTERN", "text": "how do we deploy?"},
        ],
    }
    assert set(uris(found)) == {FOOD["uri"], DEPLOYS["uri"]}
    assert (found["abstained"], found["degraded"]) == ("", [])


def test_a_score_is_the_weighted_sum_of_its_parts(alices: Caller) -> None:
    found = search(alices, "Who is our contact at Acme?")
    weights = found["weights"]
    assert sum(weights.values()) == pytest.approx(1)
    for hit in found["hits"]:
        assert set(hit["tree_score"]) == set(weights)
        total = sum(weight * hit["tree_score"][part] for part, weight in weights.items())
        assert hit["score"] == pytest.approx(total, abs=1e-5)
    assert found["hits"] == sorted(found["hits"], key=lambda hit: -hit["score"])


def test_the_rounds_and_the_parts_of_find_come_with_explain_alone(alices: Caller) -> None:
    brief = search(alices, "Who is our contact at Acme?")
    assert (brief["rounds"], brief["hits"][0]["parts"]) == ([], None)
    whole = search(alices, "Who is our contact at Acme?", explain="true")
    assert [one["number"] for one in whole["rounds"]] == list(range(1, len(whole["rounds"]) + 1))
    assert whole["rounds"][0]["directories"][0] == "mem://user/entities/acme"
    assert set(whole["rounds"][-1]["best"]) >= {hit["id"] for hit in whole["hits"]}
    assert whole["end"] == brief["end"] in ("stable", "exhausted")
    assert whole["hits"][0]["parts"]["similarity"] > 0


def test_a_long_memory_is_shown_by_its_overview_with_the_way_to_the_whole(alices: Caller, alice: Actor) -> None:
    made = alices.post("/memories", OUTAGE)
    make_vectors(alice)
    hits = {hit["uri"]: hit for hit in search(alices, "What happened in the outage of the cache?")["hits"]}
    assert 0 < len(hits[OUTAGE["uri"]]["overview"]) < len(OUTAGE["content"])
    assert hits[OUTAGE["uri"]]["more"] == f"/api/memories/{made['id']}"
    (food, *_) = search(alices, "What am I allergic to?")["hits"]
    assert (food["overview"], food["more"]) == (FOOD["content"], "")


@pytest.mark.parametrize(
    ("q", "reason"),
    [("thanks a lot!", "chit_chat"), ("How many moons does Jupiter have?", "nothing_relevant")],
)
def test_a_search_abstains_and_says_why(q: str, reason: str, alices: Caller) -> None:
    found = search(alices, q, corpus="all", explain="true")
    assert (found["abstained"], found["hits"], found["rounds"], found["end"]) == (reason, [], [], None)
    assert bool(found["intent"]["sub_queries"]) == (reason != "chit_chat")


def test_what_could_not_be_compared_is_named(alice: Actor) -> None:
    caller = Caller(alice)
    caller.post("/memories", FOOD)
    found = search(caller, "What am I allergic to?")
    assert (uris(found), found["degraded"]) == ([FOOD["uri"]], ["no_vectors_yet"])


def test_messages_are_searched_in_the_order_of_find(alices: Caller, alice: Actor) -> None:
    talk = conversation(alice, title="Harbor")
    say(alice, talk, "The lighthouse keeper is called Ingrid.", "A fine name.", "The harbor closes at ten.")
    index(alice, talk)
    where: dict[str, Any] = {"corpus": "messages", "conversation_id": talk}
    found = search(alices, "What is the lighthouse keeper called?", **where)["hits"]
    same = alices.get(f"/search?{urlencode({'mode': 'find', 'q': 'What is the lighthouse keeper called?', **where})}")
    assert [hit["id"] for hit in found] == [hit["id"] for hit in same["hits"]]
    assert (found[0]["kind"], found[0]["index"], found[0]["overview"], found[0]["more"]) == ("message", 0, "", "")


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"depth": 3}, "/depth"),
        ({"limit": 5}, "/limit"),
        ({"q": ""}, "/q"),
        ({"top_k": 0}, "/top_k"),
        ({"corpus": "books"}, "/corpus"),
        ({"explain": "how"}, "/explain"),
    ],
)
def test_a_search_that_makes_no_sense_is_pointed_at(more: dict[str, Any], pointer: str, alice: Actor) -> None:
    problem = search(Caller(alice), **{"q": "lighthouse", "status": 400, **more})
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_anothers_memories_and_conversations_are_never_found(
    acme: Workspace, alices: Caller, alice: Actor, bob: Actor, charlie: Actor
) -> None:
    talk = conversation(alice)
    say(alice, talk, "I'm allergic to peanuts.")
    index(alice, talk)
    for member in (bob, viewer_of(acme)):
        found = search(Caller(member), "What am I allergic to, and how do we deploy?", corpus="all", explain="true")
        assert set(uris(found)) <= {DEPLOYS["uri"]}
        assert all(name.startswith("mem://agent") for one in found["rounds"] for name in one["directories"])
    found = search(Caller(charlie), "What am I allergic to, and how do we deploy?", corpus="all", explain="true")
    assert (found["hits"], [one["directories"] for one in found["rounds"] if one["directories"]]) == ([], [])
    search(Caller(charlie), "peanuts", status=404, corpus="messages", conversation_id=talk)
