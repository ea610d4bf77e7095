"""A pack in the words of a model's API: plain text, OpenAI's messages, Anthropic's system and messages."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from apps.engine.messages import Message, Part, PartKind, Role
from apps.engine.pack import ContextPack
from apps.engine.sections import BETWEEN_SECTIONS, pins_text, summary_text, user_memory_text

Payload = dict[str, Any]
_NOT_IN_OPENAI_NAMES = re.compile(r"[^a-zA-Z0-9_-]+")
_OPENING = "(The conversation begins earlier; what matters of it is in the summary.)"


def leading_text(pack: ContextPack) -> str:
    """Everything before the messages, section after section, in the documented order."""
    sections = (
        pack.system_prompt,
        user_memory_text(pack.user_memory),
        pins_text(pack.pins),
        summary_text(pack.summary),
    )
    return BETWEEN_SECTIONS.join(section for section in sections if section)


def pack_messages(pack: ContextPack) -> tuple[Message, ...]:
    return (*pack.recent, pack.current) if pack.current else pack.recent


def render_plain(pack: ContextPack) -> str:
    """One text: the leading sections, then a paragraph a message."""
    told = [f"{_speaker(message)}: {_told(message)}" for message in pack_messages(pack)]
    return BETWEEN_SECTIONS.join(part for part in (leading_text(pack), *told) if part)


def render_openai(pack: ContextPack) -> Payload:
    """`messages` of a chat completion."""
    leading = leading_text(pack)
    messages: list[Payload] = [{"role": "system", "content": leading}] if leading else []
    answered, called = _pairs(pack_messages(pack))
    for message in pack_messages(pack):
        messages.extend(_openai_messages(message, answered & called))
    return {"messages": messages}


def render_anthropic(pack: ContextPack) -> Payload:
    """`system` and `messages` of the messages API: roles alternate and the user begins."""
    turns: list[Payload] = []
    answered, called = _pairs(pack_messages(pack))
    for message in pack_messages(pack):
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        blocks = _anthropic_blocks(message, answered & called)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(blocks)
        elif blocks:
            turns.append({"role": role, "content": blocks})
    if turns and turns[0]["role"] == "assistant":
        turns.insert(0, {"role": "user", "content": [{"type": "text", "text": _OPENING}]})
    rendered: Payload = {"messages": turns}
    return {"system": leading, **rendered} if (leading := leading_text(pack)) else rendered


def _pairs(messages: Sequence[Message]) -> tuple[frozenset[str], frozenset[str]]:
    answered = frozenset().union(*(message.results for message in messages))
    called = frozenset().union(*(message.calls for message in messages))
    return answered, called


def _openai_messages(message: Message, paired: frozenset[str]) -> list[Payload]:
    calls = [part for part in message.parts if part.kind is PartKind.TOOL_CALL and part.call_id in paired]
    results = [part for part in message.parts if part.kind is PartKind.TOOL_RESULT and part.call_id in paired]
    rendered: list[Payload] = [{"role": "tool", "tool_call_id": part.call_id, "content": part.text} for part in results]
    text = _text(message, paired)
    if text or calls or not results:
        role = "user" if message.role is Role.TOOL else message.role.value
        body: Payload = {"role": role, "content": text}
        if name := _NOT_IN_OPENAI_NAMES.sub("_", message.name)[:64]:
            body["name"] = name
        if calls:
            body["tool_calls"] = [_openai_call(part) for part in calls]
        rendered.append(body)
    return rendered


def _openai_call(part: Part) -> Payload:
    return {"id": part.call_id, "type": "function", "function": {"name": part.name, "arguments": part.text}}


def _anthropic_blocks(message: Message, paired: frozenset[str]) -> list[Payload]:
    blocks: list[Payload] = [
        {"type": "tool_result", "tool_use_id": part.call_id, "content": part.text}
        for part in message.parts
        if part.kind is PartKind.TOOL_RESULT and part.call_id in paired
    ]
    if text := _text(message, paired):
        spoken = f"{message.name}: {text}" if message.name else text
        blocks.append({"type": "text", "text": spoken})
    blocks.extend(
        {"type": "tool_use", "id": part.call_id, "name": part.name, "input": _arguments(part.text)}
        for part in message.parts
        if part.kind is PartKind.TOOL_CALL and part.call_id in paired
    )
    return blocks


def _arguments(text: str) -> Payload:
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {"arguments": text}
    return value if isinstance(value, dict) else {"arguments": value}


def _text(message: Message, paired: frozenset[str]) -> str:
    """What is said in words: the content, and calls or results that lost their other half."""
    alone = [part for part in message.parts if part.call_id not in paired and part.kind is not PartKind.REASONING]
    return "\n".join(text for text in (message.content, *map(_part_text, alone)) if text)


def _told(message: Message) -> str:
    return _text(message, frozenset())


def _part_text(part: Part) -> str:
    if part.kind is PartKind.TOOL_CALL:
        return f"[call {part.name}] {part.text}"
    return f"[result {part.name}] {part.text}" if part.kind is PartKind.TOOL_RESULT else part.text


def _speaker(message: Message) -> str:
    return f"{message.role.value} ({message.name})" if message.name else message.role.value
