"""An event of a coding agent in one form for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """Kinds of events by what is stored: only that the session is active for `ACTIVITY`, a row for `OBSERVED`."""

    START = "start"
    PROMPT = "prompt"
    TOOL = "tool"
    REPLY = "reply"
    COMPACTING = "compacting"
    COMPACTED = "compacted"
    OBSERVED = "observed"
    INSTRUCTIONS = "instructions"
    ACTIVITY = "activity"
    END = "end"


AFTER_COMPACTION = "compact"
"""The `reason` of a start that follows a compaction in the same session."""


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A tool's input and result as the agent reports them; any JSON."""

    name: str
    input: Any
    result: Any
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """An event. Texts are as they arrived, with what the agent put into them and secrets.

    `key` is made of the agent's own ids and identifies the event in its session; empty if the agent gives none. `text`
    is the prompt, reply, summary or notification, or that of a file of instructions, whose path is the `title`;
    `reason` why the session started, ended or was compacted, or the file was read. `observed`
    is the kind of an observation, `title` its line. `agent_id` names the subagent that the event happened in.
    """

    kind: EventKind
    name: str
    session_id: str
    key: str = ""
    cwd: str = ""
    model: str = ""
    at: datetime | None = None
    text: str = ""
    reason: str = ""
    tool: ToolRun | None = None
    observed: str = ""
    title: str = ""
    is_error: bool = False
    agent_id: str = ""


class PayloadError(ValueError):
    """A payload that is no event of its client; `pointer` is the JSON pointer of the value that is wrong."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(detail)
        self.pointer = pointer
        self.detail = detail
