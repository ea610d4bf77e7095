"""Validation of requests like OpenAI's: unknown parameters and invalid orders of messages are rejected."""

from __future__ import annotations

import json
from typing import Any

from tests.providers.behaviours import Recorded

_CHAT = {
    *("model", "messages", "max_completion_tokens", "stream", "stream_options", "response_format", "tools"),
    *("tool_choice", "parallel_tool_calls", "reasoning_effort", "seed", "stop", "n", "user", "metadata", "store"),
    *("temperature", "top_p", "presence_penalty", "frequency_penalty", "logprobs", "top_logprobs", "prompt_cache_key"),
}
_EMBEDDINGS = {"model", "input", "encoding_format", "dimensions", "user"}
_ROLES = {"system", "developer", "user", "assistant", "tool"}


def refused(request: Recorded, lenient: bool) -> bool:
    """Reject unknown parameters, unless lenient. `max_tokens` is unknown, as for newer models."""
    body = request.body if isinstance(request.body, dict) else {}
    if request.path == "/v1/embeddings":
        return not {"model", "input"} <= body.keys() or not body["input"] or not (lenient or body.keys() <= _EMBEDDINGS)
    if not {"model", "messages"} <= body.keys() or not (lenient or body.keys() <= _CHAT):
        return True
    if "stream_options" in body and not body.get("stream"):
        return True
    return not _in_order(body["messages"]) or not _possible(body.get("response_format", {}), body["messages"])


def _in_order(messages: list[dict[str, Any]]) -> bool:
    """Every tool call has its result directly after it, and every result has a call."""
    open_calls: set[str] = set()
    for message in messages:
        role, content = message.get("role"), message.get("content")
        if role not in _ROLES or not (isinstance(content, str) or message.get("tool_calls")):
            return False
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                return False
            open_calls.discard(message["tool_call_id"])
        elif open_calls:
            return False
        open_calls |= {call["id"] for call in message.get("tool_calls", ())}
    return bool(messages) and not open_calls


def _possible(wanted: dict[str, Any], messages: list[dict[str, Any]]) -> bool:
    """JSON mode requires the word "JSON" in a message; a strict schema closes every object and requires every field."""
    match wanted.get("type", "text"):
        case "text":
            return True
        case "json_object":
            return "json" in json.dumps(messages).lower()
        case "json_schema":
            schema_format = wanted.get("json_schema", {})
            return {"name", "schema"} <= schema_format.keys() and (
                not schema_format.get("strict") or _is_strict(schema_format["schema"])
            )
    return False


def _is_strict(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object":
        fields = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or sorted(schema.get("required", ())) != sorted(fields):
            return False
    lonely = "$ref" not in schema or len(schema) == 1
    return lonely and "default" not in schema and all(map(_is_strict, schema.values()))
