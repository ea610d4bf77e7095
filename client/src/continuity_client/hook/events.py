"""The events of hooks: their names on the command line, and in the dialect of each client."""

from __future__ import annotations

from typing import Any

CLIENTS = ("claude-code", "codex", "gemini-cli", "cursor", "vscode", "opencode")
START, SUBMIT, TOOL, STOP, END = "start", "submit", "tool", "stop", "end"
OTHERS = ("precompact", "postcompact", "subagent", "notification")
GENERIC = "event"
INSTRUCTIONS = "InstructionsLoaded"
"""The name of Claude Code's event for a file of instructions that it has read."""
EVENTS = (START, SUBMIT, TOOL, STOP, END, *OTHERS, GENERIC)

# The name that is added to an event without one; each client's own events have names.
_CLAUDE = {
    START: "SessionStart",
    SUBMIT: "UserPromptSubmit",
    TOOL: "PostToolUse",
    STOP: "Stop",
    END: "SessionEnd",
    "precompact": "PreCompact",
    "postcompact": "PostCompact",
    "subagent": "SubagentStop",
    "notification": "Notification",
}
_GEMINI = {SUBMIT: "BeforeAgent", TOOL: "AfterTool", STOP: "AfterAgent", "precompact": "PreCompress"}
_CURSOR = {
    START: "sessionStart",
    SUBMIT: "beforeSubmitPrompt",
    TOOL: "postToolUse",
    STOP: "stop",
    END: "sessionEnd",
    "precompact": "preCompact",
    "subagent": "subagentStop",
}
_OPENCODE = {
    START: "session.created",
    SUBMIT: "chat.message",
    TOOL: "tool.execute.after",
    STOP: "session.idle",
    END: "session.deleted",
    "precompact": "experimental.session.compacting",
    "postcompact": "session.compacted",
}
_NAMES = {"gemini-cli": {**_CLAUDE, **_GEMINI}, "cursor": {**_CLAUDE, **_CURSOR}, "opencode": _OPENCODE}
_BY_NAME = {
    "sessionstart": START,
    "userpromptsubmit": SUBMIT,
    "beforeagent": SUBMIT,
    "beforesubmitprompt": SUBMIT,
    "stop": STOP,
    "sessionend": END,
    "session.created": START,
    "chat.message": SUBMIT,
    "session.deleted": END,
    # OpenCode adds the answer to the prompt of its compaction.
    "experimental.session.compacting": START,
}


def event_name(client: str, event: str) -> str:
    """The name of an event in a client's dialect; empty for the generic event.

    >>> event_name("gemini-cli", "submit"), event_name("codex", "submit")
    ('BeforeAgent', 'UserPromptSubmit')
    """
    return _NAMES.get(client, _CLAUDE).get(event, "")


def name_in(payload: dict[str, Any]) -> str:
    """The name that an event has; VS Code writes the key in camel case."""
    name = payload.get("hook_event_name") or payload.get("hookEventName")
    return name if isinstance(name, str) else ""


def event_of(payload: dict[str, Any]) -> str:
    """The event on the command line that a named event is; the generic one if it needs nothing special."""
    return _BY_NAME.get(name_in(payload).lower(), GENERIC)


def client_of(payload: dict[str, Any], named: str) -> str:
    """The client that sent an event: VS Code also runs the hooks of Claude Code, and its newer versions use the same
    names.

    >>> client_of({"hookEventName": "Stop", "sessionId": "1"}, "claude-code")
    'vscode'
    >>> client_of({"session_id": "1", "transcript_path": "/c/GitHub.copilot-chat/transcripts/1.jsonl"}, "claude-code")
    'vscode'
    """
    is_old = "hookEventName" in payload and "session_id" not in payload
    is_vscode = is_old or "GitHub.copilot-chat" in str(payload.get("transcript_path", ""))
    return "vscode" if named == "claude-code" and is_vscode else named
