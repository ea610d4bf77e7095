"""Search of an agent's session: what its tools showed is found, and quoted as theirs."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from apps.accounts.actors import Actor
from tests.agents.agents import Agent, claude, session_of
from tests.memory.recall import index

pytestmark = pytest.mark.django_db(transaction=True)


def use(agent: Agent, tool_id: str, name: str, given: dict[str, Any], result: Any) -> None:
    fields = {"tool_name": name, "tool_input": given, "tool_use_id": tool_id}
    agent.send(claude("PostToolUse", **fields, tool_response=result))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which error did pytest show?", "AssertionError: 11.99 != 12.00"),
        ("Which port does the config have?", "port: 5433"),
    ],
)
def test_what_a_tool_showed_is_found_in_the_session(alice: Actor, question: str, expected: str) -> None:
    agent = Agent(alice)
    agent.send(claude("UserPromptSubmit", prompt="The cart rounds prices wrongly.", prompt_id="p1"))
    log = "collecting a test\n" * 2_000 + "E  AssertionError: 11.99 != 12.00\n" + "done\n" * 2_000
    use(agent, "t1", "Bash", {"command": "pytest tests/cart"}, {"stdout": log, "stderr": ""})
    use(agent, "t2", "Read", {"file_path": "config/db.yaml"}, "host: db\nport: 5433\n")
    use(agent, "t3", "Bash", {"command": "git status"}, "<private>quicksilver</private> nothing to commit")
    agent.send(claude("Stop", last_assistant_message="It is fixed now.", prompt_id="p1"))
    conversation_id = session_of(alice).conversation_id
    index(alice, conversation_id)
    query = urlencode({"mode": "find", "q": question, "corpus": "messages"})
    answer = agent.http.get(f"/api/search?{query}")
    assert answer.status_code == 200, answer.content
    (best, *_) = answer.json()["hits"]
    assert best["role"] == "tool" and expected in best["snippet"]
    assert best["conversation_id"] == str(conversation_id)
    assert "quicksilver" not in str(answer.json())
