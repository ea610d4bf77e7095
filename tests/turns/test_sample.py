"""The sample conversation that a new workspace begins with."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.selectors.users import actor_anywhere
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.jobs.models import DueJob
from apps.memory.models import MemNode, UserMemory
from apps.turns.services.demo.content import EXTERNAL_ID
from apps.turns.services.demo.sample import KIND, sample_request
from tests.api.callers import Caller
from tests.compaction.runs import check_invariants, run_due_jobs
from tests.jobs.requests import make_due
from tests.people import JsonClient

pytestmark = pytest.mark.django_db(transaction=True)
DORA = {"email": "dora@example.org", "password": "a long enough one", "name": "Dora"}


@pytest.fixture(autouse=True)
def with_samples(settings: Settings) -> None:
    settings.SAMPLE_FOR_NEW_WORKSPACES = True


def signed_up() -> Actor:
    return actor_anywhere(JsonClient().post("/api/sign-up", DORA).json()["user"]["id"])


def sample_of(actor: Actor) -> Any:
    rows = Caller(actor).get("/conversations")["data"]
    return next((row for row in rows if row["external_id"] == EXTERNAL_ID), None)


def test_whoever_signs_up_finds_a_finished_conversation_and_no_memories_of_others() -> None:
    dora = signed_up()
    run_due_jobs()
    sample = sample_of(dora)
    assert 60 <= sample["message_count"] <= 90
    assert len(Caller(dora).get(f"/conversations/{sample['id']}/pins")["data"]) == 3
    summary = Caller(dora).get(f"/conversations/{sample['id']}/summary")
    assert (summary["version"], summary["cause"]) == (2, "compaction")
    assert all(summary["rolling_summary"].values())
    with workspace(dora.workspace_id):
        assert not UserMemory.objects.exists()
        assert not MemNode.objects.filter(node_type="leaf").exists()


def test_no_memories_are_made_from_the_sample_later() -> None:
    dora = signed_up()
    run_due_jobs()
    make_due()
    run_due_jobs()
    with workspace(dora.workspace_id):
        assert not MemNode.objects.filter(node_type="leaf").exists()
        assert not Conversation.objects.get(external_id=EXTERNAL_ID).remembers


def test_its_summary_shows_which_message_replaced_a_decision() -> None:
    dora = signed_up()
    run_due_jobs()
    path = f"/conversations/{sample_of(dora)['id']}"
    removed = Caller(dora).get(f"{path}/summary")["removed"]
    message = Caller(dora).get(f"{path}/messages?from_index=21&limit=1")["data"][0]
    assert {(line["field"], line["reason"], *line["by"]) for line in removed} == {
        ("decisions", "superseded", message["id"]),
        ("requirements", "superseded", message["id"]),
    }
    assert "15 minutes instead of 10" in message["content"]


def test_no_compaction_of_the_sample_follows() -> None:
    dora = signed_up()
    run_due_jobs()
    make_due()
    run_due_jobs()
    check_invariants(dora, UUID(sample_of(dora)["id"]))
    assert Caller(dora).get(f"/conversations/{sample_of(dora)['id']}/summary")["version"] == 2


def test_a_second_workspace_has_a_sample_too(alice: Actor) -> None:
    made = Caller(alice).post("/workspaces", {"name": "Garden"})
    run_due_jobs()
    rows = Caller(alice).client.get("/api/conversations", headers={"X-Continuity-Workspace": made["id"]}).json()
    assert [row["external_id"] for row in rows["data"]] == [EXTERNAL_ID]
    assert sample_of(alice) is None


def test_a_deleted_sample_does_not_come_back() -> None:
    dora = signed_up()
    run_due_jobs()
    Caller(dora).delete(f"/conversations/{sample_of(dora)['id']}")
    sample_request(workspace_id=dora.workspace_id, user_id=dora.user_id)
    run_due_jobs()
    assert sample_of(dora) is None
    assert not DueJob.objects.filter(kind=KIND).exists()
