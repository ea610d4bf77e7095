"""The longest text that is accepted, of the worst shapes, through every way in: processor time of the web process."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from uuid import uuid4

from tests.attack.target import Json, Target
from tests.linear_time.shapes import SHAPES, Shape
from tests.linear_time.timing import seconds_of
from tests.linear_time.ways import IN_WEB

LENGTH = 400_000
WORST_SHAPES = 5
_COMPARED_AT = 8_000
_ORDINARY = 200
_SHAPES = {shape.name: shape for shape in SHAPES}
_JSON = "application/json"


@dataclass(frozen=True)
class Way:
    """How a text comes in: the request, the statuses that may answer, and the functions whose worst shapes are sent."""

    send: Callable[[Target, str], int]
    functions: tuple[str, ...]
    statuses: tuple[int, ...] = (200, 201)


def longest_texts(target: Target, length: int, worst: int) -> Json:
    """Send each text in a request of its own; the largest processor time of one is reported, and that of an ordinary
    text through the same way.

    A request that takes long is sent once more, and the shorter time counts: the process also has other work.
    """
    took = {
        (name, shape.name): _cpu_ms(target, way, shape.text(length))
        for name, way in WAYS.items()
        for shape in _worst_shapes(way.functions, worst)
    }
    for name, shape in sorted(took, key=lambda one: -took[one])[:worst]:
        again = _cpu_ms(target, WAYS[name], _SHAPES[shape].text(length))
        took[name, shape] = min(again, took[name, shape])
    (name, shape), most = max(took.items(), key=lambda one: one[1])
    ordinary = _SHAPES["sentences"].text(_ORDINARY)
    return {
        "longest_text_cpu_ms": most,
        "ordinary_text_cpu_ms": min(_cpu_ms(target, WAYS[name], ordinary) for _ in range(2)),
        "longest_text_worst": f"{name}, {shape}",
        "longest_text_requests": len(took),
        "longest_text_ms_by_way": {way: max(ms for (one, _), ms in took.items() if one == way) for way in WAYS},
    }


def _worst_shapes(functions: tuple[str, ...], count: int) -> list[Shape]:
    """The shapes that are slowest for these functions, and ordinary sentences."""
    texts = {shape: shape.text(_COMPARED_AT) for shape in SHAPES}
    cost = {shape: sum(seconds_of(IN_WEB[name], text) for name in functions) for shape, text in texts.items()}
    return [*sorted(cost, key=lambda shape: -cost[shape])[:count], _SHAPES["sentences"]]


def _cpu_ms(target: Target, way: Way, text: str) -> int:
    """The web process's time for one request and what follows it."""
    before = target.web_cpu_s()
    status = way.send(target, text)
    # Follow-ups of a request run after its answer.
    time.sleep(0.1)
    spent = round(1000 * (target.web_cpu_s() - before))
    assert status in way.statuses, (status, text[:40])
    return spent


def _post(target: Target, path: str, body: Json) -> int:
    return _send(target, "POST", path, body)


def _send(target: Target, method: str, path: str, body: Json | None = None) -> int:
    headers = {"Content-Type": _JSON, "If-Match": "*", "Authorization": f"Bearer {target.client.api_key}"}
    status, _ = target.send(method, path, json.dumps(body).encode() if body else None, headers)
    return status


def _conversation(target: Target) -> str:
    made: str = target.client.post("/api/conversations", {"title": "Long"})["id"]
    return f"/api/conversations/{made}"


def _message(target: Target, content: str, **fields: object) -> int:
    return _post(
        target, f"{_conversation(target)}/messages", {"messages": [{"role": "user", "content": content, **fields}]}
    )


def _tool_part(target: Target, text: str) -> int:
    parts = [{"kind": "tool_result", "call_id": "c", "name": "Bash", "text": text}]
    return _message(target, "", role="tool", parts=parts)


def _turn(target: Target, text: str) -> int:
    return _post(target, f"{_conversation(target)}/turns", {"content": text})


def _hook(target: Target, event: str, **fields: object) -> int:
    payload = {"session_id": str(uuid4()), "cwd": "/tmp/x", "hook_event_name": event, **fields}  # noqa: S108  # a name
    return _post(target, "/api/hooks/claude-code", payload)


def _tool(target: Target, given: Json, result: object) -> int:
    fields = {"tool_name": "Bash", "tool_use_id": secrets.token_hex(8), "tool_input": given, "tool_response": result}
    return _hook(target, "PostToolUse", **fields)


def _import(target: Target, item: Json) -> int:
    body = {"import_id": str(uuid4()), "items": [{"key": secrets.token_hex(8), **item}]}
    return _post(target, "/api/imports/json", body)


def _memory(target: Target, content: str) -> int:
    uri = f"mem://user/preferences/{secrets.token_hex(8)}"
    return _post(target, "/api/memories", {"uri": uri, "content": content})


def _edited_memory(target: Target, content: str) -> int:
    uri = f"mem://user/preferences/{secrets.token_hex(8)}"
    made = target.client.post("/api/memories", {"uri": uri, "content": "Short."})
    return _send(target, "PATCH", f"/api/memories/{made['id']}", {"content": content})


def _search(target: Target, text: str, mode: str = "find") -> int:
    return _send(target, "POST", "/api/search", {"mode": mode, "q": text})


def _pack(target: Target, text: str) -> int:
    conversation = _conversation(target)
    _post(target, f"{conversation}/messages", {"messages": [{"role": "user", "content": text}]})
    return _send(target, "GET", f"{conversation}/context?token_budget={LENGTH}")


WAYS: Mapping[str, Way] = MappingProxyType(
    {
        "message": Way(_message, ("message",)),
        "message_tool_part": Way(_tool_part, ("message",)),
        "turn": Way(_turn, ("message", "search")),
        "hook_prompt": Way(lambda one, text: _hook(one, "UserPromptSubmit", prompt=text), ("hook_prompt",)),
        "hook_reply": Way(lambda one, text: _hook(one, "Stop", last_assistant_message=text), ("hook_prompt",)),
        "hook_tool_key": Way(lambda one, text: _tool(one, {text: 1}, "ok"), ("hook_tool_input",)),
        "hook_tool_input": Way(lambda one, text: _tool(one, {"command": text}, "ok"), ("hook_tool_input",)),
        "hook_tool_result": Way(lambda one, text: _tool(one, {}, {"stdout": text}), ("hook_tool_result",)),
        "import_memory": Way(lambda one, text: _import(one, {"kind": "memory", "content": text}), ("import_text",)),
        "memory": Way(_memory, ("memory_tiers", "memory_fact", "memory_words")),
        "memory_edit": Way(_edited_memory, ("memory_tiers",)),
        "search": Way(_search, ("search", "search_part")),
        "search_intent": Way(lambda one, text: _search(one, text, "search"), ("search_intent",)),
        "pack": Way(_pack, ("pack",)),
    }
)
