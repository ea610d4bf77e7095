"""Bulk creation, export and import of memories over HTTP.

An export returns its connection between two pieces, so these tests use real transactions.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from tests.api.answers import body_of
from tests.api.callers import Caller

pytestmark = pytest.mark.django_db

EVENTS = "mem://user/events"


def item(name: str, **more: Any) -> dict[str, Any]:
    return {"uri": f"{EVENTS}/{name}", "content": f"About {name}.", **more}


def bulk(caller: Caller, *items: Any, status: int = 200, **headers: str) -> Any:
    return caller.post("/memories/bulk", {"items": list(items)}, status=status, **headers)


def exported(caller: Caller, uri: str, form: str) -> str:
    answer = caller.client.get(f"/api/memories/export?uri={quote(uri)}&format={form}")
    assert answer.status_code == 200, answer.content
    return body_of(answer).decode()


def imported(caller: Caller, body: Any, more: str = "", status: int = 200) -> Any:
    """Import a file that the person confirmed."""
    return caller.post(f"/memories/import{more or '?'}&confirmed=true", body, status=status)


def told_again(memory: dict[str, Any]) -> dict[str, Any]:
    """An item with the name and the text of a memory."""
    return {"category": memory["category"], "name": memory["name"], "content": memory["content"]}


def counts(told: dict[str, Any]) -> tuple[int, int, int, int]:
    return told["created"], told["updated"], told["unchanged"], told["refused"]


class TestBulk:
    def test_each_item_has_a_result_and_a_bad_one_stops_no_other(self, alice: Actor) -> None:
        caller = Caller(alice)
        told = bulk(
            caller,
            item("one", tags=["a"]),
            {"uri": "events/two", "content": "?"},
            item("three", content=" "),
            item("one"),
            5,
            {"category": "preferences", "name": "Code reviews", "content": "Short ones."},
            item("six", colour="red"),
        )
        assert counts(told) == (2, 0, 0, 5)
        assert [result["position"] for result in told["items"]] == list(range(7))
        states = [(result["state"], result["code"]) for result in told["items"]]
        assert states == [
            ("created", ""),
            ("refused", "bad_address"),
            ("refused", "invalid"),
            ("refused", "duplicate"),
            ("refused", "invalid"),
            ("created", ""),
            ("refused", "invalid"),
        ]
        assert all(bool(result["detail"]) == (result["state"] == "refused") for result in told["items"])
        assert "/colour" in told["items"][6]["detail"]
        first = caller.get(f"/memories/{told['items'][0]['id']}")
        assert (first["uri"], first["tags"], first["version"]) == (f"{EVENTS}/one", ["a"], 1)
        assert told["items"][5]["uri"] == "mem://user/preferences/code-reviews"

    def test_an_existing_memory_is_not_overwritten(self, alice: Actor) -> None:
        caller = Caller(alice)
        bulk(caller, item("one"), item("two"))
        told = bulk(caller, item("one"), item("two", content="Something else."))
        assert [(result["state"], result["code"]) for result in told["items"]] == [
            ("unchanged", ""),
            ("refused", "address_taken"),
        ]

    def test_a_number_is_appended_to_a_name_that_exists(self, alice: Actor) -> None:
        caller = Caller(alice)
        tea = {"category": "preferences", "name": "Tea"}
        said = [{**tea, "content": text} for text in ("Green.", "Black.", "Red.")]
        away = bulk(caller, {**tea, "content": "White."})["items"][0]["id"]
        caller.post(f"/memories/{away}/archive", status=200)
        chosen = {"uri": "mem://user/preferences/tea-3", "content": "Mine."}
        told = bulk(caller, *said, chosen, {"uri": "mem://user/preferences/tea", "content": "White."})
        assert [(result["uri"][-5:], result["state"], result["code"]) for result in told["items"]] == [
            ("tea-2", "created", ""),
            ("tea-4", "created", ""),
            ("tea-5", "created", ""),
            ("tea-3", "created", ""),
            ("s/tea", "refused", "address_taken"),
        ]
        assert [caller.get(f"/memories/{result['id']}")["content"] for result in told["items"][:4]] == [
            *("Green.", "Black.", "Red."),
            "Mine.",
        ]

    def test_the_same_text_under_the_same_name_is_one_memory(self, alice: Actor) -> None:
        caller = Caller(alice)
        said = [{"category": "events", "name": "Release", "content": text} for text in ("One.", "Two.", "One.")]
        first, again = bulk(caller, *said), bulk(caller, *said, {**said[0], "content": "Three."})
        assert [result["state"] for result in first["items"]] == ["created", "created", "unchanged"]
        assert first["items"][2]["id"] == first["items"][0]["id"]
        assert counts(again) == (1, 0, 3, 0)
        assert [again["items"][place]["id"] for place in range(3)] == [one["id"] for one in first["items"]]
        assert again["items"][3]["uri"] == f"{EVENTS}/release-3"

    def test_the_same_text_under_other_names_is_one_memory_unless_it_may_be_repeated(self, alice: Actor) -> None:
        caller = Caller(alice)
        first = caller.post("/memories", {"category": "events", "name": "Release", "content": "It is out."})
        same = [{"category": "events", "name": name, "content": "it is OUT"} for name in ("Out", "Version 2")]
        told = bulk(
            caller,
            *same,
            {**same[0], "allow_duplicate": True},
            {"category": "preferences", "name": "Out", "content": "It is out."},
            {"uri": f"{EVENTS}/chosen", "content": "It’s done."},
            {"category": "events", "name": "Done", "content": "It's done"},
        )
        states = [result["state"] for result in told["items"]]
        assert states == ["unchanged", "unchanged", "created", "created", "created", "unchanged"]
        assert [told["items"][place]["id"] for place in (0, 1)] == [first["id"]] * 2
        assert told["items"][5]["uri"] == f"{EVENTS}/chosen"
        forced = bulk(caller, *[{**told_again(first), "allow_duplicate": True}] * 2)
        assert [result["uri"] for result in forced["items"]] == [f"{EVENTS}/release-2", f"{EVENTS}/release-3"]

    def test_a_repetition_of_a_refused_item_is_refused(self, alice: Actor) -> None:
        caller = Caller(alice)
        caller.post("/memories", {"uri": "mem://user/entities/acme", "content": "A customer."})
        fact = {"category": "entities", "name": "Acme/Owner", "content": "Ann."}
        told = bulk(caller, fact, fact)
        assert [result["code"] for result in told["items"]] == ["tree_refused"] * 2

    def test_a_thousand_of_one_name_are_a_thousand_memories(self, alice: Actor) -> None:
        caller = Caller(alice)
        many = [{"category": "events", "name": "Release", "content": f"Number {number}."} for number in range(1_000)]
        told = bulk(caller, *many)
        assert counts(told) == (1_000, 0, 0, 0)
        assert told["items"][999]["uri"] == f"{EVENTS}/release-1000"

    def test_a_thousand_at_once_and_no_more(self, alice: Actor) -> None:
        caller = Caller(alice)
        many = [item(f"release-{number}") for number in range(1_001)]
        assert bulk(caller, *many, status=400)["errors"][0]["pointer"] == "/items"
        assert bulk(caller, status=400)["errors"][0]["pointer"] == "/items"
        assert bulk(caller, *many[:1_000])["created"] == 1_000
        assert len(caller.get(f"/tree?uri={EVENTS}&limit=200")["data"]) == 200

    def test_a_repeat_with_a_key_gets_the_first_answer(self, alice: Actor) -> None:
        answers = [bulk(Caller(alice), item("one"), Idempotency_Key="b1") for _ in range(2)]
        assert answers[0] == answers[1] and answers[0]["created"] == 1

    def test_a_member_writes_nothing_for_the_team(self, bob: Actor) -> None:
        shared = {"uri": "mem://agent/cases/one", "content": "One.", "shared": True}
        told = bulk(Caller(bob), shared, item("one"))
        assert [(result["state"], result["code"]) for result in told["items"]] == [
            ("refused", "curators_only"),
            ("created", ""),
        ]


@pytest.mark.django_db(transaction=True)
class TestExport:
    def test_a_subtree_comes_out_as_json(self, alice: Actor) -> None:
        caller = Caller(alice)
        bulk(caller, item("one", tags=["a"], occurred_at="2026-02-01T00:00:00Z"), item("two"))
        answer = caller.client.get(f"/api/memories/export?uri={EVENTS}&format=json")
        assert answer["Content-Type"] == "application/json; charset=utf-8"
        assert answer["Content-Disposition"] == 'attachment; filename="events.json"'
        told = json.loads(body_of(answer))
        assert (told["format"], told["version"], told["root"]) == ("continuity-memory-tree", 1, EVENTS)
        one = next(node for node in told["nodes"] if node["uri"] == f"{EVENTS}/one")
        assert (one["content"], one["tags"], one["trust"]) == ("About one.", ["a"], "direct_user")
        assert one["occurred_at"].startswith("2026-02-01")

    def test_a_subtree_comes_out_as_markdown(self, alice: Actor) -> None:
        caller = Caller(alice)
        bulk(caller, item("one", content="# One\n\nIt rained."))
        answer = caller.client.get(f"/api/memories/export?uri={EVENTS}")
        assert answer["Content-Type"] == "text/markdown; charset=utf-8"
        assert answer["Content-Disposition"] == 'attachment; filename="events.md"'
        text = body_of(answer).decode()
        assert f"# {EVENTS}/one\n" in text and "# One\n\nIt rained." in text

    def test_a_large_subtree_is_streamed_whole(self, alice: Actor) -> None:
        caller = Caller(alice)
        bulk(caller, *(item(f"release-{number}") for number in range(1_000)))
        told = json.loads(exported(caller, EVENTS, "json"))
        assert len([node for node in told["nodes"] if "content" in node]) == 1_000

    def test_what_is_not_there_is_refused_before_anything_is_sent(self, alice: Actor, bob: Actor) -> None:
        bulk(Caller(alice), item("one"))
        for form in ("json", "markdown"):
            caller = Caller(bob)
            assert caller.get(f"/memories/export?uri={EVENTS}/one&format={form}", status=404)["code"] == "not_found"
        assert Caller(alice).get("/memories/export?uri=events", status=400)["code"] == "bad_address"
        assert Caller(alice).get(f"/memories/export?uri={EVENTS}&format=pdf", status=400)["code"] == "invalid"


@pytest.mark.django_db(transaction=True)
class TestImport:
    @pytest.mark.parametrize("form", ["json", "markdown"])
    def test_what_was_exported_goes_in_again(self, form: str, alice: Actor, bob: Actor) -> None:
        caller = Caller(alice)
        bulk(caller, item("one", content="# One\n\nIt rained.", tags=["a"]), item("two"))
        text = exported(caller, EVENTS, form)
        body = json.loads(text) if form == "json" else {"markdown": text}
        told = imported(caller, body)
        assert (told["created"], told["updated"], told["refused"]) == (0, 0, 0)
        his = Caller(bob)
        assert imported(his, body)["refused"] == 0
        one = his.get(f"/memories?uri={EVENTS}/one")
        assert (one["content"], one["tags"], one["owner_id"]) == ("# One\n\nIt rained.", ["a"], str(bob.user_id))
        assert (one["trust"], one["inferred"]) == ("model_inference", True)

    def test_markdown_is_taken_as_a_file(self, alice: Actor) -> None:
        caller = Caller(alice)
        text = f"# {EVENTS}/one\n\nIt rained in Köln.\n\n# {EVENTS}/two\n\nIt snowed.\n"
        answer = caller.client.generic("POST", "/api/memories/import", text.encode(), "text/markdown")
        assert (answer.status_code, answer.json()["created"]) == (200, 2), answer.content
        assert caller.get(f"/memories?uri={EVENTS}/one")["content"] == "It rained in Köln."

    def test_a_file_is_put_below_another_address(self, alice: Actor) -> None:
        caller = Caller(alice)
        nodes = [item("2026/one"), item("2026/two")]
        told = imported(caller, {"nodes": nodes}, f"?at={EVENTS}/old&reason=moved")
        assert [result["uri"] for result in told["items"]] == [f"{EVENTS}/old/one", f"{EVENTS}/old/two"]
        (revision,) = caller.get(f"/memories/{told['items'][0]['id']}/revisions")["data"]
        assert (revision["operation"], revision["reason"]) == ("import", "moved")

    def test_a_dry_run_previews_an_import_and_stores_nothing(self, alice: Actor) -> None:
        caller = Caller(alice)
        bulk(caller, item("one"))
        body = {"nodes": [item("one", content="Something else."), item("two"), item("three/four")]}
        told = imported(caller, body, f"?at={EVENTS}&dry_run=true")
        caller.get(f"/memories?uri={EVENTS}/two", status=404)
        caller.get(f"/memories?uri={EVENTS}/three", status=404)
        done = imported(caller, body, f"?at={EVENTS}")
        assert (told["created"], told["refused"]) == (2, 1)
        assert told["items"] == [{**result, "id": None} for result in done["items"]]

    def test_a_dry_run_names_no_memory_that_it_made_itself(self, alice: Actor) -> None:
        """A file is imported in batches of 1,000, and later batches see the results of earlier ones."""
        caller = Caller(alice)
        kept = bulk(caller, item("kept"))["items"][0]["id"]
        first = [item("new"), item("deep/down"), *(item(f"release-{number}") for number in range(998))]
        second = [item("kept"), item("new"), item("release-0", content="?"), item("deep", content="", directory=True)]
        told = imported(caller, {"nodes": first + second}, "?dry_run=true")
        done = imported(caller, {"nodes": first + second})
        states = [result["state"] for result in told["items"]]
        assert states == [result["state"] for result in done["items"]]
        assert states[1_000:] == ["unchanged", "unchanged", "updated", "unchanged"]
        assert [result["id"] for result in told["items"]] == [None] * 1_000 + [kept, None, None, None]

    def test_what_was_erased_does_not_come_back(self, alice: Actor) -> None:
        caller = Caller(alice)
        told = bulk(caller, item("one"), item("two"))
        file = json.loads(exported(caller, EVENTS, "json"))
        caller.delete(f"/memories/{told['items'][0]['id']}")
        refused = [result for result in imported(caller, file)["items"] if result["state"] == "refused"]
        assert [(result["uri"], result["code"]) for result in refused] == [(f"{EVENTS}/one", "erased")]
        caller.get(f"/memories?uri={EVENTS}/one", status=404)
        assert caller.post("/memories", item("one"))["version"] == 1

    def test_what_a_person_wrote_is_not_overwritten(self, alice: Actor) -> None:
        caller = Caller(alice)
        bulk(caller, item("one"))
        told = imported(caller, {"nodes": [item("one", content="Something else."), {"uri": "one"}, 5]})
        assert [result["code"] for result in told["items"]] == ["trusted_more", "bad_item", "bad_item"]
        assert caller.get(f"/memories?uri={EVENTS}/one")["content"] == "About one."

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({}, "/nodes"),
            ({"nodes": [], "markdown": ""}, "/nodes"),
            ({"nodes": [], "format": "other"}, "/format"),
            ({"nodes": [], "version": 2}, "/version"),
            ({"nodes": {}}, "/nodes"),
            ({"markdown": 5}, "/markdown"),
        ],
    )
    def test_a_file_that_makes_no_sense_is_refused(self, body: Any, pointer: str, alice: Actor) -> None:
        assert imported(Caller(alice), body, status=400)["errors"][0]["pointer"] == pointer

    def test_a_file_that_is_too_large_is_refused(self, alice: Actor, settings: Settings) -> None:
        caller = Caller(alice)
        many = {"nodes": [{"uri": EVENTS}] * 5_001}
        assert imported(caller, many, status=413)["code"] == "too_many_items"
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
        answer = caller.client.generic("POST", "/api/memories/import", b"x" * 1_001, "text/markdown")
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
        answer = caller.client.generic("POST", "/api/memories/import", b"\xff", "text/markdown")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
