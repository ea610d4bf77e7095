"""Images and files of messages as blocks of OpenAI's and Anthropic's requests.

A block is made only of what the provider takes, since one that it does not take makes it refuse the whole request.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from apps.engine.messages.message import DATA, Part, PartKind

Block = dict[str, Any]
MediaBlock = Callable[[Part], Block | None]
OPENAI_FILE, ANTHROPIC_FILE = "openai:", "anthropic:"
_DATA_URL = re.compile(r"data:([\w.+-]{1,80}/[\w.+-]{1,80})(?:;[\w=.+-]{1,80}){0,5};base64,")
_ADDRESS = ("https://", "http://")
_OTHER_NAMES = {"image/jpg": "image/jpeg", "audio/mpeg": "audio/mp3", "audio/x-wav": "audio/wav"}
_IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_AUDIO = {"audio/wav": "wav", "audio/mp3": "mp3"}
_PDF = "application/pdf"
_PDF_NAME = "file.pdf"


def openai_block(part: Part) -> Block | None:
    """The block of a chat completion; None for what it cannot hold, such as a file at another provider.

    >>> openai_block(Part(PartKind.IMAGE, url="https://example.org/cat.png"))
    {'type': 'image_url', 'image_url': {'url': 'https://example.org/cat.png'}}
    """
    media_type, data = taken_apart(part)
    if part.kind is PartKind.IMAGE:
        url = f"data:{media_type};base64,{data}" if media_type in _IMAGES and data else _address(part)
        return {"type": "image_url", "image_url": {"url": url}} if url else None
    if media_type in _AUDIO and data:
        return {"type": "input_audio", "input_audio": {"data": data, "format": _AUDIO[media_type]}}
    if part.url.startswith(OPENAI_FILE):
        return {"type": "file", "file": {"file_id": part.url.removeprefix(OPENAI_FILE)}}
    if media_type == _PDF and data:
        file = {"filename": part.name or _PDF_NAME, "file_data": f"data:{_PDF};base64,{data}"}
        return {"type": "file", "file": file}
    return None


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
    media_type, data = taken_apart(part)
    if data:
        is_read = media_type in _IMAGES if part.kind is PartKind.IMAGE else media_type == _PDF
        return {"type": "base64", "media_type": media_type, "data": data} if is_read else None
    if part.url.startswith(ANTHROPIC_FILE):
        return {"type": "file", "file_id": part.url.removeprefix(ANTHROPIC_FILE)}
    if url := _address(part):
        return {"type": "url", "url": url}
    is_text = part.kind is PartKind.FILE and not part.url and part.text.strip()
    return {"type": "text", "media_type": "text/plain", "data": part.text} if is_text else None


def _address(part: Part) -> str:
    return part.url if part.url.startswith(_ADDRESS) else ""


def taken_apart(part: Part) -> tuple[str, str]:
    """The media type, by its usual name, and the data of a `data:` URL; without one, the part's media type alone."""
    found = _DATA_URL.match(part.url) if part.url.startswith(DATA) else None
    media_type = (found[1] if found else part.media_type).lower()
    return _OTHER_NAMES.get(media_type, media_type), part.url[found.end() :] if found else ""
