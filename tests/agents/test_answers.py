"""Texts that an agent is given: when its session starts, after it compacted itself, and for a prompt."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.agents.clients.answers import MOST_BYTES
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.engine.language.text_sizes import json_size
from apps.memory.services.pins import PinDraft, pin_create
from tests.agents.agents import Agent, claude, messages_of, session_of
from tests.agents.injected import inner_of
from tests.api.callers import Caller
from tests.extraction.runs import make_due
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def agent(alice: Actor) -> Agent:
    return Agent(alice)


def text_of(answer: dict[str, Any]) -> str:
    text = answer["hookSpecificOutput"]["additionalContext"]
    assert isinstance(text, str)
    assert len(json.dumps(answer, ensure_ascii=False).encode()) <= MOST_BYTES
    assert inner_of(text)
    return text


def start(agent: Agent, source: str = "startup", session: str = "s1") -> dict[str, Any]:
    answer: dict[str, Any] = agent.send(claude("SessionStart", session=session, source=source))
    return answer


def fact(actor: Actor, key: str, content: str) -> None:
    body = {"type": "fact", "key": key, "content": content}
    assert client_of(actor).post("/api/user-memory", body).status_code == 201


def test_a_start_tells_what_is_known(agent: Agent, alice: Actor) -> None:
    assert start(agent) == {}
    fact(alice, "editor", "Alice writes Go in Vim.")
    answer = start(agent, session="s2")
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert "> Alice writes Go in Vim." in text_of(answer)


def test_what_a_prompt_asks_to_remember_is_known_in_the_same_session_after_a_pause(agent: Agent) -> None:
    agent.send(claude("UserPromptSubmit", prompt="Remember that I am allergic to nuts.", prompt_id="p1"))
    make_due()
    assert "allergic to nuts" in text_of(start(agent, source="resume"))


@pytest.mark.parametrize(
    "line", ["日本語で書かれた長い事実です。", "Очень длинный факт о проекте.", '"C:\\shop" is a path.\n']
)
def test_a_long_text_of_any_script_stays_below_the_limit(agent: Agent, alice: Actor, line: str) -> None:
    for number in range(12):
        fact(alice, f"fact {number}", f"{number} {line * 30}")
    text = text_of(start(agent))
    assert json_size(text) > MOST_BYTES // 2
    assert json_size(text_of(start(agent, source="compact"))) > MOST_BYTES // 2
    assert not inner_of(text).encode().endswith(b"\xef\xbf\xbd")


def test_after_a_compaction_it_tells_pins_corrections_decisions_and_what_tools_showed(
    agent: Agent, alice: Actor
) -> None:
    agent.send(claude("UserPromptSubmit", prompt="We decided to use Decimal because floats drift.", prompt_id="p1"))
    agent.send(claude("UserPromptSubmit", prompt="Actually, no: round half up.", prompt_id="p2"))
    tools = (
        ("Bash", {"command": "make test"}, "FAILED tests/test_cart.py::test_total"),
        ("Read", {"file_path": "app/cart.py"}, "the text of a file"),
    )
    for place, (name, given, result) in enumerate(tools):
        agent.send(
            claude("PostToolUse", tool_name=name, tool_input=given, tool_response=result, tool_use_id=f"t{place}")
        )
    with workspace(alice.workspace_id):
        draft = PinDraft(content="Never change the public API.")
        pin_create(alice, conversation_id=session_of(alice).conversation_id, draft=draft)
    fact(alice, "editor", "Alice writes Go in Vim.")
    text = text_of(start(agent, source="compact"))
    for part in ("## Pinned\n> Never change the public API.", "## Corrections\n> Actually, no: round half up."):
        assert part in text
    assert "use Decimal" in text.partition("## Decisions")[2]
    assert "FAILED tests/test_cart.py" in text
    assert "the text of a file" not in text
    assert "> Alice writes Go in Vim." in text
    assert "Never change the public API." not in text_of(start(agent, source="startup"))


def test_after_a_compaction_nothing_of_a_shared_session_is_the_persons_own(agent: Agent, alice: Actor) -> None:
    for number, prompt in enumerate(("We decided to use Decimal.", "Actually, no: round half up.")):
        agent.send(claude("UserPromptSubmit", prompt=prompt, prompt_id=f"p{number}"))
    own = text_of(start(agent, source="compact"))
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=session_of(alice).conversation_id).update(others_could_write=True)
    shared = text_of(start(agent, source="compact"))
    assert "## Corrections" in own and "## Decisions" in own
    assert "## Corrections" not in shared and "## Decisions" not in shared
    reported = shared.partition("## Reported by those who write in a shared conversation")[2]
    assert "round half up" in reported and "use Decimal" in reported


def test_a_recall_answers_a_prompt_with_what_it_needs(agent: Agent, alice: Actor) -> None:
    fact(alice, "deploy", "The shop is deployed with make release on host porto-2.")
    prompt = claude("UserPromptSubmit", prompt="How do I deploy the shop to porto-2?", prompt_id="p1")
    assert agent.send(prompt) == {}
    answer = agent.send(prompt, recall=True)
    assert answer["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert "make release" in text_of(answer)
    assert len(messages_of(alice)) == 1


def test_a_session_that_others_read_is_given_nothing_private_unless_its_owner_allows_it(
    agent: Agent, alice: Actor, bob: Actor
) -> None:
    fact(alice, "deploy", "The shop is deployed with make release on host porto-2.")
    prompt = claude("UserPromptSubmit", prompt="How do I deploy the shop to porto-2?", prompt_id="p1")
    agent.send(prompt)
    path = f"/conversations/{session_of(alice).conversation_id}"
    Caller(alice).post(f"{path}/shares", {"email": "bob@example.org", "access": "read"})
    answers = (agent.send(prompt, recall=True), start(agent, source="resume"), start(agent, source="compact"))
    assert "make release" not in str(answers)
    Caller(alice).patch(path, {"private_memory_when_shared": True}, If_Match=Caller(alice).tag(path))
    assert "make release" in text_of(agent.send(prompt, recall=True))
    assert "make release" in text_of(start(agent, source="resume"))


@pytest.mark.parametrize("prompt", ["Thanks!", "", "<private>Where do I live?</private>"])
def test_a_prompt_that_asks_for_nothing_recalls_nothing(agent: Agent, alice: Actor, prompt: str) -> None:
    fact(alice, "home", "Alice lives in Porto.")
    assert agent.send(claude("UserPromptSubmit", prompt=prompt, prompt_id="p1"), recall=True) == {}


@pytest.mark.parametrize("name", ["Stop", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd", "PostToolUse"])
def test_no_other_event_is_answered(agent: Agent, alice: Actor, name: str) -> None:
    fact(alice, "home", "Alice lives in Porto.")
    payload = claude(name, last_assistant_message="Porto?", compact_summary="Porto", tool_use_id="t1")
    assert agent.send(payload, recall=True) == {}


def test_opencode_compacts_with_what_was_decided(alice: Actor) -> None:
    agent = Agent(alice, "opencode")
    given = {"sessionID": "s1", "messageID": "m1"}
    output = {"parts": [{"type": "text", "text": "We decided to use Decimal because floats drift."}]}
    agent.send({"hook_event_name": "chat.message", "input": given, "output": output})
    answer = agent.send({"hook_event_name": "experimental.session.compacting", "input": given, "output": {}})
    assert "use Decimal" in answer["context"][0]


def test_with_the_engine_off_nothing_is_told(agent: Agent, alice: Actor) -> None:
    fact(alice, "home", "Alice lives in Porto.")
    answer = client_of(alice).patch("/api/policy", {"overrides": {"engine_enabled": False}}, headers={"If-Match": "*"})
    assert answer.status_code == 200, answer.content
    assert start(agent) == start(agent, source="compact") == {}
