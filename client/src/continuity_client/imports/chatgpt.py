"""Read the conversations in a data export of ChatGPT: a zip archive, its folder, or a `conversations.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from continuity_client.imports import Item, SourceError
from continuity_client.imports.items import conversation_items, documents, iso_date, problem

_ROLES = ("user", "assistant", "system", "tool")
_HIDDEN_TYPES = ("thoughts", "reasoning_recap", "user_editable_context", "model_editable_context")


def read_items(path: str | None) -> Iterator[Item]:
    """One item for each conversation, or several for a long one."""
    if not path:
        raise SourceError("Name the export with --path: the zip archive that ChatGPT sends, or its conversations.json.")
    for document in documents(path, "conversations"):
        for place, conversation in enumerate(document if isinstance(document, list) else [document]):
            yield from _conversation(conversation, place)


def _conversation(conversation: Any, place: int) -> Iterator[Item]:
    mapping = conversation.get("mapping") if isinstance(conversation, dict) else None
    if not isinstance(mapping, dict):
        yield problem(f"conversation:{place}", "not_a_conversation", "It has no mapping of messages.")
        return
    name = str(conversation.get("conversation_id") or conversation.get("id") or f"conversation-{place}")
    messages = [message for node in _branch(conversation, mapping) if (message := _message(node))]
    yield from conversation_items(name, str(conversation.get("title") or ""), messages)


def _branch(conversation: dict[str, Any], mapping: dict[str, Any]) -> list[Any]:
    """The messages from the root to the one that the person saw last; a damaged tree ends where it is damaged."""
    node = mapping.get(str(conversation.get("current_node"))) or _latest_leaf(mapping)
    branch: list[Any] = []
    seen: set[int] = set()
    while isinstance(node, dict) and id(node) not in seen:
        seen.add(id(node))
        branch.append(node)
        node = mapping.get(str(node.get("parent")))
    return branch[::-1]


def _latest_leaf(mapping: dict[str, Any]) -> Any:
    leaves = [node for node in mapping.values() if isinstance(node, dict) and not node.get("children")]
    return max(leaves, key=_time, default=None)


def _time(node: dict[str, Any]) -> float:
    message = node.get("message")
    created = message.get("create_time") if isinstance(message, dict) else None
    return float(created) if isinstance(created, (int, float)) else 0.0


def _message(node: dict[str, Any]) -> dict[str, Any] | None:
    message = node.get("message")
    if not isinstance(message, dict):
        return None
    author = message.get("author")
    role = author.get("role") if isinstance(author, dict) else None
    metadata = message.get("metadata")
    is_hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    content = _text(message.get("content"))
    if role not in _ROLES or is_hidden or not content.strip():
        return None
    read = {"external_id": str(message.get("id") or node.get("id") or ""), "role": role, "content": content}
    date = iso_date(message.get("create_time"))
    return {**read, "created_at": date} if date else read


def _text(content: Any) -> str:
    if not isinstance(content, dict) or content.get("content_type") in _HIDDEN_TYPES:
        return ""
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n\n".join(shown for part in parts if (shown := _part(part)))
    text = content.get("text")
    return text if isinstance(text, str) else ""


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else f"[{str(part.get('content_type') or 'attachment').split('_')[0]}]"
