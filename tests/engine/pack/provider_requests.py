"""Token estimates of rendered requests, and the rules by which the providers' APIs accept one."""

from __future__ import annotations

import json
import re
from typing import Any

from apps.engine.tokens.counting import ROLE_TOKENS
from apps.engine.tokens.estimate import estimate_text

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")


# JSON escapes in strings do not count, because the model never reads them.


def json_length(value: Any) -> int:
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, dict):
        return 1 + sum(json_length(key) + json_length(item) + 2 for key, item in value.items()) + (not value)
    if isinstance(value, list):
        return 1 + sum(json_length(item) + 1 for item in value) + (not value)
    return len(json.dumps(value))


def json_tokens(value: Any) -> int:
    return -(-json_length(value) // 4)


def content_texts(content: str | list[dict[str, Any]] | None) -> list[str]:
    """The texts of a message; those of images and files are counted apart."""
    if isinstance(content, list):
        return [block["text"] for block in content if block["type"] == "text"]
    return [content or ""]


def openai_tokens(rendered: dict[str, Any]) -> int:
    total = 0
    for message in rendered["messages"]:
        texts = [*content_texts(message["content"]), message.get("name", ""), message.get("tool_call_id", "")]
        for tool_call in message.get("tool_calls", ()):
            texts += [tool_call["id"], tool_call["function"]["name"]]
            total += json_tokens(json.loads(tool_call["function"]["arguments"]))
        total += ROLE_TOKENS + sum(map(estimate_text, texts))
    return total


def anthropic_tokens(rendered: dict[str, Any]) -> int:
    total = sum(estimate_text(block["text"]) for block in rendered.get("system", ()))
    for message in rendered["messages"]:
        total += ROLE_TOKENS
        for block in message["content"]:
            total += sum(estimate_text(block.get(key, "")) for key in ("text", "id", "name", "tool_use_id", "content"))
            total += json_tokens(block["input"]) if "input" in block else 0
    return total


# Requirements of the APIs.


def assert_openai_accepts(messages: list[dict[str, Any]]) -> None:
    open_calls: list[str] = []
    ids = [tool_call["id"] for message in messages for tool_call in message.get("tool_calls", ())]
    assert len(ids) == len(set(ids))
    assert all(CALL_ID.fullmatch(call_id) for call_id in ids)
    for message in messages:
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
            continue
        assert not open_calls, "tool messages must directly follow their calls"
        assert message["role"] in ("system", "user", "assistant")
        assert message["content"] or message.get("tool_calls")
        assert NAME.fullmatch(message.get("name", "n"))
        for tool_call in message.get("tool_calls", ()):
            assert message["role"] == "assistant"
            assert isinstance(json.loads(tool_call["function"]["arguments"]), dict)
            open_calls.append(tool_call["id"])
    assert not open_calls


def assert_anthropic_accepts(messages: list[dict[str, Any]]) -> None:
    assert [message["role"] for message in messages] == ["user", "assistant"] * (len(messages) // 2) + ["user"] * (
        len(messages) % 2
    )
    ids = [block["id"] for message in messages for block in message["content"] if block["type"] == "tool_use"]
    assert len(ids) == len(set(ids))
    open_ids: list[str] = []
    for message in messages:
        kinds = [block["type"] for block in message["content"]]
        assert kinds
        answered = [block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"]
        assert kinds[: len(answered)] == ["tool_result"] * len(answered)
        assert sorted(answered) == sorted(open_ids)
        tool_uses = [block for block in message["content"] if block["type"] == "tool_use"]
        assert not tool_uses or message["role"] == "assistant"
        assert all(CALL_ID.fullmatch(tool_use["id"]) and NAME.fullmatch(tool_use["name"]) for tool_use in tool_uses)
        assert all(isinstance(tool_use["input"], dict) for tool_use in tool_uses)
        open_ids = [tool_use["id"] for tool_use in tool_uses]
        written = [block for block in message["content"] if not {"input", "source"} & set(block)]
        texts = [block.get("text", block.get("content")) for block in written]
        assert all(text.strip() for text in texts)
    assert not open_ids


# Invariants on random packs.
