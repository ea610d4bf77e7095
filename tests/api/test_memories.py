"""Memories over HTTP: creation, tiers, conditional updates, permanent deletion."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from tests.api.callers import Caller, at_once, viewer_of
from tests.conversations.long_conversations import conversation, say
from tests.people import person

pytestmark = pytest.mark.django_db

EDITOR = {"uri": "mem://user/preferences/editor", "content": "# Editor\n\nI write in Vim, with few plugins."}
LONG = "\n\n".join(
    f"## Part {number}\n\nRelease {number} took {number} days. " + "And so on. " * 30 for number in range(60)
)


def written(caller: Caller, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = caller.post("/memories", {**EDITOR, **more})
    return made


def test_a_memory_is_written_and_read(alice: Actor) -> None:
    caller = Caller(alice)
    answer = caller.client.post("/api/memories", {**EDITOR, "tags": ["tools", "tools"], "reason": "asked twice"})
    made = answer.json()
    path = f"/memories/{made['id']}"
    assert (answer.status_code, answer["Location"]) == (201, f"/api{path}")
    assert {name: made[name] for name in ("uri", "content", "tags")} == {**EDITOR, "tags": ["tools"]}
    assert (made["name"], made["category"], made["node_type"], made["version"]) == ("editor", "preferences", "leaf", 1)
    assert (made["trust"], made["inferred"], made["arrival"], made["shared"]) == (
        *("direct_user", False, "accepted"),
        False,
    )
    assert made["abstract"] == "Editor: I write in Vim, with few plugins."
    assert (made["decay"]["half_life_days"], made["decay"]["floor"], made["decay"]["exempt"]) == (90, 0.1, False)
    assert (made["relevance"], made["base_relevance"]) == (pytest.approx(1, abs=0.001), 1)
    read = caller.get(path)
    passing: dict[str, Any] = {"relevance": 1, "decay": None, "existing": False}
    assert {**read, **passing} == {**made, **passing}
    assert caller.get(f"/memories?uri={EDITOR['uri']}")["id"] == made["id"]
    assert caller.get(f"/memories?uri={EDITOR['uri']}/")["id"] == made["id"]


def test_only_the_requested_tier_is_loaded(alice: Actor) -> None:
    caller = Caller(alice)
    made = written(caller, content=LONG)
    path = f"/memories/{made['id']}"
    abstract, overview, full = (caller.get(f"{path}?tier={tier}") for tier in ("abstract", "overview", "full"))
    assert (abstract["overview"], abstract["content"], overview["content"]) == (None, None, None)
    assert abstract["abstract"] == overview["abstract"] == full["abstract"] != ""
    assert full["content"] == LONG and overview["overview"] == full["overview"]
    tokens = abstract["tokens"]
    assert tokens == full["tokens"] and tokens["abstract"] <= 100 and tokens["overview"] <= 2_000 < tokens["content"]
    assert abstract["tier"] == "abstract" and caller.get(path)["tier"] == "full"
    assert caller.get(f"{path}?tier=some", status=400)["errors"][0]["pointer"] == "/tier"


@pytest.mark.parametrize(
    ("number", "name"), [("L0", "abstract"), ("l0", "abstract"), ("L1", "overview"), ("l1", "overview"), ("L2", "full")]
)
def test_a_tier_has_a_number_too(number: str, name: str, alice: Actor) -> None:
    caller = Caller(alice)
    made = written(caller, content=LONG)
    for path in (f"/memories/{made['id']}?", f"/memories?uri={EDITOR['uri']}&"):
        told, wanted = (caller.get(f"{path}tier={tier}") for tier in (number, name))
        passing: dict[str, Any] = {"relevance": 1, "decay": None, "existing": False}
        assert {**told, **passing} == {**wanted, **passing}
        assert told["tier"] == name
    assert caller.get(f"/memories/{made['id']}?tier=L3", status=400)["errors"][0]["pointer"] == "/tier"


def test_a_category_and_a_name_become_an_address(alice: Actor) -> None:
    caller = Caller(alice)
    made = caller.post("/memories", {"category": "events", "name": "Release 1.0!", "content": "It is out."})
    assert made["uri"] == "mem://user/events/release-1-0"
    fact = caller.post("/memories", {"category": "entities", "name": "Acme API/Rate limit", "content": "100 a minute."})
    assert fact["uri"] == "mem://user/entities/acme-api/rate-limit"
    refused = caller.post("/memories", {"category": "entities", "name": "Acme", "content": "x"}, status=400)
    assert (refused["code"], refused["errors"][0]["pointer"]) == ("bad_address", "/name")


def test_a_number_is_appended_to_a_name_that_exists(alice: Actor) -> None:
    caller = Caller(alice)
    body = {"category": "preferences", "name": "Tea", "content": "Green tea.", "allow_duplicate": True}
    first, second = (caller.post("/memories", body) for _ in range(2))
    assert [first["uri"], second["uri"]] == ["mem://user/preferences/tea", "mem://user/preferences/tea-2"]
    caller.post(f"/memories/{second['id']}/archive", status=200)
    assert caller.post("/memories", body)["name"] == "tea-3"
    caller.delete(f"/memories/{first['id']}")
    assert caller.post("/memories", body)["uri"] == first["uri"]
    caller.post("/memories", {"uri": "mem://user/preferences/mug/size", "content": "Large."})
    assert caller.post("/memories", {**body, "name": "Mug"})["name"] == "mug-2"
    facts = [{"category": "entities", "name": "Acme/Owner", "content": text} for text in ("Ann.", "Ben.")]
    assert [caller.post("/memories", fact)["uri"][-12:] for fact in facts] == ["s/acme/owner", "acme/owner-2"]
    assert caller.post("/memories", {"uri": first["uri"], "content": "Black tea."}, status=409)["archived"] is False


def test_nothing_lies_below_a_leaf_whatever_its_name(alice: Actor) -> None:
    caller = Caller(alice)
    caller.post("/memories", {"uri": "mem://user/entities/acme", "content": "A customer."})
    body = {"category": "entities", "name": "Acme/Owner", "content": "Ann."}
    assert caller.post("/memories", body, status=422)["code"] == "tree_refused"


def test_a_directory_needs_no_text(alice: Actor) -> None:
    made = Caller(alice).post("/memories", {"uri": "mem://user/entities/acme", "is_directory": True})
    assert (made["node_type"], made["content"], made["decay"]["exempt"]) == ("dir", "", True)


def test_an_address_is_taken_once(alice: Actor, bob: Actor) -> None:
    caller = Caller(alice)
    written(caller)
    for body in ({**EDITOR, "content": "I write in Emacs."}, {**EDITOR, "allow_duplicate": True}):
        assert caller.post("/memories", body, status=409)["code"] == "address_taken"
    assert Caller(bob).post("/memories", EDITOR)["owner_id"] == str(bob.user_id)


@pytest.mark.django_db(transaction=True)
def test_the_same_address_from_many_at_once_is_written_once(alice: Actor) -> None:
    def post() -> int:
        return int(Caller(alice).client.post("/api/memories", EDITOR).status_code)

    assert sorted(at_once(post)) == [200, 200, 200, 201]


def test_a_repeated_post_is_one_memory(alice: Actor) -> None:
    posts = [Caller(alice).post("/memories", EDITOR, Idempotency_Key="m1") for _ in range(2)]
    assert posts[0] == posts[1]


def test_nothing_lies_below_a_memory_that_is_no_directory(alice: Actor) -> None:
    caller = Caller(alice)
    written(caller)
    body = {"uri": f"{EDITOR['uri']}/font", "content": "Large."}
    assert caller.post("/memories", body, status=422)["code"] == "tree_refused"
    assert caller.post("/memories", {"uri": "mem://user/profile", "content": "x"}, status=422)["code"] == "tree_refused"


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"uri": "user/preferences/editor"}, "/uri", "bad_address"),
        ({"uri": "mem://user/elsewhere/editor"}, "/uri", "bad_address"),
        ({"content": "  "}, "/content", "invalid"),
        ({"content": 5}, "/content", "invalid"),
        ({"content": "x" * 400_001}, "/content", "invalid"),
        ({"abstract": "x" * 401}, "/abstract", "invalid"),
        ({"overview": "x" * 8_001}, "/overview", "invalid"),
        ({"tags": ["x" * 65]}, "/tags/0", "invalid"),
        ({"tags": [f"tag {number}" for number in range(51)]}, "/tags", "invalid"),
        ({"occurred_at": "yesterday"}, "/occurred_at", "invalid"),
        ({"sources": [{"kind": "rumour", "reference": "x"}]}, "/sources/0/kind", "invalid"),
        ({"shared": "yes"}, "/shared", "invalid"),
        ({"category": "events"}, "/uri", "invalid"),
        ({"trust": "direct_user"}, "/trust", "invalid"),
    ],
)
def test_a_memory_that_makes_no_sense_is_pointed_at(
    change: dict[str, object], pointer: str, code: str, alice: Actor
) -> None:
    caller = Caller(alice)
    problem = caller.post("/memories", {**EDITOR, **change}, status=400)
    assert (problem["code"], problem["errors"][0]["pointer"]) == (code, pointer)
    assert caller.get("/tree?uri=mem://user")["data"] == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"content": "x"}, "/uri"),
        ({"content": "x", "category": "events"}, "/name"),
        ({"content": "x", "name": "Release"}, "/category"),
    ],
)
def test_a_memory_without_an_address_is_pointed_at(body: dict[str, str], pointer: str, alice: Actor) -> None:
    assert Caller(alice).post("/memories", body, status=400)["errors"][0]["pointer"] == pointer


def test_sources_have_positions_for_people_who_may_read_them(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    message = say(alice, talk, "Hello", "I write in Vim.")[1]
    source = {"kind": "message", "reference": str(message.id)}
    body = {"uri": "mem://agent/cases/editor", "content": "Vim.", "sources": [source], "shared": True}
    made = Caller(alice).post("/memories", body)
    place = {"conversation_id": str(talk), "index": 1, "role": message.role, "name": ""}
    place |= {"quote": "I write in Vim.", "conversation_title": ""}
    assert made["sources"] == [{**source, **place}]
    hidden = Caller(bob).get(f"/memories/{made['id']}")["sources"]
    assert hidden == [{**source, **dict.fromkeys(place)}]


def test_a_memory_changes_only_with_its_current_version(alice: Actor) -> None:
    caller = Caller(alice)
    path = f"/memories/{written(caller)['id']}"
    caller.patch(path, {"content": "Emacs."}, status=428)
    tag = caller.tag(path)
    changed = caller.patch(path, {"content": "I write in Emacs now.", "reason": "a new year"}, If_Match=tag)
    assert (changed["version"], changed["abstract"]) == (2, "I write in Emacs now.")
    stale = caller.patch(path, {"content": "Nano."}, status=412, If_Match=tag)
    assert (stale["code"], stale["version"]) == ("stale", 2)
    assert caller.get(path)["content"] == "I write in Emacs now."
    named = caller.patch(path, {"abstract": "Emacs, for good.", "tags": ["tools"]}, If_Match='"2"')
    assert (named["abstract"], named["tags"], named["content"]) == (
        *("Emacs, for good.", ["tools"]),
        "I write in Emacs now.",
    )
    assert (
        caller.patch(path, {"reason": "none"}, status=400, If_Match='"3"')["errors"][0]["code"] == "nothing_to_change"
    )
    assert caller.patch(path, {"content": " "}, status=400, If_Match='"3"')["errors"][0]["pointer"] == "/content"


def test_deleting_a_memory_deletes_everything_below_it(alice: Actor) -> None:
    caller = Caller(alice)
    leaf = written(caller, uri="mem://user/entities/acme/owner")
    folder = caller.get("/memories?uri=mem://user/entities/acme")
    path = f"/memories/{folder['id']}"
    told = caller.delete(f"{path}?dry_run=true", status=200)
    assert (told["count"], sorted(told["examples"])) == (2, ["mem://user/entities/acme", leaf["uri"]])
    assert caller.get(f"/memories/{leaf['id']}")
    caller.delete(path, status=412, If_Match='"99"')
    caller.delete(path)
    for gone in (path, f"/memories/{leaf['id']}", f"/memories/{leaf['id']}/revisions"):
        caller.get(gone, status=404)
    assert caller.get("/tree?uri=mem://user/entities")["data"] == []
    assert written(caller, uri=leaf["uri"])["version"] == 1


def test_what_is_fixed_is_neither_changed_nor_erased(alice: Actor) -> None:
    caller = Caller(alice)
    written(caller)
    path = f"/memories/{caller.get('/memories?uri=mem://user/preferences')['id']}"
    assert caller.patch(path, {"content": "x"}, status=422, If_Match='"1"')["code"] == "tree_refused"
    for deed in ("archive", "share"):
        assert caller.post(f"{path}/{deed}", status=422)["code"] == "tree_refused"
    assert caller.delete(path, status=422)["code"] == "tree_refused"
    assert caller.delete(f"{path}?dry_run=true", status=422)["code"] == "tree_refused"


def test_who_may_only_read_changes_nothing(acme: Workspace, alice: Actor) -> None:
    made = written(Caller(alice), uri="mem://agent/cases/locked", shared=True)
    path = f"/memories/{made['id']}"
    for reader in (viewer_of(acme), person("Audrey", acme, Role.AUDITOR)):
        caller = Caller(reader)
        assert caller.get(path)["content"] == EDITOR["content"]
        caller.post("/memories", EDITOR, status=403)
        caller.post("/memories/bulk", {"items": [EDITOR]}, status=403)
        caller.post("/memories/import", {"nodes": [EDITOR]}, status=403)
        caller.patch(path, {"content": "Mine."}, status=403, If_Match='"1"')
        caller.delete(path, status=403)
        caller.delete(f"{path}?dry_run=true", status=403)
        for deed in ("archive", "restore", "share"):
            caller.post(f"{path}/{deed}", status=403)


def test_what_all_see_is_written_by_curators_and_its_author(acme: Workspace, alice: Actor, bob: Actor) -> None:
    team = {"uri": "mem://agent/patterns/reviews", "content": "Two eyes more.", "shared": True}
    assert Caller(bob).post("/memories", team, status=403)["code"] == "curators_only"
    made = Caller(person("Cora", acme, Role.CURATOR)).post("/memories", team)
    path = f"/memories/{made['id']}"
    assert Caller(bob).get(path)["shared"] is True
    Caller(bob).patch(path, {"content": "None."}, status=403, If_Match='"1"')
    Caller(bob).delete(path, status=403)
    assert Caller(alice).patch(path, {"content": "Three."}, If_Match='"1"')["version"] == 2


def test_another_persons_memory_is_invisible(alice: Actor, bob: Actor, charlie: Actor) -> None:
    made = written(Caller(alice))
    path = f"/memories/{made['id']}"
    for other in (bob, charlie):
        caller = Caller(other)
        caller.get(path, status=404)
        caller.get(f"/memories?uri={EDITOR['uri']}", status=404)
        caller.get(f"{path}/revisions", status=404)
        caller.patch(path, {"content": "Mine."}, status=404, If_Match='"1"')
        caller.delete(path, status=404)
        caller.delete(f"{path}?dry_run=true", status=404)
        for deed in ("archive", "restore", "share"):
            caller.post(f"{path}/{deed}", status=404)
        caller.post(f"{path}/undo", {"change_id": str(uuid4())}, status=404)
    assert Caller(alice).get(path)["version"] == 1


def test_a_page_of_revisions_has_excerpts_and_one_revision_the_whole_text(alice: Actor, bob: Actor) -> None:
    caller = Caller(alice)
    old, new = ("\n".join(f"{word} {place}" for place in range(30_000)) for word in ("line", "lime"))
    path = f"/memories/{caller.post('/memories', {'uri': 'mem://user/events/long', 'content': old})['id']}"
    caller.patch(path, {"content": new}, If_Match='"1"')
    newest, first = caller.get(f"{path}/revisions")["data"]
    assert (newest["before"]["l2_content"], newest["after"]["l2_content"]) == (old[:10_000], new[:10_000])
    assert newest["cut"] == ["hunks", "l2_content"] and first["cut"] == ["hunks", "l2_content"]
    assert sum(len(line["text"]) for hunk in newest["hunks"] for line in hunk) <= 10_000
    whole = caller.get(f"{path}/revisions/{newest['id']}")
    assert (whole["before"]["l2_content"], whole["after"]["l2_content"], whole["cut"]) == (old, new, [])
    assert sum(len(hunk) for hunk in whole["hunks"]) == 60_000
    caller.get(f"{path}/revisions/{newest['change_id']}", status=404)
    Caller(bob).get(f"{path}/revisions/{newest['id']}", status=404)


def test_its_curve_goes_from_the_last_access_over_now_half_a_year_ahead(alice: Actor) -> None:
    caller, then = Caller(alice), datetime.now(UTC) - timedelta(days=90)
    decay = written(caller, occurred_at=then.isoformat())["decay"]
    days = [point["day"] for point in decay["curve"]]
    assert decay["age_days"] == pytest.approx(90, abs=0.1)
    assert (days[0], days[-1]) == (pytest.approx(-90, abs=0.1), 180) and days == sorted(days)
    at = {round(point["day"]): point["relevance"] for point in decay["curve"]}
    assert (at[-90], at[0], at[90], at[180]) == pytest.approx((1, 0.5, 0.25, 0.125), abs=0.001)


def test_the_curve_of_an_old_one_begins_half_a_year_ago_and_ends_at_the_floor(alice: Actor) -> None:
    decay = written(Caller(alice), occurred_at="2020-01-01T00:00:00Z")["decay"]
    assert decay["curve"][0] == {"day": -180, "relevance": decay["floor"]}
    assert {point["relevance"] for point in decay["curve"]} == {0.1}


def test_a_fact_of_a_day_to_come_has_not_begun_to_fade(alice: Actor) -> None:
    coming = datetime.now(UTC) + timedelta(days=30)
    decay = written(Caller(alice), occurred_at=coming.isoformat())["decay"]
    assert (decay["age_days"], decay["curve"][0]) == (0, {"day": 0, "relevance": 1})


def test_exempt_memories_have_no_decay_curve(alice: Actor) -> None:
    caller = Caller(alice)
    written(caller)
    root = caller.get("/memories?uri=mem://user/preferences")
    assert (root["fixed"], root["decay"]["exempt"], root["decay"]["curve"]) == (True, True, [])
    assert not caller.get(f"/memories?uri={EDITOR['uri']}")["fixed"]
