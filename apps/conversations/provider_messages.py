"""Messages as OpenAI's chat completions and Anthropic's messages API write them, in our own form.

https://platform.openai.com/docs/api-reference/chat/create, https://docs.anthropic.com/en/api/messages. Text blocks are
joined by line breaks; what a response says about itself (`usage`, `stop_reason`) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from apps.conversations.field_checks import BadMessage, kind_of, required_text, shown
from apps.conversations.part_rules import LONGEST_CALL_ID
from apps.engine.messages.media import ANTHROPIC_FILE, OPENAI_FILE
from apps.engine.messages.message import PartKind
from apps.engine.messages.tool_arguments import compact

Fields = dict[str, Any]
_OWN = frozenset({"role", "content", "name", "speaker", "parts", "created_at", "external_id"})
"""What a message may have of ours where it is a whole response."""


def in_own_form(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message with `content`, `parts` and `external_id` in place of a provider's fields; others stay as they are.

    >>> in_own_form({"role": "tool", "tool_call_id": "c1", "content": "4 files"})["parts"]
    [{'kind': 'tool_result', 'call_id': 'c1', 'text': '4 files'}]
    """
    if not isinstance(message.get("content"), list) and not _ONLY_THEIRS & set(message):
        return message
    is_response = message.get("type") == "message"
    own = {name: value for name, value in message.items() if name in _OWN or not (is_response or name in _THEIRS)}
    texts: list[str] = []
    parts = [*_listed(message, "parts")]
    for part in _parts(message):
        texts += [part["text"]] if part["kind"] == PartKind.TEXT.value else []
        parts += [part] if part["kind"] != PartKind.TEXT.value else []
    content = "\n".join(text for text in texts if text)
    if (call_id := message.get("tool_call_id")) is not None:
        parts.append({"kind": PartKind.TOOL_RESULT.value, "call_id": _id(call_id), "text": content})
        content = ""
    if message.get("id") is not None:
        own.setdefault("external_id", message["id"])
    return {**own, "content": content, **({"parts": parts} if parts else {})}


def _parts(message: Mapping[str, Any]) -> Iterator[Fields]:
    content = message.get("content")
    if isinstance(content, str):
        yield _text(content)
    elif content is not None:
        for block in _listed(message, "content"):
            yield from _part(block)
    if message.get("refusal"):
        yield _text(required_text(message, "refusal"))
    for call in _listed(message, "tool_calls"):
        yield _openai_call(call)
    for name in ("function_call", "audio"):
        if message.get(name):
            raise BadMessage("unknown_block", f"{name} cannot be stored; send tool_calls, or a text")


def _part(block: Mapping[str, Any]) -> Iterator[Fields]:
    kind = required_text(block, "type")
    if kind == "tool_result":
        yield from _tool_result(block)
    elif kind in _BLOCKS:
        yield _BLOCKS[kind](block)
    else:
        raise BadMessage("unknown_block", f"a content block of the type {shown(kind)} cannot be stored")


def _text(text: str) -> Fields:
    return {"kind": PartKind.TEXT.value, "text": text}


def _openai_call(call: Mapping[str, Any]) -> Fields:
    """A call of a function, whose arguments are JSON, or of a custom tool, whose input is any text."""
    is_custom = call.get("type") == "custom"
    called = _object(call, "custom" if is_custom else "function")
    arguments = called.get("input" if is_custom else "arguments") or ""
    return _call(call.get("id"), called.get("name"), arguments)


def _call(call_id: Any, name: Any, arguments: Any) -> Fields:
    return {"kind": PartKind.TOOL_CALL.value, "call_id": _id(call_id), "name": name, "text": arguments}


def _id(call_id: Any) -> Any:
    """Some gateways put more than an id into it."""
    return call_id[:LONGEST_CALL_ID] if isinstance(call_id, str) else call_id


def _tool_result(block: Mapping[str, Any]) -> Iterator[Fields]:
    """The result's texts, and after it the images that are in it."""
    content = block.get("content") or ""
    inside = [_text(content)] if isinstance(content, str) else [*_parts({"content": content})]
    texts = [part["text"] for part in inside if part["kind"] == PartKind.TEXT.value]
    result = {"kind": PartKind.TOOL_RESULT.value, "call_id": _id(block.get("tool_use_id")), "text": "\n".join(texts)}
    yield {**result, "is_error": True} if block.get("is_error") else result
    yield from (part for part in inside if part["kind"] != PartKind.TEXT.value)


def _openai_image(block: Mapping[str, Any]) -> Fields:
    image = block.get("image_url")
    return _media(
        PartKind.IMAGE, image if isinstance(image, str) else required_text(_object(block, "image_url"), "url")
    )


def _openai_file(block: Mapping[str, Any]) -> Fields:
    file = _object(block, "file") if "file" in block else block
    url = f"{OPENAI_FILE}{file['file_id']}" if file.get("file_id") else file.get("file_data") or file.get("file_url")
    return _media(PartKind.FILE, url, name=file.get("filename"))


def _openai_audio(block: Mapping[str, Any]) -> Fields:
    audio = _object(block, "input_audio")
    media_type = f"audio/{required_text(audio, 'format')}"
    return _media(PartKind.FILE, _data_url(media_type, required_text(audio, "data")), media_type)


def _anthropic_image(block: Mapping[str, Any]) -> Fields:
    return _from_source(PartKind.IMAGE, block)


def _anthropic_document(block: Mapping[str, Any]) -> Fields:
    return _from_source(PartKind.FILE, block)


def _from_source(kind: PartKind, block: Mapping[str, Any]) -> Fields:
    source = _object(block, "source")
    media_type, name = source.get("media_type"), block.get("title")
    match required_text(source, "type"):
        case "base64":
            url = _data_url(required_text(source, "media_type"), required_text(source, "data"))
            return _media(kind, url, media_type, name)
        case "url":
            return _media(kind, required_text(source, "url"), media_type, name)
        case "file":
            return _media(kind, f"{ANTHROPIC_FILE}{required_text(source, 'file_id')}", media_type, name)
        case "text":
            return {**_media(kind, None, media_type, name), "text": required_text(source, "data")}
        case other:
            raise BadMessage("unknown_block", f"a source of the type {shown(other)} cannot be stored")


def _media(kind: PartKind, url: Any, media_type: Any = None, name: Any = None) -> Fields:
    given = {"url": url, "media_type": media_type, "name": name}
    return {"kind": kind.value, **{field: value for field, value in given.items() if value is not None}}


def _data_url(media_type: str, data: str) -> str:
    return f"data:{media_type};base64,{data}"


def _thinking(block: Mapping[str, Any]) -> Fields:
    return {
        "kind": PartKind.REASONING.value,
        "text": block.get("thinking", ""),
        "signature": block.get("signature", ""),
    }


def _redacted_thinking(block: Mapping[str, Any]) -> Fields:
    return {"kind": PartKind.REASONING.value, "signature": block.get("data", "")}


def _tool_use(block: Mapping[str, Any]) -> Fields:
    return _call(block.get("id"), block.get("name"), compact(block.get("input") or {}))


_BLOCKS: Mapping[str, Callable[[Mapping[str, Any]], Fields]] = MappingProxyType(
    {
        **dict.fromkeys(("text", "input_text", "output_text"), lambda block: _text(required_text(block, "text"))),
        "refusal": lambda block: _text(required_text(block, "refusal")),
        "image_url": _openai_image,
        "input_image": _openai_image,
        "file": _openai_file,
        "input_file": _openai_file,
        "input_audio": _openai_audio,
        "image": _anthropic_image,
        "document": _anthropic_document,
        "tool_use": _tool_use,
        "thinking": _thinking,
        "redacted_thinking": _redacted_thinking,
    }
)
_ONLY_THEIRS = frozenset({"tool_calls", "tool_call_id", "refusal", "function_call", "audio"})
_THEIRS = _ONLY_THEIRS | {"id", "annotations"}


def _object(fields: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise BadMessage("wrong_type", f"{name} must be an object, not {kind_of(value)}")
    return value


def _listed(fields: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    listed = fields.get(name)
    if listed is None:
        return
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise BadMessage("wrong_type", f"{name} must be a list of objects")
    yield from listed
