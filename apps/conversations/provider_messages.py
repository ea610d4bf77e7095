"""Messages as OpenAI's chat completions and Anthropic's messages API write them, in our own form.

https://platform.openai.com/docs/api-reference/chat/create, https://docs.anthropic.com/en/api/messages. Text blocks are
joined by line breaks; what a response says about itself (`usage`, `stop_reason`) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import filterfalse, groupby, takewhile
from types import MappingProxyType
from typing import Any

from apps.conversations.field_checks import BadMessage, kind_of, listed, required_text, shown
from apps.conversations.limits import LONGEST_NAME
from apps.conversations.part_rules import LONGEST_CALL_ID
from apps.engine.messages.media import ANTHROPIC_FILE, OPENAI_FILE
from apps.engine.messages.message import DATA, PartKind
from apps.engine.messages.tool_arguments import compact

Fields = dict[str, Any]
_PDF, _JSON = "application/pdf", "application/json"
_OWN = frozenset({"role", "content", "name", "speaker", "parts", "created_at", "external_id"})
"""What a message may have of ours where it is a whole response."""
_RESPONSE = "message"
_REASONING = ("reasoning_content", "reasoning")
_NOT_STORED = "function_call"
_THEIRS = frozenset(
    {
        *("annotations", "audio", "refusal", "tool_call_id", "tool_calls"),
        *("reasoning_details", *_REASONING, _NOT_STORED),
    }
)
_NOT_OURS = _THEIRS | {"id"}
_KEPT_AS_JSON = frozenset({"server_tool_use", "mcp_tool_use", "container_upload", "search_result", "tool_reference"})
_OF_SERVER_TOOLS = "_tool_result"


def in_own_form(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message with `content`, `parts` and `external_id` in place of a provider's fields; others stay as they are.

    >>> in_own_form({"role": "tool", "tool_call_id": "c1", "content": "4 files"})["parts"]
    [{'kind': 'tool_result', 'call_id': 'c1', 'text': '4 files'}]
    """
    is_response = message.get("type") == _RESPONSE
    if not (is_response or isinstance(message.get("content"), list) or _THEIRS & set(message)):
        return message
    ours = _OWN if is_response else message.keys() - _NOT_OURS
    own = {name: value for name, value in message.items() if name in ours}
    content, parts = _arranged([*_blocks(message)])
    if (call_id := message.get("tool_call_id")) is not None:
        result = {"kind": PartKind.TOOL_RESULT.value, "call_id": _id(call_id), "text": content}
        parts, content = [result, *parts], ""
    if message.get("id") is not None and own.get("external_id") is None:
        own["external_id"] = message["id"]
    every = [*listed(message, "parts"), *parts]
    return {**own, "content": content, **({"parts": every} if every else {})}


def _arranged(blocks: list[Fields]) -> tuple[str, list[Fields]]:
    """Content and parts. The texts are the content where they follow each other; otherwise the first of them are, if
    they begin the message, and the rest are parts, so that each stays with its image."""
    hidden, seen = [*filter(_is_hidden, blocks)], [*filterfalse(_is_hidden, blocks)]
    if sum(is_text for is_text, _ in groupby(seen, key=_is_text)) <= 1:
        return _lines(filter(_is_text, seen)), [*hidden, *filterfalse(_is_text, seen)]
    first = [*takewhile(_is_text, seen)]
    return _lines(first), [*hidden, *seen[len(first) :]]


def _is_text(part: Fields) -> bool:
    return bool(part["kind"] == PartKind.TEXT.value)


def _is_hidden(part: Fields) -> bool:
    return bool(part["kind"] == PartKind.REASONING.value)


def _lines(parts: Iterable[Fields]) -> str:
    return "\n".join(part["text"] for part in parts if part["text"])


def _blocks(message: Mapping[str, Any]) -> Iterator[Fields]:
    for name in _REASONING:
        if isinstance(reasoning := message.get(name), str) and reasoning:
            yield {"kind": PartKind.REASONING.value, "text": reasoning}
            break
    content = message.get("content")
    if isinstance(content, str):
        yield _text(content)
    elif content is not None:
        for block in listed(message, "content"):
            yield from _part(block)
    if message.get("refusal"):
        yield _text(required_text(message, "refusal"))
    if message.get("audio"):
        yield _text(required_text(_object(message, "audio"), "transcript"))
    for call in listed(message, "tool_calls"):
        yield _openai_call(call)
    if message.get(_NOT_STORED):
        raise BadMessage("unknown_block", f"{_NOT_STORED} cannot be stored; send tool_calls")


def _part(block: Mapping[str, Any]) -> Iterator[Fields]:
    kind = required_text(block, "type")
    if kind == "tool_result":
        yield from _tool_result(block)
    else:
        yield _single(block)


def _single(block: Mapping[str, Any]) -> Fields:
    kind = required_text(block, "type")
    if kind in _BLOCKS:
        return _BLOCKS[kind](block)
    if kind in _KEPT_AS_JSON or kind.endswith(_OF_SERVER_TOOLS):
        return {**_media(PartKind.FILE, None, _JSON, kind), "text": _json(block)}
    raise BadMessage("unknown_block", f"a content block of the type {shown(kind)} cannot be stored")


def _json(value: Any) -> str:
    try:
        return compact(value)
    except (ValueError, RecursionError) as error:
        raise BadMessage("wrong_type", "it has what JSON cannot hold") from error


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
    inside = [_text(content)] if isinstance(content, str) else [*map(_single, listed(block, "content"))]
    text = _lines(filter(_is_text, inside))
    result = {"kind": PartKind.TOOL_RESULT.value, "call_id": _id(block.get("tool_use_id")), "text": text}
    yield {**result, "is_error": True} if block.get("is_error") else result
    yield from filterfalse(_is_text, inside)


def _openai_image(block: Mapping[str, Any]) -> Fields:
    if block.get("file_id"):
        return _media(PartKind.IMAGE, f"{OPENAI_FILE}{required_text(block, 'file_id')}")
    url = block.get("image_url")
    return _media(PartKind.IMAGE, url if isinstance(url, str) else required_text(_object(block, "image_url"), "url"))


def _openai_file(block: Mapping[str, Any]) -> Fields:
    file = _object(block, "file") if "file" in block else block
    name = file.get("filename")
    if file.get("file_id"):
        return _media(PartKind.FILE, f"{OPENAI_FILE}{required_text(file, 'file_id')}", name=name)
    if file.get("file_url"):
        return _media(PartKind.FILE, required_text(file, "file_url"), name=name)
    data = required_text(file, "file_data")
    return _media(PartKind.FILE, data if data.startswith(DATA) else _data_url(_PDF, data), name=name)


def _openai_audio(block: Mapping[str, Any]) -> Fields:
    audio = _object(block, "input_audio")
    media_type = f"audio/{required_text(audio, 'format')}"
    return _media(PartKind.FILE, _data_url(media_type, required_text(audio, "data")), media_type)


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
    name = name[:LONGEST_NAME] if isinstance(name, str) else name
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
    return {"kind": PartKind.REASONING.value, "signature": block.get("data", ""), "is_redacted": True}


def _tool_use(block: Mapping[str, Any]) -> Fields:
    return _call(block.get("id"), block.get("name"), _json(block.get("input") or {}))


_BLOCKS: Mapping[str, Callable[[Mapping[str, Any]], Fields]] = MappingProxyType(
    {
        **dict.fromkeys(("text", "input_text", "output_text"), lambda block: _text(required_text(block, "text"))),
        "refusal": lambda block: _text(required_text(block, "refusal")),
        "image_url": _openai_image,
        "input_image": _openai_image,
        "file": _openai_file,
        "input_file": _openai_file,
        "input_audio": _openai_audio,
        "image": partial(_from_source, PartKind.IMAGE),
        "document": partial(_from_source, PartKind.FILE),
        "tool_use": _tool_use,
        "thinking": _thinking,
        "redacted_thinking": _redacted_thinking,
    }
)


def _object(fields: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise BadMessage("wrong_type", f"{name} must be an object, not {kind_of(value)}")
    return value
