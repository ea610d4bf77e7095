"""Scripted sessions of each client: start, five prompts, thirty runs of tools, a compaction, stop and end."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from tests.agents.samples_of import samples_of

NAMESPACE = UUID("0b9a6f1c-7c57-4a8e-8f3d-2c1d0e9f8a7b")
PROMPTS = (
    "The cart rounds prices wrongly. We decided to use Decimal for prices because floats are not exact.",
    "Remember that I always want the tests to run with make test before a commit.",
    "Actually, no: round the taxes half up, not half even.",
    "The limit of a cart is 250 items, and order SHOP-417 must pass.",
    "I live in Porto, so the default currency is EUR.",
)
REPLIES = tuple(f"Step {number} is done: app/cart.py was changed." for number in range(1, 6))
SUMMARY = "The user wants exact prices in the cart. The work is in app/cart.py."
TOOLS_PER_PROMPT = 6


@dataclass(frozen=True)
class Script:
    """The events of a session in order; `prompts`, `tools` and `replies` are what is stored of them."""

    client: str
    events: list[dict[str, Any]]
    replies: int
    ends: bool
    summarizes: bool

    def batch(self) -> list[dict[str, Any]]:
        """The events as a spool sends them, each a second after the one before."""
        return [
            {
                "id": str(uuid5(NAMESPACE, f"{self.client} {place}")),
                "recorded_at": f"2026-11-20T10:{place // 60:02d}:{place % 60:02d}+00:00",
                "payload": payload,
            }
            for place, payload in enumerate(self.events)
        ]


# The names of the events of a script, by what they are.
_EVENTS: dict[str, dict[str, str]] = {
    "claude-code": {
        "start": "SessionStart",
        "prompt": "UserPromptSubmit",
        "tool": "PostToolUse",
        "reply": "Stop",
        "compacting": "PreCompact",
        "compacted": "PostCompact",
        "end": "SessionEnd",
    },
    "codex": {
        "start": "SessionStart",
        "prompt": "UserPromptSubmit",
        "tool": "PostToolUse",
        "reply": "Stop",
        "compacting": "PreCompact",
        "compacted": "PostCompact",
    },
    "gemini-cli": {
        "start": "SessionStart",
        "prompt": "BeforeAgent",
        "tool": "AfterTool",
        "reply": "AfterAgent",
        "compacting": "PreCompress",
        "end": "SessionEnd",
    },
    "cursor": {
        "start": "sessionStart",
        "prompt": "beforeSubmitPrompt",
        "tool": "postToolUse",
        "reply": "afterAgentResponse",
        "compacting": "preCompact",
        "end": "sessionEnd",
    },
    "vscode": {
        "start": "SessionStart",
        "prompt": "UserPromptSubmit",
        "tool": "PostToolUse",
        "reply": "Stop",
        "compacting": "PreCompact",
    },
    "opencode": {
        "start": "session.created",
        "prompt": "chat.message",
        "tool": "tool.execute.after",
        "reply": "experimental.text.complete",
        "compacting": "experimental.session.compacting",
        "compacted": "session.compacted",
        "end": "session.deleted",
    },
}


def script_of(client: str, session: str = "session-1") -> Script:
    events = list(_events(client, session))
    names = _EVENTS[client]
    replies = 0 if client == "vscode" else len(REPLIES)
    return Script(client, events, replies, "end" in names, client in ("claude-code", "opencode"))


def start_of(client: str, session: str) -> dict[str, Any]:
    """The start of another session."""
    return _event(client, session, "start", 0)


def _events(client: str, session: str) -> Iterator[dict[str, Any]]:
    names = _EVENTS[client]
    place = 0
    for kind in ("start", *_turns(), "compacting", "compacted", "end"):
        if kind in names:
            yield _event(client, session, kind, place)
            place += 1


def _turns() -> Iterator[str]:
    for _ in PROMPTS:
        yield from ("prompt", *["tool"] * TOOLS_PER_PROMPT, "reply")


def _event(client: str, session: str, kind: str, place: int) -> dict[str, Any]:
    payload = copy.deepcopy(samples_of(client)[_EVENTS[client][kind]])
    turn = max(0, (place - 1) // (TOOLS_PER_PROMPT + 2)) % len(PROMPTS)
    texts = {"prompt": PROMPTS[turn], "reply": REPLIES[turn], "compacted": SUMMARY}
    _rename(client, payload, session)
    _number(client, payload, turn, place)
    if kind in texts:
        _write(client, payload, kind, texts[kind])
    return payload


def _rename(client: str, payload: dict[str, Any], session: str) -> None:
    if client == "opencode":
        given = payload["input"]
        if "info" in given:
            given["info"]["id"] = session
        else:
            given["sessionID"] = session
    else:
        payload[{"cursor": "conversation_id", "vscode": "sessionId"}.get(client, "session_id")] = session


def _number(client: str, payload: dict[str, Any], turn: int, place: int) -> None:
    """Give the event the ids and the time that its client would give it."""
    for name in ("prompt_id", "turn_id", "generation_id"):
        if name in payload:
            payload[name] = f"turn-{turn}"
    if "tool_use_id" in payload:
        payload["tool_use_id"] = f"tool-{place}"
    if "timestamp" in payload:
        payload["timestamp"] = f"2026-11-20T10:{place // 60:02d}:{place % 60:02d}.000Z"
    if client == "opencode":
        given = payload["input"]
        given.update({name: f"{name}-{place}" for name in ("messageID", "partID", "callID") if name in given})


def _write(client: str, payload: dict[str, Any], kind: str, text: str) -> None:
    if client == "opencode":
        output = payload["output"]
        if kind == "prompt":
            output["parts"][0]["text"] = text
        else:
            output["text" if kind == "reply" else "summary"] = text
        return
    name = {
        "prompt": "prompt",
        "reply": {"gemini-cli": "prompt_response", "cursor": "text"}.get(client, "last_assistant_message"),
        "compacted": "compact_summary",
    }[kind]
    if name in payload or kind == "prompt":
        payload[name] = text
