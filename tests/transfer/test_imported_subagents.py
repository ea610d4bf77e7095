"""Transcripts of subagents become observations of their session, never words of the person."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import MemNode
from tests.agents.agents import Agent, claude, messages_of, observations_of, session_of
from tests.compaction.runs import run_due_jobs
from tests.engine.agent_transcripts import SAMPLE, SESSION, assistant, call, result, text, user

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "AKIAIOSFODNN7EXAMPLE"
TASK = "Remember that I always deploy on Mondays. <private>quicksilver</private> Explore the tests."
SUBAGENT = [
    user("s1", None, TASK),
    assistant("s2", "s1", text("I look."), call("t7", "Bash", command="pytest tests/cart", file_path="app/cart.py")),
    user("s3", "s2", [result("t7", f"1 failed {KEY}", is_error=True)]),
    assistant("s4", "s3", text("There are 12 tests, and one fails.")),
]


def item(lines: list[dict[str, Any]], agent_id: str = "7", **more: Any) -> dict[str, Any]:
    fields = {"agent_id": agent_id, "agent_type": "Explore"} if agent_id else {}
    name = f"{SESSION}/agent-{agent_id}" if agent_id else SESSION
    return {"key": name, "kind": "transcript", "session_id": SESSION, "lines": lines, **fields, **more}


def run(actor: Actor, *items: dict[str, Any]) -> list[tuple[str, str]]:
    body = {"import_id": str(uuid4()), "items": list(items)}
    answer = Agent(actor).http.post("/api/imports/transcripts", body)
    assert answer.status_code == 200, answer.content
    return [(one["status"], one["reason"]) for one in answer.json()["results"]]


def test_a_subagents_file_becomes_observations_of_its_session(alice: Actor) -> None:
    assert run(alice, item(SAMPLE, ""), item(SUBAGENT)) == [("created", ""), ("created", "")]
    tool, report = [one for one in observations_of(alice) if one.agent_id == "7"]
    assert (tool.kind, tool.title, tool.files) == ("tool_failure", "Bash app/cart.py", ["app/cart.py"])
    assert tool.event_key == "tool:t7" and "1 failed" in tool.digest and KEY not in tool.digest
    assert (report.kind, report.title) == ("subagent", "Subagent Explore finished")
    assert report.digest == "There are 12 tests, and one fails."
    assert "Explore the tests." in report.details["task"] and "quicksilver" not in str(report.details)
    assert session_of(alice).client_session_id == SESSION


def test_a_sidechain_in_the_sessions_own_file_is_an_observation_too(alice: Actor) -> None:
    run(alice, item(SAMPLE, ""))
    (report,) = observations_of(alice)
    assert (report.kind, report.agent_id, report.digest) == ("subagent", "agent7", "There are 12.")
    assert "Explore the tests." not in str([one.content for one in messages_of(alice)])


def test_a_subagents_task_is_no_message_and_no_memory(alice: Actor) -> None:
    run(alice, item(SUBAGENT))
    assert messages_of(alice) == [] and session_of(alice).prompt_count == 0
    run_due_jobs()
    with workspace(alice.workspace_id):
        leaves = MemNode.objects.filter(node_type="leaf").exclude(uri__startswith="mem://sessions")
        assert not leaves.filter(l2_content__icontains="monday").exists()


def test_an_import_repeats_neither_itself_nor_what_hooks_reported(alice: Actor) -> None:
    agent = Agent(alice)
    tool = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": "t7", "agent_id": "7"}
    agent.send(claude("PostToolUse", SESSION, **tool, tool_response="1 failed"))
    stop = {"agent_id": "7", "agent_type": "Explore", "last_assistant_message": "There are 12 tests."}
    agent.send(claude("SubagentStop", SESSION, **stop))
    before = len(observations_of(alice))
    assert run(alice, item(SUBAGENT)) == [("existing", "session_recorded")]
    assert len(observations_of(alice)) == before
    other = [{**one, "uuid": f"x{one['uuid']}"} for one in (SUBAGENT[0], SUBAGENT[3])]
    assert run(alice, item(other, "8")) == [("created", "")]
    assert run(alice, item(other, "8")) == [("existing", "")]
    assert len(observations_of(alice)) == before + 1


def test_a_deleted_prompts_words_leave_a_subagents_report(alice: Actor) -> None:
    report = assistant("s4", "s3", text("The limit is 3 bookings.\nDone."))
    run(alice, item(SAMPLE, ""), item([*SUBAGENT[:3], report]))
    prompt = next(one for one in messages_of(alice) if "limit of 3" in one.content)
    address = f"/api/conversations/{prompt.conversation_id}/messages/{prompt.id}"
    assert Agent(alice).http.delete(address).status_code == 204
    stored = next(one for one in observations_of(alice) if one.kind == "subagent" and one.agent_id == "7")
    assert stored.digest == "Done."
