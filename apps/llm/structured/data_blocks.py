"""Conversation content as data in a prompt: JSON between delimiters.

The delimiters contain a random word per call, and `<` and `>` are escaped inside, so message content cannot end the
block.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from apps.engine.language.excerpt import excerpt
from apps.engine.messages.message import MEDIA, Message, PartKind
from apps.engine.policy import Policy

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "\u2028": "\\u2028", "\u2029": "\\u2029"})
_SHOWN_PARTS = {
    PartKind.TOOL_CALL: "call",
    PartKind.TOOL_RESULT: "result",
    PartKind.TEXT: "text",
    PartKind.IMAGE: "image",
    PartKind.FILE: "file",
}


def quoted(name: str, boundary: str, data: Iterable[dict[str, Any]]) -> str:
    """Render rows as a data block; `boundary` is an unpredictable word."""
    rows = ",\n".join(escaped(json.dumps(row, ensure_ascii=False)) for row in data)
    return f"<{name}-{boundary}>\n[{rows}]\n</{name}-{boundary}>"


def escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def refusal(problem: str) -> str:
    """The prompt section that explains why the last answer was rejected."""
    return f"Your last answer could not be used. {escaped(problem)} Answer again, in full."


def serialized_message(message: Message, policy: Policy) -> dict[str, Any]:
    name = {"name": message.name} if message.name else {}
    return {"label": label(message), "role": message.role.value, **name, "text": shown(message, policy)}


def shown(message: Message, policy: Policy) -> str:
    return excerpt(_text(message), message.id, policy.long_message_tokens)


def label(message: Message) -> str:
    return f"m{message.index}"


def _text(message: Message) -> str:
    """A message's content, tool calls and results (or their summaries), and what names its media; no reasoning."""
    parts = [
        f"[{_SHOWN_PARTS[part.kind]} {part.name}] {part.summary or part.text}".replace(" ]", "]")
        for part in message.parts
        if part.kind in _SHOWN_PARTS and (part.kind in MEDIA or part.text not in message.content)
    ]
    return "\n".join(text for text in (message.content, *parts) if text)
