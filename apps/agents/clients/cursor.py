"""Events of Cursor: a conversation, and a generation for each prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from apps.agents.clients.event import AgentEvent, EventKind, ToolRun
from apps.agents.clients.payload import Payload, digest_key, key_of

# The stop of a loop brings no text; `afterAgentResponse` does.
_ACTIVITY = frozenset(
    {
        *("beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "preToolUse", "afterAgentThought", "stop"),
        *("beforeTabFileRead", "afterTabFileEdit", "workspaceOpen"),
    }
)
Fields = dict[str, Any]


def read(payload: Mapping[str, Any]) -> AgentEvent | None:
    """Return the event; None if its name is unknown. Raises `PayloadError`."""
    values = Payload(payload)
    name = values.event_name("hook_event_name")
    if name not in _ACTIVITY and name not in READERS:
        return None
    event = AgentEvent(
        EventKind.ACTIVITY,
        name,
        values.session_id("conversation_id", "session_id"),
        cwd=values.text("cwd") or _first_root(values),
        model=values.text("model"),
    )
    return replace(event, **READERS[name](values)) if name in READERS else event


def _first_root(values: Payload) -> str:
    roots = values.value("workspace_roots")
    return roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""


def _start(values: Payload) -> Fields:
    return {"kind": EventKind.START, "reason": values.text("source") or "startup"}


def _end(values: Payload) -> Fields:
    return {"kind": EventKind.END, "reason": values.text("reason") or "other"}


def _prompt(values: Payload) -> Fields:
    key = key_of("prompt", values.text("generation_id"))
    return {"kind": EventKind.PROMPT, "key": key, "text": values.text("prompt")}


def _reply(values: Payload) -> Fields:
    text = values.text("text")
    return {"kind": EventKind.REPLY if text else EventKind.ACTIVITY, "key": _key(values), "text": text}


def _compacting(values: Payload) -> Fields:
    return {"kind": EventKind.COMPACTING, "reason": values.text("trigger")}


def _subagent(values: Payload) -> Fields:
    done = "started" if values.text("hook_event_name") == "subagentStart" else "finished"
    return {
        "kind": EventKind.OBSERVED,
        "observed": "subagent",
        "title": f"Subagent {values.text('subagent_type', 'agent_type')} {done}",
        "key": _key(values),
        "text": values.text("summary", "result", "task"),
        "agent_id": values.text("subagent_id", "agent_id"),
    }


def _shell(values: Payload) -> Fields:
    return _tool(values, ToolRun("Shell", {"command": values.text("command")}, values.value("output")))


def _edit(values: Payload) -> Fields:
    given = {"file_path": values.text("file_path"), "edits": values.value("edits")}
    return _tool(values, ToolRun("Edit", given, ""))


def _mcp(values: Payload) -> Fields:
    given, result = _parsed(values.value("tool_input")), _parsed(values.value("result_json"))
    return _tool(values, ToolRun(values.text("tool_name"), given, result))


def _tool_use(values: Payload) -> Fields:
    result = _parsed(values.value("tool_output"))
    return _tool(values, ToolRun(values.text("tool_name"), values.value("tool_input"), result))


def _tool_failure(values: Payload) -> Fields:
    error = values.value("error_message", "error", "tool_output")
    return _tool(values, ToolRun(values.text("tool_name"), values.value("tool_input"), error, is_error=True))


def _tool(values: Payload, run: ToolRun) -> Fields:
    key = key_of("tool", values.text("tool_use_id")) or _key(values)
    return {"kind": EventKind.TOOL, "key": key, "tool": run}


def _key(values: Payload) -> str:
    """A key of the generation and the content; empty without a generation."""
    if not values.text("generation_id"):
        return ""
    return digest_key("in", *sorted((name, value) for name, value in values.values.items() if value is not None))


def _parsed(value: Any) -> Any:
    """JSON that arrives as a text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


READERS: Mapping[str, Callable[[Payload], Fields]] = {
    "sessionStart": _start,
    "sessionEnd": _end,
    "beforeSubmitPrompt": _prompt,
    "afterAgentResponse": _reply,
    "afterShellExecution": _shell,
    "afterMCPExecution": _mcp,
    "afterFileEdit": _edit,
    "postToolUse": _tool_use,
    "postToolUseFailure": _tool_failure,
    "subagentStart": _subagent,
    "subagentStop": _subagent,
    "preCompact": _compacting,
}
