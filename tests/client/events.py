"""Events of a session, and a spool that is not sent."""

from __future__ import annotations

import os
import time
from typing import Any

from tests.client.machine import Machine

PROMPT = {"session_id": "s-1", "hook_event_name": "UserPromptSubmit", "prompt": "Fix the failing test."}
START = {"session_id": "s-1", "hook_event_name": "SessionStart", "source": "startup"}


def tool(number: int) -> dict[str, Any]:
    names = {"session_id": "s-1", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": f"t-{number}"}
    return {**names, "tool_input": {"command": "ls"}, "tool_response": {"stdout": f"file {number}"}}


def spool_only(machine: Machine, *payloads: dict[str, Any]) -> None:
    """Spool events while senders pause."""
    pause(machine)
    for payload in payloads:
        machine.hook("event", payload)


def pause(machine: Machine) -> None:
    until = time.time() + 600
    (machine.home / "retry-at").write_text(".")
    os.utime(machine.home / "retry-at", (until, until))
