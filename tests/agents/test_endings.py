"""The end of a session: reported, inferred, and taken back by what happened later."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession
from apps.agents.services.endings import INACTIVE, INACTIVE_AFTER_S, KIND
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob
from apps.turns.services.delete import conversation_delete
from tests.agents.agents import Agent, claude, session_of
from tests.compaction.runs import run_due_jobs

pytestmark = pytest.mark.django_db(transaction=True)
PROMPT = claude("UserPromptSubmit", prompt="Fix it.", prompt_id="p1")


def wait(actor: Actor, seconds: float) -> None:
    """Let the last event be that long ago, and run what is due then."""
    with workspace(actor.workspace_id):
        AgentSession.objects.update(received_at=timezone.now() - timedelta(seconds=seconds))
    DueJob.objects.filter(kind=KIND).update(due_at=timezone.now())
    run_due_jobs()


def at(time: str) -> dict[str, str]:
    return {"X-Continuity-Recorded-At": f"2026-11-20T{time}+00:00"}


def test_a_reported_end_has_its_reason(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(PROMPT)
    agent.send(claude("SessionEnd", reason="logout"))
    session = session_of(alice)
    assert (session.end_reason, session.ended_at) == ("logout", session.last_event_at)


def test_an_inactive_session_ends_after_a_while(alice: Actor) -> None:
    Agent(alice).send(PROMPT)
    job = DueJob.objects.get(kind=KIND)
    left = (job.due_at - timezone.now()).total_seconds()
    assert INACTIVE_AFTER_S - 60 < left <= INACTIVE_AFTER_S
    wait(alice, INACTIVE_AFTER_S + 1)
    session = session_of(alice)
    assert (session.end_reason, session.ended_at) == (INACTIVE, session.last_event_at)


def test_an_active_session_does_not_end(alice: Actor) -> None:
    Agent(alice).send(PROMPT)
    wait(alice, INACTIVE_AFTER_S - 100)
    assert session_of(alice).ended_at is None
    assert DueJob.objects.get(kind=KIND).due_at > timezone.now()


def test_a_later_event_reopens_an_ended_session(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(PROMPT)
    wait(alice, INACTIVE_AFTER_S + 1)
    agent.send(claude("UserPromptSubmit", prompt="Go on.", prompt_id="p2"))
    session = session_of(alice)
    assert (session.ended_at, session.end_reason) == (None, "")
    wait(alice, INACTIVE_AFTER_S + 1)
    assert session_of(alice).end_reason == INACTIVE


def test_an_event_from_before_the_end_does_not_reopen_it(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(claude("SessionEnd", reason="clear"), **at("10:05:00"))
    agent.send(PROMPT, **at("10:00:00"))
    session = session_of(alice)
    assert session.end_reason == "clear"
    assert session.started_at.isoformat() == "2026-11-20T10:00:00+00:00"


def test_an_end_from_before_a_resumption_does_not_end_it(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(claude("SessionStart", source="resume"), **at("10:10:00"))
    agent.send(claude("SessionEnd", reason="other"), **at("10:05:00"))
    assert session_of(alice).ended_at is None


def test_the_end_makes_extraction_and_archives_due(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(PROMPT)
    agent.send(claude("PostToolUse", tool_name="Bash", tool_input={}, tool_response="x", tool_use_id="t1"))
    soon = timezone.now() + timedelta(seconds=30)
    kinds = ("extraction", "session_archive", "agent_observations")
    assert DueJob.objects.filter(kind__in=kinds, due_at__lt=soon).count() == 0
    agent.send(claude("SessionEnd", reason="other"))
    assert set(DueJob.objects.filter(due_at__lt=soon).values_list("kind", flat=True)) >= set(kinds)


def test_a_deleted_session_leaves_no_job_and_comes_back_with_no_event(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(PROMPT)
    conversation_id = session_of(alice).conversation_id
    answer = agent.http.delete(f"/api/conversations/{conversation_id}")
    assert answer.status_code == 204, answer.content
    assert not DueJob.objects.filter(key=str(conversation_id)).exists()
    event = {"id": "01890a5d-ac96-774b-bcce-b302099a8057", "payload": PROMPT}
    assert agent.batch(event)[0]["status"] == "ignored"
    assert agent.send(PROMPT) == {}
    with workspace(alice.workspace_id):
        assert not AgentSession.objects.exists()


def test_a_session_that_goes_on_is_unarchived(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(PROMPT)
    address = f"/api/conversations/{session_of(alice).conversation_id}"
    tag = agent.http.get(address)["ETag"]
    assert agent.http.patch(address, {"archived": True}, headers={"If-Match": tag}).status_code == 200
    agent.send(claude("UserPromptSubmit", prompt="Go on.", prompt_id="p2"))
    assert agent.http.get(address).json()["archived_at"] is None


def test_an_event_that_waits_for_a_deletion_is_ignored(alice: Actor) -> None:
    agent = Agent(alice)
    agent.send(PROMPT)
    session = session_of(alice)
    is_locked, may_commit = Event(), Event()

    def delete() -> None:
        try:
            with workspace(alice.workspace_id):
                conversation_delete(alice, conversation_id=session.conversation_id)
                is_locked.set()
                may_commit.wait(10)
        finally:
            connection.close()

    def send() -> str:
        try:
            event = {"id": "01890a5d-ac96-774b-bcce-b302099a8058", "payload": {**PROMPT, "prompt_id": "p2"}}
            status: str = Agent(alice).batch(event)[0]["status"]
            return status
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        deletion = pool.submit(delete)
        is_locked.wait(10)
        sending = pool.submit(send)
        time.sleep(0.5)
        may_commit.set()
        deletion.result()
        assert sending.result() == "ignored"
    with workspace(alice.workspace_id):
        assert not AgentSession.objects.exists()
