"""Sessions are their user's own: Bob sees none of Alice's, and Charlie none of the workspace."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from tests.agents.agents import Agent, claude, messages_of, sessions_of
from tests.extraction.runs import make_due
from tests.people import client_of, key_client_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session(alice: Actor) -> str:
    agent = Agent(alice)
    agent.send(claude("UserPromptSubmit", prompt="I live in Porto.", prompt_id="p1"))
    agent.send(claude("PostToolUse", tool_name="Bash", tool_input={}, tool_response="x", tool_use_id="t1"))
    return str(sessions_of(alice)[0].conversation_id)


def test_the_owner_sees_the_session_with_its_agent(alice: Actor, session: str) -> None:
    alices = client_of(alice)
    (listed,) = alices.get("/api/sessions").json()["data"]
    assert listed["agent"]["client"] == "claude-code"
    assert (listed["agent"]["prompt_count"], listed["agent"]["tool_count"]) == (1, 1)
    for name in (session, "s1"):
        detail = alices.get(f"/api/sessions/{name}").json()
        assert detail["agent"] == listed["agent"]
        (observation,) = alices.get(f"/api/sessions/{name}/observations").json()["data"]
        assert observation["tool_name"] == "Bash"
    assert detail["links"]["observations"] == f"/api/sessions/{session}/observations"


def test_a_plain_conversation_has_no_agent_and_no_observations(alice: Actor) -> None:
    alices = client_of(alice)
    plain = alices.post("/api/conversations", {"title": "Plans"}).json()["id"]
    assert alices.get(f"/api/sessions/{plain}").json()["agent"] is None
    assert alices.get(f"/api/sessions/{plain}/observations").json()["data"] == []


def test_the_list_can_be_of_agents_sessions_or_of_the_others(alice: Actor, session: str) -> None:
    alices = client_of(alice)
    plain = alices.post("/api/conversations", {"title": "Plans"}).json()["id"]

    def listed(query: str) -> set[str]:
        return {one["id"] for one in alices.get(f"/api/sessions{query}").json()["data"]}

    assert listed("?kind=agent") == {session}
    assert listed("?kind=chat") == {plain}
    assert listed("") == {session, plain}
    assert listed("?kind=agent&archived=true") == set()
    assert alices.get("/api/sessions?kind=other").status_code == 400


def test_neither_bob_nor_charlie_sees_it(bob: Actor, charlie: Actor, session: str) -> None:
    for stranger in (client_of(bob), key_client_of(bob), client_of(charlie), key_client_of(charlie)):
        assert stranger.get("/api/sessions").json()["data"] == []
        for name in (session, "s1"):
            for path in (f"/api/sessions/{name}", f"/api/sessions/{name}/observations", f"/api/context/{name}"):
                assert stranger.get(path).status_code == 404


def test_the_same_session_id_of_another_person_is_another_session(
    alice: Actor, bob: Actor, charlie: Actor, session: str
) -> None:
    for other in (bob, charlie):
        Agent(other).send(claude("UserPromptSubmit", prompt="Hello", prompt_id="p1"))
    assert len(sessions_of(alice)) == 2
    (own,) = sessions_of(charlie)
    assert own.user_id == charlie.user_id
    assert [one.content for one in messages_of(charlie)] == ["Hello"]
    (alices,) = client_of(alice).get("/api/sessions").json()["data"]
    assert alices["id"] == session


def test_a_start_gives_nobody_anothers_memories(alice: Actor, bob: Actor) -> None:
    Agent(alice).send(claude("UserPromptSubmit", prompt="Remember that I am allergic to nuts.", prompt_id="p1"))
    make_due()
    assert "nuts" in repr(Agent(alice).send(claude("SessionStart", session="s2", source="startup")))
    assert "nuts" not in repr(Agent(bob).send(claude("SessionStart", session="s2", source="startup")))


def test_two_clients_with_the_same_session_id_have_a_session_each(alice: Actor) -> None:
    Agent(alice).send(claude("UserPromptSubmit", prompt="One", prompt_id="p1"))
    Agent(alice, "codex").send(claude("UserPromptSubmit", prompt="Two", turn_id="p1"))
    conversations = {one.conversation_id for one in sessions_of(alice)}
    assert len(conversations) == 2


def test_a_key_that_only_reads_may_send_nothing(alice: Actor) -> None:
    reader = key_client_of(alice, "read")
    assert reader.post("/api/hooks/claude-code", claude("SessionStart")).status_code == 403
    assert reader.post("/api/hooks/claude-code/batch", {"events": [{}]}).status_code == 403
    assert sessions_of(alice) == []
