"""Packs of hypothetical messages over HTTP: as if they were sent, but without any trace."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.api.rows import everything_stored
from tests.compaction.runs import compact, run_due_jobs
from tests.conversations.long_conversations import long_talk, say
from tests.memory.facts import day, learn, learned

pytestmark = pytest.mark.django_db
QUESTION = "When was Atlas released?"


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    talk = long_talk(shared_alice, messages=30, tokens=120)
    compact(shared_alice, talk)
    node = {"uri": "mem://user/events/atlas-release", "content": "Atlas 1.0 was released on 4 May."}
    Caller(shared_alice).post("/memories", node)
    run_due_jobs()
    return talk


def preview(actor: Actor, talk: UUID, status: int = 200, **body: Any) -> Any:
    return Caller(actor).post(f"/conversations/{talk}/context", {"message": QUESTION, **body}, status)


def parts(pack: dict[str, Any]) -> dict[str, Any]:
    names = ("system_prompt", "pinned_memory", "rolling_summary", "recent_messages", "retrieved")
    return {name: pack[name] for name in names}


def test_a_preview_is_the_pack_that_the_message_then_gets(alice: Actor, talk: UUID) -> None:
    shown = preview(alice, talk)
    say(alice, talk, QUESTION, role="user")
    pack = Caller(alice).get(f"/conversations/{talk}/context")
    assert "4 May" in shown["retrieved"][0]["text"]
    assert parts(shown) == parts(pack)
    current = {name: value for name, value in pack["current_message"].items() if name != "id"}
    assert shown["current_message"] == current
    assert shown["metadata"]["tokens"] == pack["metadata"]["tokens"]


def test_a_preview_within_a_running_epoch_appends_to_its_stable_prefix(alice: Actor, talk: UUID) -> None:
    before = Caller(alice).get(f"/conversations/{talk}/context?format=plain")
    shown = preview(alice, talk, format="plain")
    assert shown["recent_messages"] == before["recent_messages"]
    assert shown["metadata"]["stability"] is shown["metadata"]["epoch"] is None
    assert shown["rendered"].endswith(QUESTION)


def test_a_preview_stores_nothing(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    caller.get(f"/conversations/{talk}/context?format=openai")
    before = everything_stored()
    body = {"message": QUESTION, "format": "openai"}
    shown = caller.post(f"/conversations/{talk}/context", body, 200)
    assert shown["rendered"]["messages"][-1]["content"].endswith(QUESTION)
    assert everything_stored() == before


def test_a_preview_without_the_engine_ends_with_the_message(alice: Actor, talk: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    shown = preview(alice, talk)
    assert shown["current_message"]["content"] == QUESTION and shown["metadata"]["engine"] == "disabled"


def test_a_preview_needs_a_message_and_a_budget_that_suffices(alice: Actor, talk: UUID) -> None:
    assert preview(alice, talk, 422, token_budget=1)["code"] == "budget_exceeded"
    assert preview(alice, talk, 400, message="")["errors"][0]["pointer"] == "/message"


def test_strangers_get_no_preview(charlie: Actor, alice: Actor, talk: UUID) -> None:
    assert preview(charlie, talk, 404)["code"] == "not_found"


def test_a_pack_can_retrieve_what_held_at_a_time(alice: Actor, talk: UUID) -> None:
    learn(alice, learned("Bonn", 1), learned("Ghent", 30))
    home = {"message": "Where do I live?"}
    now, then = preview(alice, talk, **home), preview(alice, talk, **home, as_of=day(2).isoformat())
    places = [[place for place in ("Ghent", "Bonn") if f"> I live in {place}" in str(pack)] for pack in (now, then)]
    assert places == [["Ghent"], ["Bonn"]]
