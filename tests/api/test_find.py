"""Search by words and meaning over HTTP: memories, messages, or both, with every part of a score."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.memory.models import MemAccess
from apps.memory.services.access_buffer import access_buffer
from tests.api.callers import Caller, viewer_of
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import index, make_vectors

pytestmark = pytest.mark.django_db

LIMIT = {"uri": "mem://user/entities/acme/rate-limit", "content": "Acme answers 429 after 100 requests a minute."}
DEPLOY = {"uri": "mem://user/events/deploy", "content": "We deployed the gateway on a Friday.", "tags": ["gateway"]}


def find(caller: Caller, q: str, status: int = 200, **more: Any) -> Any:
    return caller.get(f"/search?{urlencode({'mode': 'find', 'q': q, **more})}", status=status)


def found(caller: Caller, q: str, **more: Any) -> list[str]:
    return [hit["uri"] or hit["snippet"] for hit in find(caller, q, **more)["hits"]]


def test_a_memory_is_found_by_its_words_at_once(alice: Actor) -> None:
    caller = Caller(alice)
    made = [caller.post("/memories", body) for body in (LIMIT, DEPLOY)]
    (hit, *_) = find(caller, "How many requests a minute may we send to Acme?")["hits"]
    assert (hit["kind"], hit["id"], hit["uri"]) == ("memory", made[0]["id"], LIMIT["uri"])
    assert (hit["abstract"], hit["category"], hit["trust"], hit["version"]) == (
        *(LIMIT["content"], "entities", "direct_user"),
        1,
    )
    assert "429" in hit["snippet"] and hit["parts"] is None
    assert (hit["conversation_id"], hit["index"], hit["role"]) == (None, None, "")


def test_the_parts_of_a_score_make_the_score(alice: Actor) -> None:
    caller = Caller(alice)
    caller.post("/memories", LIMIT)
    (hit,) = find(caller, "requests a minute", explain="true")["hits"]
    assert hit["score"] == pytest.approx(sum(hit["parts"].values()) * hit["relevance"], abs=1e-6)
    assert hit["parts"]["lexical"] > 0


def test_search_filters_narrow_the_results(alice: Actor) -> None:
    caller = Caller(alice)
    for body in (LIMIT, DEPLOY, {"uri": "mem://agent/cases/gateway", "content": "The gateway answers 429 on deploys."}):
        caller.post("/memories", body)
    words = "gateway deploys 429 requests"
    assert len(found(caller, words)) == 3
    assert found(caller, words, category="events") == [DEPLOY["uri"]]
    assert found(caller, words, uri="mem://user/entities") == [LIMIT["uri"]]
    assert found(caller, words, tags="gateway, ") == [DEPLOY["uri"]]
    assert found(caller, words, tags="gateway,other") == []
    assert (len(found(caller, words, owner="mine")), found(caller, words, owner="team")) == (3, [])
    assert len(found(caller, words, top_k=1)) == 1
    assert found(caller, words, until="2020-01-01") == []
    assert len(found(caller, words, since="2020-01-01T00:00:00Z", trust="direct_user")) == 3


def test_an_archived_memory_is_not_found(alice: Actor) -> None:
    caller = Caller(alice)
    made = caller.post("/memories", LIMIT)
    caller.post(f"/memories/{made['id']}/archive", status=200)
    assert found(caller, "requests") == []
    caller.post(f"/memories/{made['id']}/restore", status=200)
    assert found(caller, "requests") == [LIMIT["uri"]]


def test_a_changed_memory_is_found_by_its_new_words_alone(alice: Actor) -> None:
    caller = Caller(alice)
    made = caller.post("/memories", {"uri": "mem://user/events/talk", "content": "An umbrella."})
    caller.patch(f"/memories/{made['id']}", {"content": "A lighthouse."}, If_Match='"1"')
    assert found(caller, "lighthouse") == ["mem://user/events/talk"]
    assert found(caller, "umbrella") == []


@pytest.mark.parametrize("query", ["foobar", "the", "?", "🙂", ":*", "What do I own?"])
def test_nothing_is_found_that_shares_neither_words_nor_meaning(alice: Actor, query: str) -> None:
    caller = Caller(alice)
    for body in (LIMIT, DEPLOY):
        caller.post("/memories", body)
    assert found(caller, query) == []
    make_vectors(alice)
    assert all(hit["similarity"] > 0 for hit in find(caller, query)["hits"])


def test_a_date_alone_finds_what_is_of_that_time(alice: Actor) -> None:
    caller = Caller(alice)
    caller.post("/memories", {**DEPLOY, "occurred_at": "2025-06-06T10:00:00Z"})
    caller.post("/memories", {**LIMIT, "occurred_at": "2024-01-06T10:00:00Z"})
    assert found(caller, "What happened in early June 2025?") == [DEPLOY["uri"]]


@pytest.mark.parametrize("mode", ["find", "search"])
def test_a_query_may_be_as_long_as_a_message(alice: Actor, mode: str) -> None:
    caller = Caller(alice)
    caller.post("/memories", LIMIT)
    caller.post("/memories", DEPLOY)
    lines = "The harbor was calm and the boats were at rest.\n" * 8_200
    for query in (
        f"requests to Acme?\n{lines}",
        f"{lines}requests to Acme?",
        f"{lines}see acme_api.py\n{lines}"[:400_000],
    ):
        hits = caller.post("/search", {"mode": mode, "q": query, "top_k": 3}, status=200)["hits"]
        assert mode == "search" or hits[0]["uri"] == LIMIT["uri"]
    caller.post("/search", {"mode": mode, "q": "a" * 400_001}, status=400)


def test_a_member_who_only_reads_may_search_with_a_body(acme: Workspace) -> None:
    assert Caller(viewer_of(acme)).post("/search", {"mode": "find", "q": "tea"}, status=200)["hits"] == []


def test_a_search_result_counts_as_used_and_a_viewed_memory_does_not(alice: Actor) -> None:
    caller = Caller(alice)
    made = caller.post("/memories", LIMIT)
    caller.get(f"/memories/{made['id']}")
    caller.get("/tree?uri=mem://user&depth=5")
    caller.get("/search?q=requests")
    assert accesses(alice) == 0
    find(caller, "requests")
    assert accesses(alice) == 0
    access_buffer.write()
    assert accesses(alice) == 1


def accesses(actor: Actor) -> int:
    with workspace(actor.workspace_id):
        return MemAccess.objects.count()


def test_a_message_of_a_chat_in_which_others_write_has_the_trust_of_a_tool(alice: Actor) -> None:
    talk = conversation(alice, title="Ours")
    say(alice, talk, "The walrus is kept in the cellar.")
    index(alice, talk)
    trusts = []
    for is_shared in (False, True):
        with workspace(alice.workspace_id):
            Conversation.objects.filter(pk=talk).update(others_could_write=is_shared)
        trusts += [hit["trust"] for hit in find(Caller(alice), "walrus", corpus="messages")["hits"]]
    assert trusts == ["", "tool"]


def test_search_results_point_to_the_message_position(alice: Actor, bob: Actor) -> None:
    talk, other = conversation(alice, title="Harbor"), conversation(alice)
    (message,) = say(alice, talk, "The lighthouse keeper is called Ingrid.")
    say(alice, other, "Another lighthouse altogether.")
    for one in (talk, other):
        index(alice, one)
    caller = Caller(alice)
    (hit,) = find(caller, "lighthouse keeper", corpus="messages", conversation_id=talk)["hits"]
    assert (hit["kind"], hit["message_id"], hit["conversation_id"]) == ("message", str(message.id), str(talk))
    assert hit["conversation_title"] == "Harbor"
    assert (hit["index"], hit["role"], hit["uri"], hit["relevance"]) == (0, "user", "", 1)
    assert len(find(caller, "lighthouse", corpus="messages")["hits"]) == 2
    caller.post("/memories", {"uri": "mem://user/events/visit", "content": "We saw a lighthouse."})
    assert {hit["kind"] for hit in find(caller, "lighthouse", corpus="all")["hits"]} == {"memory", "message"}
    assert find(Caller(bob), "lighthouse", corpus="all")["hits"] == []
    find(Caller(bob), "lighthouse", corpus="messages", conversation_id=talk, status=404)


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"q": ""}, "/q"),
        ({"q": "x" * 400_001}, "/q"),
        ({"top_k": 0}, "/top_k"),
        ({"top_k": 101}, "/top_k"),
        ({"threshold": 1.5}, "/threshold"),
        ({"threshold": "nan"}, "/threshold"),
        ({"corpus": "books"}, "/corpus"),
        ({"conversation_id": "x"}, "/conversation_id"),
        ({"conversation_id": "01890a5d-ac96-774b-bcce-b302099a8057"}, "/conversation_id"),
        ({"category": "books"}, "/category"),
        ({"uri": "user"}, "/uri"),
        ({"trust": "full"}, "/trust"),
        ({"since": "soon"}, "/since"),
        ({"since": "2026-02-01", "until": "2026-01-01"}, "/until"),
        ({"tags": ",".join(map(str, range(21)))}, "/tags"),
        ({"owner": "everybody"}, "/owner"),
        ({"explain": "how"}, "/explain"),
        ({"limit": 5}, "/limit"),
        ({"mode": "guess"}, "/mode"),
    ],
)
def test_a_search_that_makes_no_sense_is_pointed_at(more: dict[str, Any], pointer: str, alice: Actor) -> None:
    problem = find(Caller(alice), **{"q": "lighthouse", "status": 400, **more})
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_messages_have_nothing_that_only_memories_have(alice: Actor) -> None:
    problem = find(Caller(alice), "lighthouse", status=400, corpus="messages", tags="sea")
    assert problem["code"] == "filters_of_memories"


def test_another_persons_memory_is_never_found(acme: Workspace, alice: Actor, bob: Actor, charlie: Actor) -> None:
    caller = Caller(alice)
    caller.post("/memories", LIMIT)
    caller.post("/memories", {"uri": "mem://agent/cases/limit", "content": "Wait after 429 requests.", "shared": True})
    for member in (bob, viewer_of(acme)):
        assert found(Caller(member), "requests") == ["mem://agent/cases/limit"]
    assert found(Caller(charlie), "requests") == []
