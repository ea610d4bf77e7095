"""Entries of a transcript as plain data, read from objects whose format is internal to the agent and may change.

Fields of another type than expected count as absent. Texts can be stored: without NUL characters and lone surrogates.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from apps.engine.messages.tool_arguments import compact
from apps.engine.text.normal_form import cleaned
from apps.engine.transcripts.lines import CHAIN_TYPES

_EARLIEST_YEAR, _LATEST_YEAR = 2000, 2199


class BlockKind(StrEnum):
    TEXT = "text"
    THINKING = "thinking"
    TOOL_USE = "tool_use"
    TOOL_RESULT = "tool_result"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a message; `text` of a tool's use is its arguments as JSON, that of a result its output."""

    kind: BlockKind
    text: str = ""
    call_id: str = ""
    name: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0


@dataclass(frozen=True, slots=True)
class CompactBoundary:
    """What the agent noted when it replaced older messages by a summary.

    The messages `preserved` after it follow the entry `anchor`, in this order. Older files name only the first and the
    last of them, `head` and `tail`.
    """

    trigger: str = ""
    pre_tokens: int = 0
    anchor: str = ""
    preserved: tuple[str, ...] = ()
    head: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `parent` is the entry before it; `logical_parent` the one before a compaction, which is no parent."""

    line: int
    kind: str
    uuid: str = ""
    parent: str = ""
    logical_parent: str = ""
    session_id: str = ""
    at: datetime | None = None
    cwd: str = ""
    version: str = ""
    git_branch: str = ""
    agent_id: str = ""
    team: str = ""
    is_sidechain: bool = False
    is_meta: bool = False
    is_compact_summary: bool = False
    message_id: str = ""
    model: str = ""
    blocks: tuple[Block, ...] = ()
    usage: Usage | None = None
    boundary: CompactBoundary | None = None
    title: str = ""
    title_of: str = ""

    @property
    def is_in_chain(self) -> bool:
        return self.kind in CHAIN_TYPES and bool(self.uuid)

    @property
    def is_spoken(self) -> bool:
        return self.kind in ("user", "assistant")

    @property
    def is_main(self) -> bool:
        """Whether it belongs to the conversation with the user, not to a subagent or another team member."""
        return not (self.is_sidechain or self.team or self.is_meta)

    @property
    def is_visible(self) -> bool:
        return self.is_spoken and self.is_main


def entry_of(value: dict[str, Any], line: int) -> Entry:
    """Read an entry from the object of a line.

    >>> entry_of({"type": "user", "uuid": "u1", "message": {"role": "user", "content": "Hello"}}, 1).blocks[0].text
    'Hello'
    """
    message = _object(value, "message")
    kind = _text(value, "type")
    return Entry(
        line=line,
        kind=kind,
        uuid=_text(value, "uuid"),
        parent=_text(value, "parentUuid"),
        logical_parent=_text(value, "logicalParentUuid"),
        session_id=_text(value, "sessionId"),
        at=_date(value.get("timestamp")),
        cwd=_text(value, "cwd"),
        version=_text(value, "version"),
        git_branch=_text(value, "gitBranch"),
        agent_id=_text(value, "agentId"),
        team=_text(value, "teamName"),
        is_sidechain=bool(value.get("isSidechain")),
        is_meta=bool(value.get("isMeta")),
        is_compact_summary=bool(value.get("isCompactSummary")),
        message_id=_text(message, "id"),
        model=_text(message, "model"),
        blocks=_blocks(message.get("content")),
        usage=_usage(message),
        boundary=_boundary(value),
        title=_text(value, "customTitle") or _text(value, "aiTitle") or (_text(value, "summary") * (kind == "summary")),
        title_of=_text(value, "leafUuid"),
    )


def _text(value: dict[str, Any], name: str) -> str:
    text = value.get(name)
    return cleaned(text) if isinstance(text, str) else ""


def _object(value: dict[str, Any], name: str) -> dict[str, Any]:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}


def _number(value: dict[str, Any], name: str) -> int:
    number = value.get(name)
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 10**12 else 0


def _date(value: Any) -> datetime | None:
    """An ISO 8601 date; without a time zone it is UTC."""
    if not isinstance(value, str):
        return None
    try:
        date = datetime.fromisoformat(value)
        date = date if date.tzinfo else datetime.fromisoformat(f"{date.isoformat()}+00:00")
    except ValueError:
        return None
    return date if _EARLIEST_YEAR <= date.year <= _LATEST_YEAR else None


def _blocks(content: Any) -> tuple[Block, ...]:
    if isinstance(content, str):
        return (Block(BlockKind.TEXT, cleaned(content)),)
    listed = content if isinstance(content, list) else []
    blocks = [_block(one) for one in listed if isinstance(one, dict)]
    return tuple(block for block in blocks if block is not None)


def _block(value: dict[str, Any]) -> Block | None:
    kind = value.get("type")
    if kind not in tuple(BlockKind):
        return None
    if kind == BlockKind.TOOL_USE:
        arguments = cleaned(_compact(value.get("input")))
        return Block(BlockKind.TOOL_USE, arguments, _text(value, "id"), _text(value, "name"))
    if kind == BlockKind.TOOL_RESULT:
        output = _output(value.get("content"))
        return Block(BlockKind.TOOL_RESULT, output, _text(value, "tool_use_id"), is_error=bool(value.get("is_error")))
    return Block(BlockKind(kind), _text(value, "thinking" if kind == BlockKind.THINKING else "text"))


def _compact(value: Any) -> str:
    """The value as JSON; an empty object if it contains what JSON has no form for, such as NaN."""
    try:
        return compact(value)
    except ValueError:
        return "{}"


def _output(content: Any) -> str:
    """The text of a tool's result."""
    if isinstance(content, str):
        return cleaned(content)
    parts = content if isinstance(content, list) else []
    return "\n".join(_text(part, "text") for part in parts if isinstance(part, dict) and part.get("type") == "text")


def _usage(message: dict[str, Any]) -> Usage | None:
    usage = _object(message, "usage")
    return Usage(**{name: _number(usage, name) for name in Usage.__slots__}) if usage else None


def _boundary(value: dict[str, Any]) -> CompactBoundary | None:
    """Files spell the names in camel case, streams in snake case."""
    if value.get("subtype") != "compact_boundary":
        return None
    metadata = _object(value, "compactMetadata") or _object(value, "compact_metadata")
    messages = _object(metadata, "preservedMessages") or _object(metadata, "preserved_messages")
    segment = _object(metadata, "preservedSegment") or _object(metadata, "preserved_segment")
    uuids = messages.get("uuids")
    return CompactBoundary(
        trigger=_text(metadata, "trigger"),
        pre_tokens=_number(metadata, "preTokens") or _number(metadata, "pre_tokens"),
        anchor=_either(messages, "anchor") or _either(segment, "anchor"),
        preserved=tuple(one for one in uuids if isinstance(one, str)) if isinstance(uuids, list) else (),
        head=_either(segment, "head"),
        tail=_either(segment, "tail"),
    )


def _either(value: dict[str, Any], name: str) -> str:
    return _text(value, f"{name}Uuid") or _text(value, f"{name}_uuid")
