"""Images and files of messages as blocks of OpenAI's and Anthropic's requests."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from apps.engine.messages.message import Part, PartKind

Block = dict[str, Any]
MediaBlock = Callable[[Part], Block | None]
OPENAI_FILE, ANTHROPIC_FILE = "openai:", "anthropic:"
_DATA_URL = re.compile(r"data:([\w.+-]{1,80}/[\w.+-]{1,80});base64,")
_AUDIO = "audio/"


def openai_block(part: Part) -> Block | None:
    """The block of a chat completion; None for what it cannot hold, such as a file at another provider.

    >>> openai_block(Part(PartKind.IMAGE, url="https://example.org/cat.png"))
    {'type': 'image_url', 'image_url': {'url': 'https://example.org/cat.png'}}
    """
    media_type, data = _taken_apart(part)
    if part.kind is PartKind.IMAGE:
        return None if _is_elsewhere(part) else {"type": "image_url", "image_url": {"url": part.url}}
    if media_type.startswith(_AUDIO) and data:
        audio_format = media_type.removeprefix(_AUDIO)
        return {"type": "input_audio", "input_audio": {"data": data, "format": audio_format}}
    name = {"filename": part.name} if part.name else {}
    if part.url.startswith(OPENAI_FILE):
        return {"type": "file", "file": {"file_id": part.url.removeprefix(OPENAI_FILE), **name}}
    return {"type": "file", "file": {"file_data": part.url, **name}} if data else None


def anthropic_block(part: Part) -> Block | None:
    """The block of the messages API; None for what it cannot hold, such as audio or a file at another provider.

    >>> anthropic_block(Part(PartKind.IMAGE, url="data:image/png;base64,AAAA"))["source"]
    {'type': 'base64', 'media_type': 'image/png', 'data': 'AAAA'}
    """
    source = _anthropic_source(part)
    if source is None:
        return None
    if part.kind is PartKind.IMAGE:
        return {"type": "image", "source": source}
    return {"type": "document", "source": source, **({"title": part.name} if part.name else {})}


def _anthropic_source(part: Part) -> Block | None:
    media_type, data = _taken_apart(part)
    if data:
        is_read = part.kind is PartKind.IMAGE or media_type == "application/pdf"
        return {"type": "base64", "media_type": media_type, "data": data} if is_read else None
    if part.url.startswith(ANTHROPIC_FILE):
        return {"type": "file", "file_id": part.url.removeprefix(ANTHROPIC_FILE)}
    if part.url:
        return None if _is_elsewhere(part) else {"type": "url", "url": part.url}
    return {"type": "text", "media_type": "text/plain", "data": part.text} if part.text.strip() else None


def _is_elsewhere(part: Part) -> bool:
    """Whether it is a file at a provider, which no other one and no block for an address can read."""
    return part.url.startswith((OPENAI_FILE, ANTHROPIC_FILE))


def _taken_apart(part: Part) -> tuple[str, str]:
    """The media type and the data of a `data:` URL; otherwise the part's own media type, and no data."""
    found = _DATA_URL.match(part.url)
    return (found[1], part.url[found.end() :]) if found else (part.media_type, "")
