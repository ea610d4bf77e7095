"""A stranger who knows every id of an account, on every route of the API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from config.stack.client import Client
from tests.attack.target import Json, Target, strings_in

_PARAMETER = re.compile(r"\{\w+\}")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_CANARY = "canary of Ann"
_METHODS = ("get", "post", "put", "patch", "delete")
MOST_PROBES = 1_000


def tenancy(target: Target, most: int = MOST_PROBES) -> Json:
    """Ask for what is Ann's with Charlie's key: nothing may succeed with her ids, and nothing may show her words."""
    ann, charlie = target.stranger(), target.stranger()
    ids = _ids(target, ann)
    probes = list(_probes(target, ids))[:most]
    leaks = [probe for probe in probes if _leaks(target, charlie, *probe)]
    return {"tenancy_probes": len(probes), "leaks": len(leaks), "leaks_where": sorted({path for _, path in leaks})[:5]}


def _ids(target: Target, ann: Client) -> list[str]:
    """The ids of a small account: a chat with messages and a pin, memories, user memory, an agent's session."""
    chat = ann.post("/api/conversations", {"title": _CANARY})["id"]
    ann.post(f"/api/conversations/{chat}/messages", {"messages": [{"role": "user", "content": _CANARY}]})
    ann.post(f"/api/conversations/{chat}/pins", {"content": _CANARY})
    ann.post("/api/memories", {"uri": "mem://user/events/canary", "content": _CANARY})
    ann.post("/api/user-memory", {"type": "fact", "key": "canary", "content": _CANARY})
    event = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "canary", "cwd": "/home/ann"}
    ann.post("/api/hooks/claude-code", event)
    lists = (f"/api/conversations/{chat}/messages", f"/api/conversations/{chat}/pins", "/api/sessions")
    known = [*map(ann.get, lists), *target.export(ann), ann.get("/api/user-memory"), ann.get("/api/me")]
    return sorted({one for value in known for text in strings_in(value) for one in _ID.findall(text)} | {chat})


def _probes(target: Target, ids: list[str]) -> Iterator[tuple[str, str]]:
    _, body = target.send("GET", "/api/schema", headers={"Accept": "application/json"})
    for path, operations in json.loads(body)["paths"].items():
        for method in (one for one in _METHODS if one in operations and "{" in path):
            yield from ((method.upper(), _PARAMETER.sub(one, path)) for one in ids)


def _leaks(target: Target, charlie: Client, method: str, path: str) -> bool:
    headers = {"Authorization": f"Bearer {charlie.api_key}", "Content-Type": "application/json", "If-Match": "*"}
    status, body = target.send(method, path, b"{}" if method != "GET" else None, headers)
    return status < 300 or _CANARY.encode() in body
