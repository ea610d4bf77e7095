"""Events of Codex: those of Claude Code with the id of the turn, and `Interrupt`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.agents.clients.claude_code import read_named
from apps.agents.clients.event import AgentEvent, EventKind
from apps.agents.clients.payload import Payload, key_of

_NAMES = frozenset(
    {
        *("SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PreCompact"),
        *("PostCompact", "SubagentStart", "SubagentStop", "Stop", "StopFailure", "Interrupt"),
    }
)


def read(payload: Mapping[str, Any]) -> AgentEvent | None:
    """Return the event; None if its name is unknown. Raises `PayloadError`."""
    values = Payload(payload)
    name = values.event_name("hook_event_name")
    if name not in _NAMES:
        return None
    event = read_named(values, name, values.session_id)
    if name == "Interrupt":
        key = key_of("interrupt", values.text("turn_id"))
        return replace(event, kind=EventKind.OBSERVED, observed="failure", title="Interrupted", key=key)
    return event
