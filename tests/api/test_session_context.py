"""The context for a new session over HTTP: JSON and plain text, limits, and whose it is."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, viewer_of
from tests.conversations.long_conversations import conversation
from tests.people import client_of, key_client_of

pytestmark = pytest.mark.django_db

LINES = "\n".join(f"{number}. Отвечать коротко и по делу." for number in range(170))
STYLE = {"uri": "mem://user/profile/communication", "content": LINES}
HOUSE = {"uri": "mem://user/profile/house", "content": "The spare key is under the flowerpot."}


def fetch(actor: Actor, query: str = "", **headers: str) -> Any:
    answer = client_of(actor).get(f"/api/context/new{query}", headers=headers)
    assert answer.status_code == 200, answer.content
    return answer


def test_every_memory_is_quoted_with_its_address_and_sources(alice: Actor) -> None:
    node = Caller(alice).post("/memories", HOUSE)
    body = fetch(alice).json()
    assert body["text"].endswith("## Your Profile\n[mem://user/profile/house]\n> The spare key is under the flowerpot.")
    [item] = body["sections"][1]["items"]
    assert (item["id"], item["uri"], item["trust"], item["relevance"]) == (node["id"], HOUSE["uri"], "direct_user", 1.0)
    assert item["sources"] == [{"kind": "person", "reference": str(alice.user_id)}]
    assert body["bytes"] == len(body["text"].encode()) and body["conversation_id"] is None


def test_the_sections_share_the_budget(alice: Actor) -> None:
    body = fetch(alice, "?token_budget=4000").json()
    assert [one["heading"] for one in body["sections"]] == [
        "Working With You",
        "Your Profile",
        "Recent Activity",
        "Active Entities",
    ]
    assert sum(one["share"] for one in body["sections"]) <= 4_000
    assert body["text"] == "" and body["tokens"] == 0


@pytest.mark.parametrize(
    ("query", "accept"), [("?format=text", "*/*"), ("", "text/plain"), ("", "text/plain, */*;q=0.1")]
)
def test_an_agent_gets_the_bare_text_cut_at_a_line(query: str, accept: str, alice: Actor) -> None:
    Caller(alice).post("/memories", STYLE)
    answer = fetch(alice, query, Accept=accept)
    assert answer["Content-Type"] == "text/plain; charset=utf-8" and "Accept" in answer["Vary"]
    text = answer.content.decode()
    assert 9_000 < len(answer.content) <= 9_500
    assert LINES.startswith("\n".join(line.removeprefix("> ") for line in text.splitlines()[4:]) + "\n")


@pytest.mark.parametrize(("query", "accept"), [("", "*/*"), ("", "application/json"), ("?format=json", "text/plain")])
def test_everybody_else_gets_json_that_only_the_budget_limits(query: str, accept: str, alice: Actor) -> None:
    Caller(alice).post("/memories", STYLE)
    answer = fetch(alice, query, Accept=accept)
    assert answer["Content-Type"] == "application/json"
    assert LINES.splitlines()[-1] in answer.json()["text"] and answer.json()["bytes"] > 5_000


def test_both_formats_have_the_same_text_within_the_same_limits(alice: Actor) -> None:
    Caller(alice).post("/memories", STYLE)
    body, text = fetch(alice, "?max_bytes=2000").json(), fetch(alice, "?max_bytes=2000&format=text").content.decode()
    assert body["text"] == text and body["bytes"] <= 2_000 == body["max_bytes"]


@pytest.mark.parametrize(
    "query", ["token_budget=99", "token_budget=20001", "max_bytes=199", "max_bytes=200001", "format=xml", "budget=1"]
)
def test_limits_beyond_reason_are_refused_at_their_parameter(query: str, alice: Actor) -> None:
    body = Caller(alice).get(f"/context/new?{query}", 400)
    assert body["errors"][0]["pointer"].strip("/?") == query.split("=", maxsplit=1)[0]


def test_errors_are_problem_documents_for_agents_too(alice: Actor) -> None:
    answer = client_of(alice).get("/api/context/unknown", headers={"Accept": "text/plain"})
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_private_memory_is_in_no_other_context(alice: Actor, bob: Actor, charlie: Actor, acme: Workspace) -> None:
    Caller(alice).post("/memories", HOUSE)
    for actor in (bob, charlie, viewer_of(acme)):
        body = fetch(actor).json()
        assert (body["text"], body["omitted"]) == ("", [])


def test_an_external_id_may_contain_slashes_and_belongs_to_its_owner(alice: Actor, bob: Actor) -> None:
    mine, his = (conversation(actor, external_id="claude/project/1") for actor in (alice, bob))
    for actor, talk in ((alice, mine), (bob, his)):
        assert Caller(actor).get("/context/claude/project/1")["conversation_id"] == str(talk)
        assert Caller(actor).get("/sessions/claude%2Fproject%2F1")["id"] == str(talk)


def test_a_name_that_no_database_stores_is_not_found(alice: Actor) -> None:
    assert Caller(alice).get("/context/a%00b", 404)["code"] == "not_found"
    assert Caller(alice).get(f"/sessions/{'x' * 5_000}", 404)["code"] == "not_found"


def test_a_key_that_only_reads_gets_it(alice: Actor) -> None:
    Caller(alice).post("/memories", HOUSE)
    assert b"flowerpot" in key_client_of(alice, "read").get("/api/context/new?format=text").content
