"""Transcripts of coding agents as their clients write them, for tests: builders of entries, and a sample session."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

SESSION = "5f0c1d1e-0000-4000-8000-000000000001"


def entry(kind: str, uuid: str, parent: str | None, **more: Any) -> dict[str, Any]:
    """An entry with the fields that all entries of a chain have."""
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/alice/booking",
        "sessionId": SESSION,
        "version": "2.1.330",
        "gitBranch": "main",
        "type": kind,
        "uuid": uuid,
        "timestamp": "2026-03-01T10:00:00.000Z",
        **more,
    }


def user(uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    return entry("user", uuid, parent, message={"role": "user", "content": content}, **more)


def assistant(
    uuid: str, parent: str | None, *blocks: dict[str, Any], message_id: str = "", **more: Any
) -> dict[str, Any]:
    message = {
        "id": message_id or f"msg_{uuid}",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": list(blocks),
        "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100},
    }
    return entry("assistant", uuid, parent, message=message, **more)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(call_id: str, output: Any, *, is_error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": output, "is_error": is_error}


def boundary(uuid: str, logical_parent: str, **metadata: Any) -> dict[str, Any]:
    metadata = {"trigger": "auto", "preTokens": 167_189, **metadata}
    return entry(
        "system", uuid, None, subtype="compact_boundary", logicalParentUuid=logical_parent, compactMetadata=metadata
    )


def lines(entries: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in entries)


SAMPLE: list[dict[str, Any]] = [
    {"type": "summary", "summary": "Booking rules", "leafUuid": "a4"},
    user("m0", None, "<local-command-caveat>Caveat</local-command-caveat>", isMeta=True),
    user("u1", "m0", "Add a limit of 3 bookings a day.<system-reminder>Be brief.</system-reminder>"),
    assistant("a1", "u1", {"type": "thinking", "thinking": "hm", "signature": "x"}, message_id="msg_1"),
    assistant("a2", "a1", text("I will look at the model first."), message_id="msg_1"),
    assistant("a3", "a2", call("t1", "Read", file_path="apps/models.py"), message_id="msg_1"),
    user("r1", "a3", [result("t1", "class Booking:\n    day = 1\n")], toolUseResult={"type": "text"}),
    assistant("a4", "r1", call("t2", "Bash", command="pytest"), message_id="msg_2"),
    user("r2", "a4", [result("t2", [text("2 failed: test_limit")], is_error=True)]),
    assistant("a5", "r2", text("Now the tests fail; I fix them."), message_id="msg_3"),
    assistant("a6", "a5", text("Done: at most 3 bookings a day."), message_id="msg_4"),
    entry("progress", "p1", "a6", data={"type": "hook_progress"}),
    user("s1", None, "Explore the tests.", isSidechain=True, agentId="agent7"),
    assistant("s2", "s1", text("There are 12."), isSidechain=True, agentId="agent7"),
    user("u2", "p1", [text("Write it as 5, not 3. Naïve café ☕ 東京")]),
    assistant("a7", "u2", text("It is 5 now."), message_id="msg_5"),
]
