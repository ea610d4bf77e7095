"""The hooks of each client in the form of its settings: seconds or milliseconds, nested or flat."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

Groups = Mapping[str, Any]
"""The entry of each of the client's events."""

SECONDS, MILLISECONDS = 1, 1_000
START_TIMEOUT, TIMEOUT = 10, 5


class Hook(NamedTuple):
    """A hook: the client's event, ours, and of which tools.

    None runs in the background: `claude -p` and the Agent SDK end such hooks before they have stored anything, and the
    command returns at once by itself.
    """

    name: str
    event: str
    matcher: str = ""


CLAUDE_CODE = (
    Hook("SessionStart", "start"),
    Hook("InstructionsLoaded", "event"),
    Hook("UserPromptSubmit", "submit"),
    Hook("PostToolUse", "tool", "*"),
    Hook("PostToolUseFailure", "tool", "*"),
    Hook("SubagentStop", "subagent"),
    Hook("PreCompact", "precompact"),
    Hook("PostCompact", "postcompact"),
    Hook("Stop", "stop"),
    Hook("SessionEnd", "end"),
)
CODEX = (
    Hook("SessionStart", "start"),
    Hook("UserPromptSubmit", "submit"),
    Hook("PostToolUse", "tool"),
    Hook("SubagentStop", "subagent"),
    Hook("PreCompact", "precompact"),
    Hook("PostCompact", "postcompact"),
    Hook("Stop", "stop"),
)
GEMINI_CLI = (
    Hook("SessionStart", "start"),
    Hook("BeforeAgent", "submit"),
    Hook("AfterTool", "tool"),
    Hook("AfterAgent", "stop"),
    Hook("PreCompress", "precompact"),
    Hook("SessionEnd", "end"),
)
CURSOR = (
    Hook("sessionStart", "start"),
    Hook("beforeSubmitPrompt", "submit"),
    Hook("postToolUse", "tool"),
    Hook("postToolUseFailure", "tool"),
    Hook("afterAgentResponse", "event"),
    Hook("subagentStop", "subagent"),
    Hook("preCompact", "precompact"),
    Hook("stop", "stop"),
    Hook("sessionEnd", "end"),
)
VSCODE = (
    Hook("SessionStart", "start"),
    Hook("UserPromptSubmit", "submit"),
    Hook("PostToolUse", "tool"),
    Hook("SubagentStop", "subagent"),
    Hook("PreCompact", "precompact"),
    Hook("Stop", "stop"),
)


class Dialect(NamedTuple):
    """A client's hooks, the settings file per scope, and the unit of its timeouts."""

    hooks: tuple[Hook, ...]
    user_file: str
    project_file: str
    unit: int = SECONDS
    home_variable: str = ""
    note: str = ""


DIALECTS = {
    "claude-code": Dialect(
        CLAUDE_CODE, ".claude/settings.json", ".claude/settings.local.json", home_variable="CLAUDE_CONFIG_DIR"
    ),
    "codex": Dialect(
        CODEX,
        ".codex/hooks.json",
        ".codex/hooks.json",
        home_variable="CODEX_HOME",
        note="Codex runs new hooks only after you trusted them: open /hooks in Codex.",
    ),
    "gemini-cli": Dialect(GEMINI_CLI, ".gemini/settings.json", ".gemini/settings.json", unit=MILLISECONDS),
    "cursor": Dialect(CURSOR, ".cursor/hooks.json", ".cursor/hooks.json", note="Restart Cursor to load the hooks."),
    "vscode": Dialect(
        VSCODE,
        ".copilot/hooks/continuity.json",
        ".github/hooks/continuity.json",
        note="VS Code also runs the hooks in ~/.claude/settings.json; install them in one of the two places.",
    ),
}


def settings_file(client: str, scope: str) -> str:
    """The path of a client's settings."""
    dialect = DIALECTS[client]
    if scope == "project":
        return os.path.join(os.getcwd(), dialect.project_file)
    folder = os.environ.get(dialect.home_variable) if dialect.home_variable else None
    if folder:
        return os.path.join(folder, os.path.basename(dialect.user_file))
    return os.path.join(os.path.expanduser("~"), dialect.user_file)


def groups(client: str, command: str) -> dict[str, Any]:
    """The entry for each event, in the client's form.

    >>> groups("gemini-cli", "continuity")["BeforeAgent"]["hooks"][0]["timeout"]
    5000
    >>> groups("cursor", "continuity")["stop"]
    {'command': 'continuity hook stop --client cursor'}
    """
    return {hook.name: _group(client, command, hook) for hook in DIALECTS[client].hooks}


def _group(client: str, command: str, hook: Hook) -> dict[str, Any]:
    line = f"{command} hook {hook.event}" + ("" if client == "claude-code" else f" --client {client}")
    if client == "cursor":
        # Without a timeout: its unit is documented differently, and the command has a deadline of its own.
        return {"command": line}
    timeout = (START_TIMEOUT if hook.event == "start" else TIMEOUT) * DIALECTS[client].unit
    handler: dict[str, Any] = {"type": "command", "command": line, "timeout": timeout}
    if client == "vscode":
        return handler
    if client == "gemini-cli":
        handler = {"name": "continuity", **handler}
    return {**({"matcher": hook.matcher} if hook.matcher else {}), "hooks": [handler]}
