"""Messages without secrets, before anything is derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.common.secrets.redaction import redacted, redacted_texts
from apps.engine.messages.message import Message, Part


def without_secrets(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages as summaries may see them; a secret over two messages is found too."""
    contents = redacted_texts([message.content for message in messages])
    return tuple(
        replace(message, content=content, parts=tuple(map(_part, message.parts)))
        for message, content in zip(messages, contents, strict=True)
    )


def _part(part: Part) -> Part:
    return replace(part, text=redacted(part.text), summary=redacted(part.summary), name=redacted(part.name))
