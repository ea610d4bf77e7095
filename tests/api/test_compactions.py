"""Compactions and summaries over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.api.talks import read_talk
from tests.compaction.runs import check_invariants, compact, run_due_jobs, runs_of
from tests.conversations.long_conversations import conversation, long_talk

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    return read_talk(shared_alice)


def compactions_of(talk: UUID) -> str:
    return f"/conversations/{talk}/compactions"


def request(actor: Actor, talk: UUID, body: Any = None, status: int = 202, **headers: str) -> Any:
    return Caller(actor).post(compactions_of(talk), body, status=status, **headers)


def test_a_compaction_is_requested_watched_and_completed(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    answer = caller.client.post(f"/api{compactions_of(talk)}", {})
    asked = answer.json()
    assert answer.status_code == 202
    assert answer["Location"] == f"/api/operations/{asked['operation']['id']}"
    assert (asked["operation"]["state"], asked["operation"]["progress"]) == ("queued", 0)
    run = asked["compaction"]
    assert (run["state"], run["level"], run["trigger"]) == ("queued", "light", "manual")
    run_due_jobs()
    operation = caller.get(f"/operations/{asked['operation']['id']}")
    assert (operation["state"], operation["progress"]) == ("succeeded", 100)
    assert operation["result"]["run_id"] == run["id"]
    done = caller.get(f"{compactions_of(talk)}/{run['id']}")
    assert (done["state"], done["compacted_from"], done["compacted_through"], done["compacted_count"]) == (
        "succeeded",
        0,
        39,
        40,
    )
    assert done["tokens_after"] < done["tokens_before"] and done["model"] == "offline"
    assert caller.get(compactions_of(talk))["data"] == [done]


@pytest.mark.parametrize("level", ["light", "deep", "aggressive"])
def test_every_level_can_be_requested(level: str, alice: Actor, talk: UUID) -> None:
    request(alice, talk, {"level": level})
    run_due_jobs()
    (run,) = Caller(alice).get(compactions_of(talk))["data"]
    assert (run["level"], run["state"]) == (level, "succeeded")


@pytest.mark.parametrize("body", [{"level": "total"}, {"level": None}, {"level": 1}, {"force": True}])
def test_a_request_that_makes_no_sense_is_refused(body: dict[str, object], alice: Actor, talk: UUID) -> None:
    assert request(alice, talk, body, status=400)["errors"][0]["pointer"] == f"/{next(iter(body))}"


def test_a_second_request_while_one_waits_is_the_same(alice: Actor, talk: UUID) -> None:
    assert request(alice, talk) == request(alice, talk, {"level": "deep"})
    assert len(runs_of(alice, talk)) == 1


def test_a_repeated_request_with_a_key_is_answered_alike_even_when_it_is_done(alice: Actor, talk: UUID) -> None:
    first = request(alice, talk, Idempotency_Key="c1")
    run_due_jobs()
    assert request(alice, talk, Idempotency_Key="c1") == first
    assert len(runs_of(alice, talk)) == 1


def test_a_user_with_a_share_watches_a_compaction_requested_by_another(alice: Actor, bob: Actor, talk: UUID) -> None:
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org"})
    first = request(alice, talk)
    answer = Caller(bob).client.post(f"/api{compactions_of(talk)}", {})
    assert (answer.status_code, answer.json()) == (202, {"operation": None, "compaction": first["compaction"]})
    assert Caller(bob).client.get(answer["Location"]).json() == first["compaction"]


def test_the_summary_names_its_sources_and_keeps_its_versions(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    path = f"/conversations/{talk}/summary"
    empty = caller.get(path)
    assert (empty["version"], empty["cause"], empty["covers_through"], empty["created_at"]) == (0, "", None, None)
    compact(alice, talk)
    summary = caller.get(path)
    assert (summary["version"], summary["cause"], summary["covers_through"]) == (1, "compaction", 39)
    messages = {row["id"] for page in caller.pages(f"/conversations/{talk}/messages", 200) for row in page}
    lines = [line for lines in summary["rolling_summary"].values() for line in lines if isinstance(line, dict)]
    assert lines and all(line["sources"] and set(line["sources"]) <= messages for line in lines)
    assert caller.get(f"{path}?version=1") == summary
    assert caller.get(f"{path}?version=0") == empty
    caller.get(f"{path}?version=2", status=404)
    caller.get(f"{path}?version=-1", status=400)
    caller.get(f"{path}?version=x", status=400)
    caller.get(path, status=304, If_None_Match=caller.tag(path))


def test_an_undo_gives_the_messages_back(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    before = caller.get(f"/conversations/{talk}")["live_tokens"]
    run = compact(alice, talk)
    undone = caller.post(f"{compactions_of(talk)}/{run.id}/undo", status=200)
    assert (undone["id"], undone["state"]) == (str(run.id), "undone")
    assert caller.get(f"/conversations/{talk}")["live_tokens"] == before
    assert caller.get(f"/conversations/{talk}/summary")["cause"] == "undo"
    assert caller.post(f"{compactions_of(talk)}/{run.id}/undo", status=409)["code"] == "not_the_last"
    check_invariants(alice, talk)


def test_a_repeated_undo_with_a_key_undoes_once(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    compact(alice, talk)
    run = compact(alice, talk)
    undo = f"{compactions_of(talk)}/{run.id}/undo"
    assert caller.post(undo, status=200, Idempotency_Key="u1") == caller.post(undo, status=200, Idempotency_Key="u1")
    assert caller.get(f"/conversations/{talk}/context")["metadata"]["compaction_count"] == 1


def test_a_compaction_that_waits_is_stopped(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    asked = request(alice, talk)
    stop = f"{compactions_of(talk)}/{asked['compaction']['id']}/stop"
    stopped = caller.post(stop, status=200)
    assert (stopped["state"], stopped["error_code"], stopped["retry_at"]) == ("stopped", "stopped", None)
    operation = caller.get(f"/operations/{asked['operation']['id']}")
    assert (operation["state"], operation["error"]["code"]) == ("failed", "stopped")
    assert caller.get(f"/conversations/{talk}/live")["compaction"]["state"] == "stopped"
    assert caller.post(stop, status=409)["code"] == "already_ended"
    run_due_jobs()
    assert caller.get(f"{compactions_of(talk)}/{stopped['id']}") == stopped
    assert caller.get(f"/conversations/{talk}/summary")["version"] == 0
    compact(alice, talk)
    assert caller.get(f"/conversations/{talk}/summary")["version"] == 1


def test_only_who_may_write_stops_a_compaction(alice: Actor, bob: Actor, charlie: Actor, talk: UUID) -> None:
    stop = f"{compactions_of(talk)}/{request(alice, talk)['compaction']['id']}/stop"
    for other in (bob, charlie):
        Caller(other).post(stop, status=404)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    Caller(bob).post(stop, status=403)
    Caller(alice).post(stop, status=200)


def test_what_has_ended_cannot_be_stopped(alice: Actor, talk: UUID) -> None:
    run = compact(alice, talk)
    stop = f"{compactions_of(talk)}/{run.id}/stop"
    assert Caller(alice).post(stop, status=409)["code"] == "already_ended"
    Caller(alice).post(f"{compactions_of(talk)}/{uuid4()}/stop", status=404)
    assert runs_of(alice, talk)[0].state == "succeeded"


def test_only_the_last_compaction_is_undone(alice: Actor, talk: UUID) -> None:
    first = compact(alice, talk)
    compact(alice, talk)
    problem = Caller(alice).post(f"{compactions_of(talk)}/{first.id}/undo", status=409)
    assert problem["code"] == "not_the_last"


def test_a_compaction_of_another_conversation_does_not_exist_here(alice: Actor, talk: UUID) -> None:
    run = compact(alice, talk)
    other = conversation(alice)
    caller = Caller(alice)
    for unknown in (run.id, uuid4()):
        caller.post(f"{compactions_of(other)}/{unknown}/stop", status=404)
        caller.get(f"{compactions_of(other)}/{unknown}", status=404)
        caller.post(f"{compactions_of(other)}/{unknown}/undo", status=404)


@pytest.mark.slow("it compacts a long conversation")
def test_after_an_undo_the_pack_reports_that_compaction_is_paused(alice: Actor) -> None:
    talk = long_talk(alice, messages=40, tokens=250)
    run = compact(alice, talk)
    Caller(alice).post(f"{compactions_of(talk)}/{run.id}/undo", status=200)
    reason = Caller(alice).get(f"/conversations/{talk}/context")["metadata"]["not_due_reason"]
    assert reason == {"code": "paused_until", "params": {"tokens": 16_000}}


def test_without_the_engine_nothing_is_compacted(alice: Actor, talk: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    assert request(alice, talk, status=409)["code"] == "engine_disabled"


def test_runs_come_newest_first_in_pages(alice: Actor, talk: UUID) -> None:
    made = [str(compact(alice, talk).id) for _ in range(3)]
    pages = Caller(alice).pages(compactions_of(talk), 2)
    assert [[run["id"] for run in page] for page in pages] == [made[:0:-1], made[:1]]


def test_other_people_can_neither_see_nor_start_compactions(
    alice: Actor, bob: Actor, charlie: Actor, talk: UUID
) -> None:
    run = compact(alice, talk)
    for other in (bob, charlie):
        caller = Caller(other)
        for path in (compactions_of(talk), f"{compactions_of(talk)}/{run.id}", f"/conversations/{talk}/summary"):
            caller.get(path, status=404)
        request(other, talk, status=404)
        caller.post(f"{compactions_of(talk)}/{run.id}/undo", status=404)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    reader = Caller(bob)
    assert reader.get(f"{compactions_of(talk)}/{run.id}")["state"] == "succeeded"
    reader.post(f"{compactions_of(talk)}/{run.id}/undo", status=403)
