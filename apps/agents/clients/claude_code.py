"""Events of Claude Code, whose contract several other agents share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from apps.agents.clients.event import AgentEvent, EventKind, ToolRun
from apps.agents.clients.payload import Payload, digest_key, key_of
from apps.engine.messages.tool_digest import result_text

# The others are prompts that a program made.
_TYPED_BY_A_PERSON = frozenset({"", "user", "sdk"})
# Those of which only the time counts.
_ACTIVITY = frozenset(
    {
        *("PreToolUse", "PostToolBatch", "UserPromptExpansion", "MessageDisplay", "Elicitation", "ElicitationResult"),
        *("FileChanged", "TeammateIdle", "PreModelSwitch", "Setup", "PermissionRequest"),
    }
)
_SETTING_NAMES = ("new_cwd", "to_model", "file_path", "worktree_path", "path", "directory", "name", "source")

Reader = Callable[[Payload, AgentEvent], AgentEvent]


def read(payload: Mapping[str, Any]) -> AgentEvent | None:
    """Return the event; None if its name is unknown. Raises `PayloadError`."""
    values = Payload(payload)
    name = values.event_name("hook_event_name")
    return read_named(values, name, values.session_id) if is_known(name) else None


def is_known(name: str) -> bool:
    return name in READERS or name in _ACTIVITY


def read_named(values: Payload, name: str, session_id: Callable[[str], str]) -> AgentEvent:
    """Read an event of a known name."""
    event = AgentEvent(
        EventKind.ACTIVITY,
        name,
        session_id("session_id"),
        cwd=values.text("cwd"),
        model=values.text("model"),
        agent_id=values.text("agent_id"),
    )
    return READERS[name](values, event) if name in READERS else event


def _start(values: Payload, event: AgentEvent) -> AgentEvent:
    return replace(event, kind=EventKind.START, reason=values.text("source"), title=values.text("session_title"))


def _prompt(values: Payload, event: AgentEvent) -> AgentEvent:
    if values.text("source") not in _TYPED_BY_A_PERSON:
        return event
    key = key_of("prompt", values.text("prompt_id", "turn_id"))
    return replace(event, kind=EventKind.PROMPT, key=key, text=values.text("prompt"))


def _tool(values: Payload, event: AgentEvent) -> AgentEvent:
    run = ToolRun(values.text("tool_name"), values.value("tool_input"), values.value("tool_response"))
    return replace(event, kind=EventKind.TOOL, key=key_of("tool", values.text("tool_use_id")), tool=run)


def _tool_failure(values: Payload, event: AgentEvent) -> AgentEvent:
    run = ToolRun(values.text("tool_name"), values.value("tool_input"), values.value("error"), is_error=True)
    return replace(event, kind=EventKind.TOOL, key=key_of("tool", values.text("tool_use_id")), tool=run)


def _reply(values: Payload, event: AgentEvent) -> AgentEvent:
    text = values.text("last_assistant_message")
    if not text:
        return event
    # A turn that a hook continues stops more than once.
    turn = values.text("prompt_id", "turn_id")
    return replace(event, kind=EventKind.REPLY, key=digest_key("reply", turn, text) if turn else "", text=text)


def _failure(values: Payload, event: AgentEvent) -> AgentEvent:
    error = values.text("error") or "error"
    key = key_of("failure", values.text("prompt_id", "turn_id"))
    details = values.text("error_details", "last_assistant_message")
    return _observed(event, "failure", f"Stopped: {error}", key, text=details, is_error=True)


def _subagent_start(values: Payload, event: AgentEvent) -> AgentEvent:
    title = f"Subagent {values.text('agent_type')} started"
    return _observed(event, "subagent", title, key_of("subagent-start", event.agent_id))


def _subagent_stop(values: Payload, event: AgentEvent) -> AgentEvent:
    text = values.text("last_assistant_message")
    key = digest_key("subagent-stop", event.agent_id, text) if event.agent_id else ""
    return _observed(event, "subagent", f"Subagent {values.text('agent_type')} finished", key, text=text)


def _compacting(values: Payload, event: AgentEvent) -> AgentEvent:
    return replace(
        event, kind=EventKind.COMPACTING, reason=values.text("trigger"), text=values.text("custom_instructions")
    )


def _compacted(values: Payload, event: AgentEvent) -> AgentEvent:
    text = values.text("compact_summary")
    key = digest_key("compacted", text) if text else key_of("compacted", values.text("prompt_id", "turn_id"))
    return replace(event, kind=EventKind.COMPACTED, key=key, reason=values.text("trigger"), text=text)


def _notification(values: Payload, event: AgentEvent) -> AgentEvent:
    kind = values.text("notification_type") or "notification"
    return _observed(event, "notification", f"Notification: {kind}", text=values.text("message"))


def _denied(values: Payload, event: AgentEvent) -> AgentEvent:
    key = key_of("denied", values.text("tool_use_id"))
    return _observed(event, "permission", f"Denied: {values.text('tool_name')}", key, text=values.text("reason"))


def _task(values: Payload, event: AgentEvent) -> AgentEvent:
    done = "completed" if event.name == "TaskCompleted" else "created"
    title = values.text("task_subject", "subject", "title", "task_description", "description")
    key = key_of(f"task-{done}", values.text("task_id"))
    return _observed(event, "task", f"Task {done}: {title}", key, text=values.text("task_description", "description"))


def _setting(values: Payload, event: AgentEvent) -> AgentEvent:
    return _observed(event, "setting", f"{event.name} {values.text(*_SETTING_NAMES)}")


def _instructions(values: Payload, event: AgentEvent) -> AgentEvent:
    """A file that the agent has read; our own client adds its text."""
    path, reason, text = values.text("file_path"), values.text("load_reason"), values.text("file_text")
    key = digest_key("instructions", path, reason, text)
    return replace(event, kind=EventKind.INSTRUCTIONS, key=key, title=path, reason=reason, text=text)


def _end(values: Payload, event: AgentEvent) -> AgentEvent:
    return replace(event, kind=EventKind.END, reason=values.text("reason") or "other")


def _observed(
    event: AgentEvent, kind: str, title: str, key: str = "", *, text: str = "", is_error: bool = False
) -> AgentEvent:
    return replace(
        event, kind=EventKind.OBSERVED, observed=kind, title=title, key=key, text=result_text(text), is_error=is_error
    )


READERS: Mapping[str, Reader] = {
    "SessionStart": _start,
    "UserPromptSubmit": _prompt,
    "PostToolUse": _tool,
    "PostToolUseFailure": _tool_failure,
    "Stop": _reply,
    "StopFailure": _failure,
    "SubagentStart": _subagent_start,
    "SubagentStop": _subagent_stop,
    "PreCompact": _compacting,
    "PostCompact": _compacted,
    "Notification": _notification,
    "PermissionDenied": _denied,
    "TaskCreated": _task,
    "TaskCompleted": _task,
    "InstructionsLoaded": _instructions,
    "SessionEnd": _end,
    **dict.fromkeys(
        (
            *("ConfigChange", "WorktreeCreate", "WorktreeRemove", "CwdChanged"),
            *("DirectoryAdded", "PostModelSwitch"),
        ),
        _setting,
    ),
}
