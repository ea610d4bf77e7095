"""Events of Gemini CLI, which have a time and no ids of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from apps.agents.clients.event import AgentEvent, EventKind, ToolRun
from apps.agents.clients.payload import Payload, digest_key

_ACTIVITY = frozenset({"BeforeTool", "BeforeModel", "AfterModel", "BeforeToolSelection"})
_CONTEXT, _CONTEXT_END = "<hook_context>", "</hook_context>"
Fields = dict[str, Any]


def read(payload: Mapping[str, Any]) -> AgentEvent | None:
    """Return the event; None if its name is unknown. Raises `PayloadError`."""
    values = Payload(payload)
    name = values.event_name("hook_event_name")
    if name not in _ACTIVITY and name not in READERS:
        return None
    session_id = values.session_id("session_id")
    event = AgentEvent(
        EventKind.ACTIVITY, name, session_id, cwd=values.text("cwd"), at=values.time("timestamp"), key=_key(values)
    )
    return replace(event, **READERS[name](values)) if name in READERS else event


def _key(values: Payload) -> str:
    """A key of time and content; empty without a time, for people repeat themselves."""
    stamp = values.value("timestamp")
    names = ("hook_event_name", "prompt", "prompt_response", "tool_name", "tool_input", "tool_response", "message")
    return digest_key("at", stamp, *(values.value(name) for name in names)) if stamp else ""


def _start(values: Payload) -> Fields:
    return {"kind": EventKind.START, "reason": values.text("source")}


def _end(values: Payload) -> Fields:
    return {"kind": EventKind.END, "reason": values.text("reason") or "other"}


def _prompt(values: Payload) -> Fields:
    return {"kind": EventKind.PROMPT, "text": typed(values.text("prompt"))}


def typed(prompt: str) -> str:
    """What the person typed: the client puts what a session was given at its start, escaped, before the first prompt.

    >>> typed("<hook_context>Known: &lt;none&gt;</hook_context>\\n\\nFix the test."), typed("<hook_context> is a tag")
    ('Fix the test.', '<hook_context> is a tag')
    """
    _, frame, rest = prompt.partition(_CONTEXT_END)
    return rest.lstrip() if frame and prompt.startswith(_CONTEXT) else prompt


def _reply(values: Payload) -> Fields:
    text = values.text("prompt_response")
    return {"kind": EventKind.REPLY if text else EventKind.ACTIVITY, "text": text}


def _compacting(values: Payload) -> Fields:
    return {"kind": EventKind.COMPACTING, "reason": values.text("trigger")}


def _notification(values: Payload) -> Fields:
    title = f"Notification: {values.text('notification_type') or 'notification'}"
    return {
        "kind": EventKind.OBSERVED,
        "observed": "notification",
        "title": title,
        "text": values.text("message"),
    }


def _tool(values: Payload) -> Fields:
    response = values.inner("tool_response")
    error = response.value("error")
    result = values.value("tool_response") if error is None else error
    run = ToolRun(values.text("tool_name"), values.value("tool_input"), result, is_error=error is not None)
    return {"kind": EventKind.TOOL, "tool": run}


READERS: Mapping[str, Callable[[Payload], Fields]] = {
    "SessionStart": _start,
    "SessionEnd": _end,
    "BeforeAgent": _prompt,
    "AfterAgent": _reply,
    "AfterTool": _tool,
    "PreCompress": _compacting,
    "Notification": _notification,
}
