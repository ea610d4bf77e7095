"""What was said, as data in a prompt: JSON between marks.

The marks carry a word that is new in each call, and inside the data no `<` or `>` is left: so nothing that somebody
wrote into a conversation can end its quotation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from apps.engine.language.excerpt import excerpt
from apps.engine.messages.message import Message, PartKind
from apps.engine.policy import Policy

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "\u2028": "\\u2028", "\u2029": "\\u2029"})
_SAID_BY_TOOLS = {PartKind.TOOL_CALL: "call", PartKind.TOOL_RESULT: "result", PartKind.TEXT: "text"}


def quoted(name: str, boundary: str, data: Iterable[dict[str, Any]]) -> str:
    """`boundary` is a word that no message can know."""
    rows = ",\n".join(escaped(json.dumps(row, ensure_ascii=False)) for row in data)
    return f"<{name}-{boundary}>\n[{rows}]\n</{name}-{boundary}>"


def escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def refusal(problem: str) -> str:
    """Why an earlier answer was not accepted."""
    return f"Your last answer could not be used. {escaped(problem)} Answer again, in full."


def serialized_message(message: Message, policy: Policy) -> dict[str, Any]:
    name = {"name": message.name} if message.name else {}
    return {"label": label(message), "role": message.role.value, **name, "text": shown(message, policy)}


def shown(message: Message, policy: Policy) -> str:
    return excerpt(_words(message), message.id, policy.long_message_tokens)


def label(message: Message) -> str:
    return f"m{message.index}"


def _words(message: Message) -> str:
    """Content, calls and results; a result's own short form stands for it. Reasoning is nobody's word."""
    parts = [
        f"[{_SAID_BY_TOOLS[part.kind]} {part.name}] {part.summary or part.text}".replace(" ]", "]")
        for part in message.parts
        if part.kind in _SAID_BY_TOOLS and part.text not in message.content
    ]
    return "\n".join(text for text in (message.content, *parts) if text)
