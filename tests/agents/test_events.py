"""Events of an agent: the session, the messages, the observations and the answers that they become."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.actors import Actor
from tests.agents.agents import Agent, claude, conversation_of, messages_of, observations_of, session_of, sessions_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def agent(alice: Actor) -> Agent:
    return Agent(alice)


def test_a_start_opens_a_session_whose_conversation_has_the_agents_id(agent: Agent, alice: Actor) -> None:
    assert agent.send(claude("SessionStart", source="startup", model="claude-opus-5")) == {}
    session = session_of(alice)
    assert (session.client, session.project, session.model) == ("claude-code", "shop", "claude-opus-5")
    assert conversation_of(alice, session.conversation_id).external_id == "s1"
    assert messages_of(alice) == []


def test_prompts_and_replies_are_messages_and_the_first_prompt_names_the_session(agent: Agent, alice: Actor) -> None:
    agent.send(claude("UserPromptSubmit", prompt="Fix the login page.", prompt_id="p1"))
    agent.send(claude("Stop", last_assistant_message="Done.", prompt_id="p1", stop_hook_active=False))
    assert [(one.role, one.content) for one in messages_of(alice)] == [
        ("user", "Fix the login page."),
        ("assistant", "Done."),
    ]
    session = session_of(alice)
    assert session.prompt_count == 1
    assert conversation_of(alice, session.conversation_id).title == "Fix the login page."


def test_a_tool_is_a_call_with_its_result_and_an_observation(agent: Agent, alice: Actor) -> None:
    given = {"file_path": "/home/alice/shop/app.py", "old_string": "a", "new_string": "b"}
    agent.send(claude("PostToolUse", tool_name="Edit", tool_input=given, tool_response={"ok": True}, tool_use_id="t1"))
    call, result = messages_of(alice)
    assert (call.role, call.parts[0]["kind"], call.parts[0]["call_id"]) == ("assistant", "tool_call", "t1")
    assert (result.role, result.parts[0]["kind"], result.parts[0]["call_id"]) == ("tool", "tool_result", "t1")
    (observation,) = observations_of(alice)
    assert observation.title == "Edit /home/alice/shop/app.py"
    assert (observation.files, observation.message_id) == (["/home/alice/shop/app.py"], result.id)
    assert session_of(alice).tool_count == 1


def test_a_large_result_is_stored_as_its_digest_with_a_summary(agent: Agent, alice: Actor) -> None:
    log = "step of the build\n" * 20_000 + "AssertionError: 3 != 4\n" + "done\n" * 5_000
    agent.send(
        claude(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": "make"},
            tool_response={"stdout": log},
            tool_use_id="t1",
        )
    )
    (part,) = messages_of(alice)[1].parts
    assert len(part["text"]) <= 6_000
    assert 0 < len(part["summary"]) <= 600


def test_an_event_that_comes_before_the_start_opens_the_session(agent: Agent, alice: Actor) -> None:
    agent.send(claude("PostToolUse", tool_name="Read", tool_input={}, tool_response="x", tool_use_id="t1"))
    agent.send(claude("SessionStart", source="startup"))
    assert len(sessions_of(alice)) == 1


def test_a_repeated_event_is_stored_once(agent: Agent, alice: Actor) -> None:
    events = [
        claude("UserPromptSubmit", prompt="Fix it.", prompt_id="p1"),
        claude("PostToolUse", tool_name="Read", tool_input={"file_path": "a"}, tool_response="x", tool_use_id="t1"),
        claude("Stop", last_assistant_message="Done.", prompt_id="p1"),
    ]
    for event in events * 2:
        agent.send(event)
    assert (len(messages_of(alice)), len(observations_of(alice)), session_of(alice).prompt_count) == (4, 1, 1)


@pytest.mark.parametrize(
    ("payload", "pointer"),
    [
        ({}, "/hook_event_name"),
        ({"hook_event_name": 3, "session_id": "s1"}, "/hook_event_name"),
        ({"hook_event_name": "Stop"}, "/session_id"),
        ({"hook_event_name": "Stop", "session_id": "x" * 201}, "/session_id"),
    ],
)
def test_a_payload_without_name_or_session_is_refused_with_a_pointer(
    agent: Agent, alice: Actor, payload: dict[str, Any], pointer: str
) -> None:
    problem = agent.send(payload, status=400)
    assert problem["errors"][0]["pointer"] == pointer
    assert sessions_of(alice) == []


def test_an_unknown_event_and_an_unknown_client(agent: Agent, alice: Actor) -> None:
    assert agent.send({"hook_event_name": "SomethingNew"}) == {}
    assert sessions_of(alice) == []
    agent.client = "emacs"
    assert agent.send(claude("Stop"), status=404)["code"] == "not_found"


def test_every_change_is_a_new_version_of_what_viewers_see(agent: Agent, alice: Actor) -> None:
    versions = []
    for payload in (
        claude("UserPromptSubmit", prompt="Fix it.", prompt_id="p1"),
        claude("PostToolUse", tool_name="Read", tool_input={}, tool_response="x", tool_use_id="t1"),
        claude("SubagentStop", agent_id="a1", agent_type="Explore", last_assistant_message="Seen."),
        claude("SessionEnd", reason="other"),
    ):
        agent.send(payload)
        versions.append(conversation_of(alice, session_of(alice).conversation_id).state_version)
    assert versions == sorted(set(versions))


def test_a_subagents_tools_are_observations_and_no_messages(agent: Agent, alice: Actor) -> None:
    agent.send(
        claude("PostToolUse", tool_name="Grep", tool_input={}, tool_response="x", tool_use_id="t1", agent_id="a1")
    )
    assert messages_of(alice) == []
    (observation,) = observations_of(alice)
    assert (observation.agent_id, observation.message_id) == ("a1", None)
