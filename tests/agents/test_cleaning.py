"""Cleaning of events: injected text, private parts and secrets are stored nowhere, whatever part they are in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import every_workspace
from apps.engine.messages.agent_text import MEMORY_TAG
from tests.agents.agents import Agent, claude, messages_of

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "AKIAIOSFODNN7EXAMPLE"
TABLES = [model._meta.db_table for model in apps.get_models() if model.__module__.startswith("apps.")]


def is_stored(words: str) -> list[str]:
    """The tables that have the words anywhere."""
    with every_workspace(), connection.cursor() as cursor:
        found = []
        for table in TABLES:
            cursor.execute(f"SELECT count(*) FROM {table} AS t WHERE to_jsonb(t)::text LIKE %s", [f"%{words}%"])  # noqa: S608  # a model's table
            found += [table] if cursor.fetchone()[0] else []
        return found


def everywhere(text: str) -> list[dict[str, Any]]:
    """Events with the text in each place that a client may put it."""
    given = {"command": text, "nested": [{"more": text}], "file_path": f"/home/{text}"}
    return [
        claude("SessionStart", source="startup", session_title=text),
        claude("UserPromptSubmit", prompt=text, prompt_id="p1"),
        claude("PostToolUse", tool_name="Bash", tool_input=given, tool_response={"stdout": text}, tool_use_id="t1"),
        claude("PostToolUse", tool_name="Bash", tool_input=given, tool_response=[{"text": text}], tool_use_id="t2"),
        claude("PostToolUse", tool_name=text, tool_input=given, tool_response=text, tool_use_id="t3", agent_id="a1"),
        claude("PostToolUseFailure", tool_name="Bash", tool_input=given, error=text, tool_use_id="t4"),
        claude("SubagentStop", agent_id="a1", agent_type=text, last_assistant_message=text),
        claude("Notification", notification_type=text, message=text),
        claude("PostCompact", trigger="auto", compact_summary=text),
        claude("PreCompact", trigger="manual", custom_instructions=text),
        claude("Stop", last_assistant_message=text, prompt_id="p1"),
    ]


def test_the_words_of_an_event_are_stored(alice: Actor) -> None:
    """The other tests would pass if nothing were stored at all."""
    agent = Agent(alice)
    for payload in everywhere("marmalade"):
        agent.send(payload)
    assert set(is_stored("marmalade")) >= {"conversations_message", "hooks_observation", "conversations_conversation"}


def test_no_secret_is_stored(alice: Actor) -> None:
    agent = Agent(alice)
    for payload in everywhere(f"export AWS_ACCESS_KEY_ID={KEY}"):
        agent.send(payload)
    assert is_stored(KEY) == []


def test_no_private_part_is_stored(alice: Actor) -> None:
    agent = Agent(alice)
    for payload in everywhere("Plan <private>quicksilver</private> it"):
        agent.send(payload)
    assert is_stored("quicksilver") == []


@pytest.mark.parametrize("tag", ["system-reminder", MEMORY_TAG, MEMORY_TAG.upper()])
def test_neither_reminders_nor_injected_memory_are_stored(alice: Actor, tag: str) -> None:
    agent = Agent(alice)
    for opening, closing in (("<", ">"), ("&lt;", "&gt;")):
        text = f"Fix it. {opening}{tag}{closing}quicksilver\n## Likes{opening}/{tag}{closing} Now."
        for payload in everywhere(text):
            agent.send(payload)
    assert is_stored("quicksilver") == []


@pytest.mark.parametrize(("opening", "closing"), [(45_000, 80_000), (10_000, 90_000), (50_000, 200_000)])
def test_a_private_part_whose_tag_is_in_the_middle_of_a_huge_text_is_not_stored(
    alice: Actor, opening: int, closing: int
) -> None:
    log = "A line of a log.\n" * 6_000
    words = f"{log[:opening]}<private>{log[opening:closing]} quicksilver</private>{log[closing:]}"
    unclosed = f"{log[:opening]}<private>{log[opening:]} quicksilver"
    for number, text in enumerate((words, unclosed)):
        for tool_input, response in (({"command": text}, "done"), ({}, {"stdout": text})):
            tool = {"tool_input": tool_input, "tool_response": response, "tool_use_id": f"t{number}{len(response)}"}
            Agent(alice).send(claude("PostToolUse", tool_name="Bash", **tool))
    assert is_stored("quicksilver") == []
    assert len(messages_of(alice)) == 8


@pytest.mark.parametrize(
    "lines", [["a", "<private>", "quicksilver", "</private>", "marmalade"], ["<private>", "quicksilver"]]
)
def test_a_private_part_over_several_lines_of_a_list_is_not_stored(alice: Actor, lines: list[str]) -> None:
    patch = {"structuredPatch": [{"lines": lines}], "filePath": "a.py"}
    for number, (given, result) in enumerate(((patch, "done"), ({}, patch), ({}, [{"text": one} for one in lines]))):
        tool = {"tool_input": given, "tool_response": result, "tool_use_id": f"t{number}"}
        Agent(alice).send(claude("PostToolUse", tool_name="Edit", **tool))
    assert is_stored("quicksilver") == []
    assert bool(is_stored("marmalade")) is ("marmalade" in lines)


def test_a_private_part_over_several_blocks_is_not_stored_and_leaves_the_others(alice: Actor) -> None:
    texts = ["Begin <private>quick", "quicksilver", "silver</private> marmalade"]
    blocks = [{"type": "text", "text": text} for text in texts]
    named = [{"content": text, "id": number} for number, text in enumerate(texts)]
    given = {"blocks": [blocks[0], {"type": "image", "source": {}}, *blocks[1:]], "named": named}
    for number, (value, result) in enumerate(((given, "done"), ({}, {"content": blocks}))):
        tool: dict[str, Any] = {"tool_input": value, "tool_response": result, "tool_use_id": f"t{number}"}
        Agent(alice).send(claude("PostToolUse", tool_name="Write", **tool))
    assert is_stored("quick") == []
    assert json.loads(messages_of(alice)[0].parts[0]["text"]) == {
        "blocks": [
            {"type": "text", "text": "Begin"},
            {"type": "image", "source": {}},
            {"type": "text", "text": ""},
            {"type": "text", "text": "marmalade"},
        ],
        "named": [{"content": "Begin", "id": 0}, {"content": "", "id": 1}, {"content": "marmalade", "id": 2}],
    }


def test_a_message_that_is_private_as_a_whole_is_not_stored(alice: Actor) -> None:
    Agent(alice).send(claude("UserPromptSubmit", prompt="<private>all of it", prompt_id="p1"))
    assert messages_of(alice) == []


def test_a_secret_in_the_middle_of_a_huge_result_is_not_stored(alice: Actor) -> None:
    for place in (10, 39_990, 40_000, 60_000, 100_000):
        log = f"{'line of a log ' * (place // 14)}{KEY}{' and so on' * 20_000}{KEY}"
        Agent(alice).send(
            claude("PostToolUse", tool_name="Bash", tool_input={}, tool_response=log, tool_use_id=f"t{place}")
        )
    assert is_stored(KEY) == []
    assert is_stored(KEY[:12]) == []


@pytest.mark.parametrize("text", ["a\\u0000b", "a\\ud800b", "\\udfff", "\\u0000"])
def test_text_that_no_database_stores_is_stored_without_it(alice: Actor, text: str) -> None:
    body = (
        '{"hook_event_name": "PostToolUse", "session_id": "s1", "tool_use_id": "t1", "tool_name": "Bash",'
        f' "tool_input": {{"command": "{text}", "{text}": 1}}, "tool_response": "{text} done"}}'
    )
    answer = Agent(alice).http.generic("POST", "/api/hooks/claude-code", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert "done" in messages_of(alice)[1].parts[0]["text"]
