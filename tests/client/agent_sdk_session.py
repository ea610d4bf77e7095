"""The entries of a session, and the events that the stores of both languages report for them."""

from __future__ import annotations

from typing import Any


def said(role: str, uuid: str, content: Any, **values: Any) -> dict[str, Any]:
    message = {"role": role, "content": content, **values.pop("message", {})}
    return {"type": role, "uuid": uuid, "message": message, **values}


def _text(text: Any) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _call(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": given}


def _result(name: str, content: Any, **values: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": content, **values}


_FINAL = {"stop_reason": "end_turn"}
ENTRIES: list[dict[str, Any]] = [
    said("user", "u1", "List the files. <private>not this</private>"),
    said("assistant", "a1", [_text("I look."), _call("t1", command="ls")], message={"stop_reason": "tool_use"}),
    said("user", "u2", [_result("t1", "a.py"), _result("t2", "No.", is_error=True)]),
    said("user", "u3", "An inner note", isMeta=True),
    said("assistant", "a2", [_text("There is a.py.")], message=_FINAL),
    said("user", "u4", "The summary.", isCompactSummary=True),
    {"type": "summary", "summary": "Files"},
    {"type": "user", "uuid": "u5", "message": "No object"},
    said("user", "u6", ["no block", {"type": "image"}, _text("")]),
    said("user", "u7", "A subagent's", isSidechain=True),
    said("assistant", "a3", [_call("t3", command="pwd")], message=_FINAL),
    said("user", "u8", [_text("First."), _result("t3", [_text("/work"), None]), _text("Second. \u6771\u4eac")]),
    said("user", "u9", [_result("t3", "Again.")]),
    said("assistant", "a4", [_text("Cut"), _text("off")], message={"stop_reason": "max_tokens"}),
    said("assistant", "a5", "I refuse.", message={"stop_reason": "refusal"}),
    said("assistant", "a6", "Still writing", message={"stop_reason": None}),
    said("system", "x1", "A notice"),
]
_HEAD = {"session_id": "sess", "cwd": "/work/app"}


def _event(name: str, **values: Any) -> dict[str, Any]:
    return {**_HEAD, "hook_event_name": name, **values}


def _used(call: str, response: Any, name: str = "Bash", given: Any = None) -> dict[str, Any]:
    tool = {"tool_name": name, "tool_input": given, "tool_use_id": call}
    return _event("PostToolUse", **tool, tool_response=response)


EVENTS: list[dict[str, Any]] = [
    _event("SessionStart", source="startup"),
    _event("UserPromptSubmit", prompt="List the files. [private]", prompt_id="u1"),
    _used("t1", "a.py", given={"command": "ls"}),
    _event("PostToolUseFailure", tool_name="", tool_input=None, tool_use_id="t2", error="No."),
    _event("Stop", last_assistant_message="There is a.py.", prompt_id="a2"),
    _event("PostCompact", trigger="auto", compact_summary="The summary."),
    _used("t3", [_text("/work"), None], given={"command": "pwd"}),
    _event("UserPromptSubmit", prompt="First.\nSecond. \u6771\u4eac", prompt_id="u8"),
    _used("t3", "Again.", name=""),
    _event("Stop", last_assistant_message="Cut\noff", prompt_id="a4"),
    _event("Stop", last_assistant_message="I refuse.", prompt_id="a5"),
]
