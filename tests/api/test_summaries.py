"""Summaries over HTTP: corrections and versions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.compaction.runs import compact
from tests.conversations.long_conversations import conversation, say
from tests.jobs.requests import make_late

pytestmark = pytest.mark.django_db

MINE = {"field": "goals", "place": None, "line": {"text": "Open the shop in May"}}


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    talk = decided_talk(shared_alice)
    make_late()
    return talk


def decided_talk(actor: Actor) -> UUID:
    """A conversation with a decision in its summary."""
    talk = conversation(actor)
    say(actor, talk, "We decided to use MongoDB because it is fast.", *("Understood, that is noted.",) * 29)
    compact(actor, talk)
    return talk


def summary_of(talk: UUID) -> str:
    return f"/conversations/{talk}/summary"


def correct(actor: Actor, talk: UUID, body: Any, status: int = 200, **headers: str) -> Any:
    caller = Caller(actor)
    sent = headers or {"If_Match": caller.tag(summary_of(talk))}
    return caller.post(f"{summary_of(talk)}/corrections", body, status=status, **sent)


def test_a_line_is_edited_added_and_removed(alice: Actor, talk: UUID) -> None:
    before = Caller(alice).get(summary_of(talk))["rolling_summary"]
    (old,) = before["decisions"]
    assert old["corrected"] is False
    line = {"text": " We use\nPostgreSQL ", "reason": "it is safe"}
    written = correct(alice, talk, {"field": "decisions", "place": 0, "line": line})
    assert (written["version"], written["cause"]) == (2, "correction")
    assert written["rolling_summary"]["decisions"] == [
        {
            "text": "We use PostgreSQL",
            "reason": "it is safe",
            "sources": old["sources"],
            "corrected": True,
            "reported": False,
        }
    ]
    added = correct(alice, talk, MINE)["rolling_summary"]["goals"]
    assert added == [
        *before["goals"],
        {"text": "Open the shop in May", "sources": [], "corrected": True, "reported": False},
    ]
    left = correct(alice, talk, {"field": "decisions", "place": 0, "line": None})
    assert left["rolling_summary"]["decisions"] == []
    assert Caller(alice).get(summary_of(talk)) == left
    assert Caller(alice).get(f"/conversations/{talk}/context")["rolling_summary"] == left["rolling_summary"]


def test_every_kind_of_line_can_be_written(alice: Actor) -> None:
    talk = conversation(alice)
    for field, line in (
        ("open_questions", {"text": "Who is on call?"}),
        ("decisions", {"text": "We use PostgreSQL"}),
        ("definitions", {"term": "slot", "text": "half an hour"}),
        ("definitions", {"term": "shift", "text": "eight hours"}),
        ("references", {"type": "file", "value": "apps/a.py"}),
    ):
        correct(alice, talk, {"field": field, "place": None, "line": line})
    summary = Caller(alice).get(summary_of(talk))["rolling_summary"]
    own = {"sources": [], "corrected": True, "reported": False}
    assert summary["decisions"] == [{"text": "We use PostgreSQL", "reason": "", **own}]
    assert summary["references"] == [{"type": "file", "value": "apps/a.py", "note": "", **own}]
    assert summary["definitions"] == {
        "slot": {"text": "half an hour", "place": 0, **own},
        "shift": {"text": "eight hours", "place": 1, **own},
    }


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({**MINE, "field": "wishes"}, "/field", "invalid_choice"),
        ({**MINE, "place": -1}, "/place", "min_value"),
        ({**MINE, "line": None}, "/line", "nothing_to_change"),
        ({"field": "goals", "place": 0}, "/line", "required"),
        ({**MINE, "line": {}}, "/line/text", "required"),
        ({**MINE, "line": {"text": " "}}, "/line/text", "blank"),
        ({**MINE, "line": {"text": "x" * 401}}, "/line/text", "max_length"),
        ({**MINE, "line": {"text": "x", "reason": "y"}}, "/line/reason", "not_of_this_field"),
        ({**MINE, "field": "definitions"}, "/line/term", "required"),
        ({**MINE, "field": "definitions", "line": {"term": "x" * 81, "text": "y"}}, "/line/term", "max_length"),
        ({**MINE, "field": "references", "line": {"value": "y"}}, "/line/type", "required"),
        ({**MINE, "field": "references", "line": {"type": "x", "value": "y"}}, "/line/type", "invalid_choice"),
        ({**MINE, "field": "references", "line": {"type": "id", "value": "y" * 501}}, "/line/value", "max_length"),
    ],
)
def test_a_correction_that_makes_no_sense_is_pointed_at(
    body: Any, pointer: str, code: str, alice: Actor, talk: UUID
) -> None:
    problem = correct(alice, talk, body, status=400)
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [(pointer, code)]


def test_a_correction_that_cannot_be_is_refused(alice: Actor, talk: UUID) -> None:
    for text in "abcde":
        correct(alice, talk, {**MINE, "line": {"text": text}})
    full = correct(alice, talk, MINE, status=409)
    assert (full["code"], full["field"], full["limit"]) == ("field_full", "goals", 5)
    assert correct(alice, talk, {**MINE, "place": 1, "line": {"text": "A"}}, status=409)["code"] == "line_exists"
    missing = correct(alice, talk, {**MINE, "place": 5}, status=422)
    assert (missing["code"], missing["errors"][0]["pointer"]) == ("no_such_line", "/place")
    assert Caller(alice).get(summary_of(talk))["version"] == 6


def test_a_correction_requires_the_version_that_was_seen(alice: Actor, talk: UUID) -> None:
    tag = Caller(alice).tag(summary_of(talk))
    assert Caller(alice).post(f"{summary_of(talk)}/corrections", MINE, status=428)
    correct(alice, talk, MINE, If_Match=tag)
    stale = correct(alice, talk, {**MINE, "line": {"text": "Late"}}, status=412, If_Match=tag)
    assert (stale["code"], stale["version"]) == ("stale", 2)


def test_a_repeated_correction_with_a_key_is_written_once(alice: Actor, talk: UUID) -> None:
    headers = {"If_Match": Caller(alice).tag(summary_of(talk)), "Idempotency_Key": "k1"}
    assert correct(alice, talk, MINE, **headers) == correct(alice, talk, MINE, **headers)
    assert Caller(alice).get(summary_of(talk))["version"] == 2


def test_a_correction_is_undone_while_it_is_the_newest_change(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    before = caller.get(summary_of(talk))["rolling_summary"]
    undo = f"{summary_of(talk)}/corrections/undo"
    assert caller.post(undo, status=409, If_Match=caller.tag(summary_of(talk)))["code"] == "not_a_correction"
    correct(alice, talk, {"field": "decisions", "place": 0, "line": None})
    undone = caller.post(undo, status=200, If_Match=caller.tag(summary_of(talk)))
    assert (undone["cause"], undone["rolling_summary"]) == ("undo", before)
    caller.post(undo, status=409, If_Match=caller.tag(summary_of(talk)))


def test_every_version_is_listed_with_the_compaction_that_made_it(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    correct(alice, talk, MINE)
    (run,) = caller.get(f"/conversations/{talk}/compactions")["data"]
    assert (run["base_version"], run["version"]) == (0, 1)
    pages = caller.pages(f"{summary_of(talk)}/versions", 1)
    assert [version["version"] for page in pages for version in page] == [2, 1]
    correction, compaction = (page[0] for page in pages)
    assert (correction["cause"], correction["run_id"], correction["model"]) == ("correction", None, "")
    assert (compaction["cause"], compaction["run_id"], compaction["model"]) == ("compaction", run["id"], "offline")
    assert (compaction["undone"], compaction["covers_through"]) == (False, 9)
    caller.post(f"/conversations/{talk}/compactions/{run['id']}/undo", status=200)
    assert [row["undone"] for row in caller.get(f"{summary_of(talk)}/versions")["data"]] == [False, True, True]


def test_other_people_can_neither_correct_nor_list_versions(
    alice: Actor, bob: Actor, charlie: Actor, talk: UUID
) -> None:
    paths = ("corrections", "corrections/undo")
    for other in (bob, charlie):
        Caller(other).get(f"{summary_of(talk)}/versions", status=404)
        for path in paths:
            body = MINE if path == "corrections" else {}
            Caller(other).post(f"{summary_of(talk)}/{path}", body, status=404, If_Match='"1"')
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    assert len(Caller(bob).get(f"{summary_of(talk)}/versions")["data"]) == 1
    correct(bob, talk, MINE, status=403)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "write"})
    assert correct(bob, talk, MINE)["cause"] == "correction"
