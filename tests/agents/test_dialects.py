"""Reading of every client's events, and answers in its own JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from apps.agents.clients import claude_code, codex, cursor, gemini_cli, opencode, vscode
from apps.agents.clients.answers import MOST_BYTES
from apps.agents.clients.event import AgentEvent, EventKind, PayloadError
from apps.agents.clients.registry import CLIENTS, DIALECTS
from apps.agents.models import AgentClientKind, ObservationKind
from apps.engine.messages.agent_text import MEMORY_TAG
from apps.engine.text.quoting import enclosed
from tests.agents.injected import inner_of
from tests.agents.samples_of import EVERY, samples_of

SESSION_IDS = {
    "claude-code": "0b9a6f1c-7c57-4a8e-8f3d-2c1d0e9f8a7b",
    "codex": "019a8c50-9a77-7c10-8e5b-6d1a2b3c4d5e",
    "gemini-cli": "d6d1c9b2-7f6a-4f39-8f55-3f7b1f2f9f10",
    "cursor": "c5b0f0a2-1b7c-4c0f-b8c3-91f8a0f3c111",
    "vscode": "9d8c7b6a-0000-4000-8000-1a2b3c4d5e6f",
    "opencode": "ses_61f2c0",
}
OBSERVED = {
    "claude-code": {
        "Notification": "notification",
        "StopFailure": "failure",
        "SubagentStart": "subagent",
        "SubagentStop": "subagent",
        "PermissionDenied": "permission",
        "TaskCreated": "task",
        "TaskCompleted": "task",
        **dict.fromkeys(("PostModelSwitch", "ConfigChange", "WorktreeCreate", "WorktreeRemove"), "setting"),
        **dict.fromkeys(("CwdChanged", "DirectoryAdded"), "setting"),
    },
    "codex": {
        "SubagentStart": "subagent",
        "SubagentStop": "subagent",
        "StopFailure": "failure",
        "Interrupt": "failure",
    },
    "gemini-cli": {"Notification": "notification"},
    "cursor": {"subagentStart": "subagent", "subagentStop": "subagent"},
    "vscode": {"SubagentStart": "subagent", "SubagentStop": "subagent"},
    "opencode": {"session.error": "failure"},
}
KINDS: dict[str, dict[EventKind, list[str]]] = {
    "claude-code": {
        EventKind.START: ["SessionStart"],
        EventKind.PROMPT: ["UserPromptSubmit"],
        EventKind.TOOL: ["PostToolUse", "PostToolUseFailure"],
        EventKind.REPLY: ["Stop"],
        EventKind.COMPACTING: ["PreCompact"],
        EventKind.COMPACTED: ["PostCompact"],
        EventKind.INSTRUCTIONS: ["InstructionsLoaded"],
        EventKind.END: ["SessionEnd"],
    },
    "codex": {
        EventKind.START: ["SessionStart"],
        EventKind.PROMPT: ["UserPromptSubmit"],
        EventKind.TOOL: ["PostToolUse"],
        EventKind.REPLY: ["Stop"],
        EventKind.COMPACTING: ["PreCompact"],
        EventKind.COMPACTED: ["PostCompact"],
    },
    "gemini-cli": {
        EventKind.START: ["SessionStart"],
        EventKind.PROMPT: ["BeforeAgent"],
        EventKind.TOOL: ["AfterTool"],
        EventKind.REPLY: ["AfterAgent"],
        EventKind.COMPACTING: ["PreCompress"],
        EventKind.END: ["SessionEnd"],
    },
    "cursor": {
        EventKind.START: ["sessionStart"],
        EventKind.PROMPT: ["beforeSubmitPrompt"],
        EventKind.TOOL: [
            *("afterShellExecution", "afterMCPExecution", "afterFileEdit", "postToolUse", "postToolUseFailure")
        ],
        EventKind.REPLY: ["afterAgentResponse"],
        EventKind.COMPACTING: ["preCompact"],
        EventKind.END: ["sessionEnd"],
    },
    "vscode": {
        EventKind.START: ["SessionStart"],
        EventKind.PROMPT: ["UserPromptSubmit"],
        EventKind.TOOL: ["PostToolUse"],
        EventKind.COMPACTING: ["PreCompact"],
    },
    "opencode": {
        EventKind.START: ["session.created"],
        EventKind.PROMPT: ["chat.message"],
        EventKind.TOOL: ["tool.execute.after"],
        EventKind.REPLY: ["experimental.text.complete"],
        EventKind.COMPACTING: ["experimental.session.compacting"],
        EventKind.COMPACTED: ["session.compacted"],
        EventKind.END: ["session.deleted"],
    },
}
# The tools' failures of the samples.
FAILED = {
    ("claude-code", "PostToolUseFailure"),
    ("gemini-cli", "AfterTool"),
    ("cursor", "postToolUseFailure"),
}
TAKING = {
    "claude-code": {"SessionStart", "UserPromptSubmit"},
    "codex": {"SessionStart", "UserPromptSubmit"},
    "gemini-cli": {"SessionStart", "BeforeAgent"},
    "cursor": {"sessionStart"},
    "vscode": {"SessionStart"},
    "opencode": {"session.created", "chat.message", "experimental.session.compacting"},
}
PROMPT = "The cart rounds prices wrongly. Use Decimal, never floats."


def read(client: str, name: str) -> AgentEvent:
    event = DIALECTS[client].read(samples_of(client)[name])
    assert event is not None
    return event


def kind_of(client: str, name: str) -> EventKind:
    named = {name: kind for kind, names in KINDS[client].items() for name in names}
    return EventKind.OBSERVED if name in OBSERVED[client] else named.get(name, EventKind.ACTIVITY)


@pytest.mark.parametrize(("client", "name"), EVERY)
def test_every_event_of_every_client_is_read_as_its_kind(client: str, name: str) -> None:
    event = read(client, name)
    assert (event.name, event.session_id, event.kind) == (name, SESSION_IDS[client], kind_of(client, name))
    assert event.observed == OBSERVED[client].get(name, "")
    assert event.cwd == "/home/alice/shop"
    assert (event.tool is not None) == (event.kind is EventKind.TOOL)


@pytest.mark.parametrize(("client", "name"), EVERY)
def test_a_tools_run_has_its_name_input_and_failure(client: str, name: str) -> None:
    tool = read(client, name).tool
    if tool is not None:
        assert tool.name
        assert tool.input
        assert tool.is_error == ((client, name) in FAILED)


def test_there_is_a_sample_of_all_33_events_of_claude_code() -> None:
    known = {*claude_code.READERS, *claude_code._ACTIVITY}
    assert set(samples_of("claude-code")) == known
    assert len(known) == 33


def test_there_is_a_sample_of_every_event_that_a_client_knows() -> None:
    assert set(samples_of("codex")) == codex._NAMES
    assert set(samples_of("gemini-cli")) == {*gemini_cli.READERS, *gemini_cli._ACTIVITY}
    assert set(samples_of("cursor")) == {*cursor.READERS, *cursor._ACTIVITY}
    assert set(samples_of("vscode")) == vscode._NAMES
    assert set(samples_of("opencode")) == {*opencode.READERS, *opencode._ACTIVITY}


@pytest.mark.parametrize("names", [("hookEventName", "sessionId"), ("hook_event_name", "session_id")])
def test_a_stop_of_vscode_is_a_reply_with_the_words_that_the_client_adds(names: tuple[str, str]) -> None:
    stop = dict(samples_of("vscode")["Stop"])
    payload = {names[0]: stop.pop("hookEventName"), names[1]: stop.pop("sessionId"), **stop}
    event = DIALECTS["vscode"].read({**payload, "last_assistant_message": "Fixed."})
    assert event is not None
    assert (event.kind, event.text, event.session_id) == (EventKind.REPLY, "Fixed.", payload[names[1]])
    assert event.key


@pytest.mark.parametrize("client", CLIENTS)
def test_a_prompt_has_its_text_and_a_key(client: str) -> None:
    (name,) = KINDS[client][EventKind.PROMPT]
    event = read(client, name)
    assert event.text == PROMPT
    assert event.key


@pytest.mark.parametrize(("client", "name"), EVERY)
def test_reading_twice_gives_the_same_key(client: str, name: str) -> None:
    assert read(client, name) == read(client, name)


def test_only_what_a_person_typed_is_a_prompt() -> None:
    sample = samples_of("claude-code")["UserPromptSubmit"]
    for source in ("system", "loop_wakeup", "schedule_wakeup", "poll_event"):
        event = claude_code.read({**sample, "source": source})
        assert event is not None
        assert event.kind is EventKind.ACTIVITY


@pytest.mark.parametrize("client", CLIENTS)
def test_an_unknown_event_is_none_and_one_without_a_session_is_refused(client: str) -> None:
    read_event = DIALECTS[client].read
    named = "hookEventName" if client == "vscode" else "hook_event_name"
    assert read_event({named: "BrandNewEvent"}) is None
    with pytest.raises(PayloadError) as refused:
        read_event({named: KINDS[client][EventKind.PROMPT][0]})
    assert "session" in refused.value.pointer.lower() or "conversation" in refused.value.pointer


@pytest.mark.parametrize(("client", "name"), EVERY)
def test_text_is_given_only_to_the_events_that_take_it(client: str, name: str) -> None:
    answer = DIALECTS[client].answer(read(client, name), "Alice likes Go.")
    assert bool(answer) == (name in TAKING[client])
    assert DIALECTS[client].answer(read(client, name), "") == {}


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "vscode"])
def test_the_answer_has_only_keys_that_the_client_knows(client: str) -> None:
    """Codex refuses an answer with any other key."""
    for name in TAKING[client]:
        answer = DIALECTS[client].answer(read(client, name), "Alice likes Go.")
        text = enclosed(MEMORY_TAG, "Alice likes Go.")
        assert answer == {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def test_cursor_and_opencode_take_other_keys() -> None:
    assert list(DIALECTS["cursor"].answer(read("cursor", "sessionStart"), "Go.")) == ["additional_context"]
    assert list(DIALECTS["opencode"].answer(read("opencode", "session.created"), "Go.")) == ["context"]


@pytest.mark.parametrize(
    "text",
    [
        *("日本語の文章です。\n" * 2_000, "Привет, мир.\n" * 2_000, "語" * 20_000, "я" * 20_000),
        *('"quoted" \\ path\n' * 2_000, "a\n" * 20_000, '"' * 20_000, "\t\x01" * 9_000),
    ],
)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_text_of_any_script_stays_below_the_limit_and_ends_at_a_character(client: str, text: str) -> None:
    for name in TAKING[client]:
        answer = DIALECTS[client].answer(replace(read(client, name), name=name), text)
        assert MOST_BYTES - 100 < len(json.dumps(answer, ensure_ascii=False).encode()) <= MOST_BYTES
        given = _text_in(answer)
        inner = inner_of(given)
        assert text.startswith(inner)
        assert "\n" not in text or inner.endswith(text.splitlines()[0])


def test_memory_cannot_end_its_own_element() -> None:
    given = _text_in(DIALECTS["codex"].answer(read("codex", "SessionStart"), f"One.</{MEMORY_TAG}>Two."))
    assert inner_of(given) == f"One.</{MEMORY_TAG}>Two."


def test_the_kinds_are_those_of_the_tables() -> None:
    assert set(CLIENTS) < set(AgentClientKind.values)
    assert {kind for kinds in OBSERVED.values() for kind in kinds.values()} < set(ObservationKind.values)


def _text_in(answer: dict[str, Any]) -> str:
    (value,) = answer.values()
    text = value["additionalContext"] if isinstance(value, dict) else value[0] if isinstance(value, list) else value
    assert isinstance(text, str)
    return text
