"""Events of VS Code: eight of Claude Code's, with some names in camel case and a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.agents.clients.claude_code import read_named
from apps.agents.clients.event import AgentEvent, EventKind
from apps.agents.clients.payload import Payload, digest_key

_NAMES = frozenset(
    {
        *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
        *("SubagentStart", "SubagentStop", "Stop"),
    }
)
_KEYED_BY_TIME = frozenset({EventKind.PROMPT, EventKind.REPLY, EventKind.OBSERVED})


def read(payload: Mapping[str, Any]) -> AgentEvent | None:
    """Return the event; None if its name is unknown. Raises `PayloadError`."""
    values = Payload(payload)
    name = values.event_name("hookEventName", "hook_event_name")
    if name not in _NAMES:
        return None
    event = read_named(values, name, lambda _: values.session_id("sessionId", "session_id"))
    event = replace(event, at=values.time("timestamp"))
    if event.kind is EventKind.START and event.reason == "new":
        return replace(event, reason="startup")
    if event.key or event.kind not in _KEYED_BY_TIME or event.at is None:
        return event
    return replace(event, key=digest_key("at", event.at.isoformat(), event.name, event.text, event.agent_id))
