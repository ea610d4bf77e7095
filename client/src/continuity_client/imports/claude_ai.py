"""Read the conversations in a data export of Claude.ai: a zip archive, its folder, or a `conversations.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from continuity_client.imports import Item, SourceError
from continuity_client.imports.items import conversation_items, documents, problem

_ROLES = {"human": "user", "assistant": "assistant"}


def read_items(path: str | None) -> Iterator[Item]:
    """One item for each conversation, or several for a long one."""
    if not path:
        raise SourceError("Name the export with --path: the zip archive from Claude.ai, or its conversations.json.")
    for document in documents(path, "conversations"):
        for place, conversation in enumerate(document if isinstance(document, list) else [document]):
            yield from _conversation(conversation, place)


def _conversation(conversation: Any, place: int) -> Iterator[Item]:
    listed = conversation.get("chat_messages") if isinstance(conversation, dict) else None
    if not isinstance(listed, list):
        yield problem(f"conversation:{place}", "not_a_conversation", "It has no chat_messages.")
        return
    name = str(conversation.get("uuid") or f"conversation-{place}")
    messages = [message for one in listed if isinstance(one, dict) and (message := _message(one))]
    yield from conversation_items(name, str(conversation.get("name") or ""), messages)


def _message(message: dict[str, Any]) -> dict[str, Any] | None:
    content = "\n\n".join(text for text in (_text(message), *_attachments(message)) if text.strip())
    role = _ROLES.get(str(message.get("sender")))
    if role is None or not content:
        return None
    read = {"external_id": str(message.get("uuid") or ""), "role": role, "content": content}
    created = message.get("created_at")
    return {**read, "created_at": created.replace("Z", "+00:00")} if isinstance(created, str) else read


def _text(message: dict[str, Any]) -> str:
    """The blocks of text; older exports have only the whole text."""
    blocks = message.get("content")
    texts = [block.get("text") for block in blocks if _is_text(block)] if isinstance(blocks, list) else []
    whole = message.get("text")
    return "\n\n".join(text for text in texts if text) or (whole if isinstance(whole, str) else "")


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)


def _attachments(message: dict[str, Any]) -> Iterator[str]:
    for kind in ("attachments", "files"):
        listed = message.get(kind)
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, dict) and one.get("file_name"):
                yield f"[{one['file_name']}]"
