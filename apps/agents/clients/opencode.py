"""Events of OpenCode, sent by our plugin: the name of the plugin's hook or the event, its input and its output.

{"hook_event_name": "tool.execute.after", "directory": "/work/app", "timestamp": "2026-11-25T10:00:00Z",
 "input": {"sessionID": "ses_1", "tool": "bash", "callID": "call_1", "args": {…}}, "output": {"output": "…"}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from apps.agents.clients.event import AgentEvent, EventKind, PayloadError, ToolRun
from apps.agents.clients.payload import LONGEST_ID, Payload, key_of

_ACTIVITY = frozenset(
    {
        *("session.idle", "session.updated", "session.status", "tool.execute.before", "command.execute.before"),
        *("chat.params", "permission.ask", "experimental.chat.system.transform"),
        "experimental.compaction.autocontinue",
    }
)
Fields = dict[str, Any]


def read(payload: Mapping[str, Any]) -> AgentEvent | None:
    """Return the event; None if its name is unknown. Raises `PayloadError`."""
    values = Payload(payload)
    name = values.event_name("hook_event_name")
    if name not in _ACTIVITY and name not in READERS:
        return None
    given = values.inner("input")
    event = AgentEvent(
        EventKind.ACTIVITY,
        name,
        _session_id(given),
        cwd=values.text("directory", "worktree"),
        model=given.inner("model").text("modelID"),
        at=values.time("timestamp"),
    )
    return replace(event, **READERS[name](given, values.inner("output"))) if name in READERS else event


def _session_id(given: Payload) -> str:
    session_id = given.text("sessionID") or given.inner("info").text("id")
    if not session_id or len(session_id) > LONGEST_ID:
        raise PayloadError("/input/sessionID", f"The session's id must have 1 to {LONGEST_ID} characters.")
    return session_id


def _start(given: Payload, output: Payload) -> Fields:
    return {"kind": EventKind.START, "reason": "startup", "title": given.inner("info").text("title")}


def _end(given: Payload, output: Payload) -> Fields:
    return {"kind": EventKind.END, "reason": "deleted"}


def _prompt(given: Payload, output: Payload) -> Fields:
    key = key_of("prompt", given.text("messageID") or output.inner("message").text("id"))
    return {"kind": EventKind.PROMPT, "key": key, "text": _typed(output)}


def _reply(given: Payload, output: Payload) -> Fields:
    text = output.text("text")
    key = key_of("reply", given.text("messageID"), given.text("partID"))
    return {"kind": EventKind.REPLY if text else EventKind.ACTIVITY, "key": key, "text": text}


def _tool(given: Payload, output: Payload) -> Fields:
    run = ToolRun(given.text("tool"), given.value("args"), output.value("output"))
    return {"kind": EventKind.TOOL, "key": key_of("tool", given.text("callID")), "tool": run}


def _compacting(given: Payload, output: Payload) -> Fields:
    return {"kind": EventKind.COMPACTING}


def _compacted(given: Payload, output: Payload) -> Fields:
    return {"kind": EventKind.COMPACTED, "text": output.text("summary")}


def _failure(given: Payload, output: Payload) -> Fields:
    error = given.inner("error")
    return {
        "kind": EventKind.OBSERVED,
        "observed": "failure",
        "title": f"Stopped: {error.text('name') or 'error'}",
        "text": error.inner("data").text("message"),
        "is_error": True,
    }


def _typed(output: Payload) -> str:
    """The text parts that a person wrote; a program's are marked as synthetic."""
    parts = output.value("parts")
    read_parts = [Payload(part) for part in (parts if isinstance(parts, list) else ()) if isinstance(part, Mapping)]
    written = [
        part.text("text") for part in read_parts if part.text("type") == "text" and not part.is_true("synthetic")
    ]
    return "\n".join(text for text in written if text)


READERS: Mapping[str, Callable[[Payload, Payload], Fields]] = {
    "session.created": _start,
    "session.deleted": _end,
    "session.error": _failure,
    "session.compacted": _compacted,
    "chat.message": _prompt,
    "experimental.text.complete": _reply,
    "tool.execute.after": _tool,
    "experimental.session.compacting": _compacting,
}
