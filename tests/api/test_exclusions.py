"""Exclusions over HTTP: lists and previews."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.api.rows import everything_stored
from tests.compaction.runs import check_invariants, compact
from tests.conversations.long_conversations import conversation, history, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(alice: Actor) -> UUID:
    """A conversation whose first messages are compacted into one decision."""
    talk = conversation(alice)
    say(alice, talk, "We decided to use MongoDB because it is fast.", *("Understood. " * 30,) * 9)
    compact(alice, talk)
    return talk


def preview(actor: Actor, talk: UUID, ids: list[str], *, excluded: bool = True) -> Any:
    body = {"message_ids": ids, "excluded": excluded}
    return Caller(actor).post(f"/conversations/{talk}/exclusions?dry_run=true", body, status=200)


def ids_of(actor: Actor, talk: UUID) -> list[str]:
    return [str(row.id) for row in history(actor, talk)]


def test_a_dry_run_returns_what_would_be_removed_and_changes_nothing(alice: Actor, talk: UUID) -> None:
    ids, caller = ids_of(alice, talk), Caller(alice)
    caller.post(f"/conversations/{talk}/pins", {"message_id": ids[0]})
    before = everything_stored()
    told = caller.post(f"/conversations/{talk}/exclusions?dry_run=true", {"message_ids": [ids[0], ids[9]]}, status=200)
    assert everything_stored() == before
    assert told == {
        "changed": [ids[0], ids[9]],
        "compacted": [ids[0]],
        "frees_tokens": history(alice, talk)[9].live_cost,
        "summary_lines": [
            {"field": "decisions", "text": "We decided to use MongoDB (because: it is fast.)"},
        ],
        "pins": 1,
    }


def test_an_exclusion_does_what_its_dry_run_announced(alice: Actor, talk: UUID) -> None:
    ids, caller = ids_of(alice, talk), Caller(alice)
    path = f"/conversations/{talk}"
    for excluded in (True, False):
        live, told = caller.get(path)["live_tokens"], preview(alice, talk, ids, excluded=excluded)
        lines = sum(len(lines) for lines in caller.get(f"{path}/summary")["rolling_summary"].values())
        done = caller.post(f"{path}/exclusions", {"message_ids": ids, "excluded": excluded}, status=200)
        assert done == {"changed": told["changed"], "compacted": told["compacted"]}
        assert caller.get(path)["live_tokens"] == live - told["frees_tokens"]
        left = sum(len(lines) for lines in caller.get(f"{path}/summary")["rolling_summary"].values())
        assert told["summary_lines"]
        assert left - lines == len(told["summary_lines"]) * (-1 if excluded else 1)
    assert preview(alice, talk, ids, excluded=False)["changed"] == []


def test_including_a_compacted_message_again_restores_its_lines(alice: Actor, talk: UUID) -> None:
    ids, caller, path = ids_of(alice, talk), Caller(alice), f"/conversations/{talk}"
    before = caller.get(f"{path}/summary")["rolling_summary"]
    live = caller.get(path)["live_tokens"]
    for excluded in (True, False):
        caller.post(f"{path}/exclusions", {"message_ids": ids[:1], "excluded": excluded}, status=200)
    assert caller.get(f"{path}/summary")["rolling_summary"] == before
    assert caller.get(path)["live_tokens"] == live
    assert caller.get(f"{path}/messages")["data"][0]["state"] == "compacted"
    check_invariants(alice, talk)


def test_a_message_whose_lines_cannot_come_back_is_live_again(alice: Actor, talk: UUID) -> None:
    ids, caller, path = ids_of(alice, talk), Caller(alice), f"/conversations/{talk}"
    caller.post(f"{path}/exclusions", {"message_ids": ids[:1]}, status=200)
    compact(alice, talk)
    told = preview(alice, talk, ids[:1], excluded=False)
    assert (told["compacted"], told["summary_lines"]) == ([], [])
    caller.post(f"{path}/exclusions", {"message_ids": ids[:1], "excluded": False}, status=200)
    assert caller.get(f"{path}/messages")["data"][0]["state"] == "live"
    check_invariants(alice, talk)


def test_a_dry_run_that_makes_no_sense_is_refused(alice: Actor, talk: UUID) -> None:
    caller, path = Caller(alice), f"/conversations/{talk}/exclusions"
    foreign = str(say(alice, conversation(alice), "Elsewhere")[0].id)
    caller.post(f"{path}?dry_run=true", {"message_ids": [foreign]}, status=404)
    caller.post(f"{path}?dry_run=perhaps", {"message_ids": ids_of(alice, talk)[:1]}, status=400)
    caller.post(f"{path}?dry=true", {"message_ids": ids_of(alice, talk)[:1]}, status=400)
    assert caller.get(path)["data"] == []


def test_excluded_messages_are_listed_newest_first(alice: Actor, talk: UUID) -> None:
    caller, path = Caller(alice), f"/conversations/{talk}/exclusions"
    parts = [{"kind": "tool_result", "call_id": "c1", "text": "42 rows " * 50}]
    (result,) = caller.post(f"/conversations/{talk}/messages", {"role": "tool", "name": "find", "parts": parts})["data"]
    ids = [*ids_of(alice, talk)[:2], result["id"]]
    caller.post(path, {"message_ids": ids}, status=200)
    rows = [row for page in caller.pages(path, 2) for row in page]
    assert [row["index"] for row in rows] == [10, 1, 0]
    assert rows[2] == {
        **{"id": ids[0], "index": 0, "role": "user", "name": ""},
        **{"excerpt": "We decided to use MongoDB because it is fast.", "token_count": 16},
        "created_at": rows[2]["created_at"],
    }
    assert [len(row["excerpt"]) for row in rows[:2]] == [200, 200]
    assert rows[0]["excerpt"].startswith("42 rows 42")


def test_other_people_can_neither_see_nor_preview_exclusions(
    alice: Actor, bob: Actor, charlie: Actor, talk: UUID
) -> None:
    path = f"/conversations/{talk}/exclusions"
    for other in (bob, charlie):
        Caller(other).get(path, status=404)
        Caller(other).post(f"{path}?dry_run=true", {"message_ids": ids_of(alice, talk)[:1]}, status=404)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    assert Caller(bob).get(path)["data"] == []
