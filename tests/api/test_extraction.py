"""Making memories from a conversation over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob
from apps.memory.models import MemNode
from tests.api.callers import Caller, at_once
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import memories_of, nothing_at_once, remember, texts_of

pytestmark = pytest.mark.django_db

FACTS = "I'm a vet. We use Vetera 4 for the records."
SECRET = "I live in Porto with my sister, the password there is tulpe44."


@pytest.fixture
def talk(alice: Actor) -> UUID:
    conversation_id = conversation(alice, title="Clinic")
    say(alice, conversation_id, FACTS, SECRET, role="user")
    nothing_at_once()
    return conversation_id


def candidates(caller: Caller, talk: UUID, query: str = "") -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = caller.get(f"/conversations/{talk}/extraction/candidates{query}")["data"]
    return listed


def test_memories_are_requested_and_the_operation_counts_them(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    answer = caller.client.post(f"/api/conversations/{talk}/extraction", {})
    operation = answer.json()
    assert (answer.status_code, answer["Location"]) == (202, f"/api/operations/{operation['id']}")
    run_due_jobs()
    done = caller.get(f"/operations/{operation['id']}")
    assert (done["state"], done["progress"]) == ("succeeded", 100)
    assert done["result"] == {
        "messages": 2,
        "read_in_part": 0,
        "created": 2,
        "proposed": 0,
        "replaced": 0,
        "outdated": 0,
        "merged": 0,
        "known": 0,
        "deleted": 0,
        "refused": 1,
        "refused_reasons": {"secret": 1},
        "reason": "",
        "model_unavailable": "not_configured",
    }


def test_candidates_are_listed_with_their_quotes_newest_first(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    caller.post(f"/conversations/{talk}/extraction", {}, 202)
    run_due_jobs()
    listed = candidates(caller, talk)
    assert {one["quote"] for one in listed} == {
        "I'm a vet.",
        "We use Vetera 4 for the records.",
        "I live in Porto with my sister",
    }
    assert all(one["quote"] in (FACTS, SECRET)[one["index"]][one["start"] : one["end"]] for one in listed)
    [refused] = candidates(caller, talk, "?outcome=refused")
    assert (refused["reason"], refused["memory_id"]) == ("secret", None)
    created = candidates(caller, talk, "?outcome=created&limit=1")
    assert caller.get(f"/memories/{created[0]['memory_id']}")["content"] == created[0]["quote"]


def test_a_memory_that_no_longer_holds_is_not_shown_as_accepted(alice: Actor, talk: UUID) -> None:
    remember(alice, talk)
    ended, held = memories_of(alice)
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=ended.id).update(valid_to="2026-01-01T00:00Z")
    listed = Caller(alice).get(f"/conversations/{talk}/memories")["data"]
    states = {one["memory_id"]: one["state"] for one in listed}
    assert states == {str(ended.id): "superseded", str(held.id): "accepted"}


def test_a_run_that_failed_is_shown_with_its_reason_and_the_next_try(alice: Actor, talk: UUID) -> None:
    def state() -> dict[str, Any]:
        return dict(Caller(alice).get(f"/conversations/{talk}/extraction"))

    assert (state()["failure"], state()["is_running"]) == (None, False)
    soon = timezone.now() + timedelta(hours=1)
    rows = DueJob.objects.filter(kind="extraction")
    rows.update(attempts=2, last_error="time_limit", due_at=soon)
    failure = state()["failure"]
    assert (failure["code"], failure["gave_up"]) == ("time_limit", False)
    for recorded, code in {"connection_lost": "connection_lost", "OperationalError": "internal_error"}.items():
        rows.update(last_error=recorded)
        assert state()["failure"]["code"] == code
    rows.update(lease_token=talk, lease_until=soon)
    assert (state()["due_at"], state()["is_running"]) == (None, True)
    rows.update(state="dead", last_error="worker_lost", lease_token=None, lease_until=None)
    shown = state()
    assert (shown["failure"]["code"], shown["failure"]["gave_up"]) == ("worker_lost", True)
    assert shown["due_at"] == shown["failure"]["retry_at"] > timezone.now().isoformat()
    Caller(alice).client.post(f"/api/conversations/{talk}/extraction", {})
    assert rows.get().due_at <= timezone.now()
    run_due_jobs()
    assert (state()["failure"], state()["unread_messages"]) == (None, 0)


def test_an_unknown_outcome_is_refused(alice: Actor, talk: UUID) -> None:
    Caller(alice).get(f"/conversations/{talk}/extraction/candidates?outcome=lost", status=400)


def test_others_have_no_part_in_it(bob: Actor, charlie: Actor, alice: Actor, talk: UUID) -> None:
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "write"})
    assert Caller(bob).post(f"/conversations/{talk}/extraction", {}, 403)["code"] == "owner_only"
    Caller(bob).get(f"/conversations/{talk}/extraction/candidates", status=404)
    Caller(charlie).post(f"/conversations/{talk}/extraction", {}, 404)
    Caller(charlie).get(f"/conversations/{talk}/extraction/candidates", 404)


@pytest.mark.django_db(transaction=True)
def test_many_requests_at_once_make_each_memory_once(alice: Actor, talk: UUID) -> None:
    answers = at_once(lambda: Caller(alice).post(f"/conversations/{talk}/extraction", {}, 202)["id"], times=6)
    run_due_jobs()
    assert len(set(answers)) == 1
    assert len(texts_of(alice)) == 2
