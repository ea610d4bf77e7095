"""Items of an import as plain data, read from what a client sent; a bad one is refused with a reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from apps.conversations.imports.field_checks import BadMessage, kind_of, optional_text, required_text, shown
from apps.conversations.limits import LONGEST_CONTENT, LONGEST_EXTERNAL_ID, LONGEST_TITLE
from apps.hooks.import_records import MOST_PROBLEMS, ItemProblem
from apps.hooks.imports.transcript_content import lines_in

Fields = Mapping[str, Any]
LONGEST_KEY = 200
MOST_LISTED = 200
_LONGEST_NAME, _LONGEST_PATH = 200, 1_000
SUMMARY_FIELDS = ("request", "investigated", "learned", "completed", "next_steps", "notes")


class ImportSource(StrEnum):
    """Where items come from; a key is unique within its source."""

    CLAUDE_MEM = "claude-mem"
    TRANSCRIPTS = "transcripts"
    CLAUDE_MEMORY = "claude-memory"
    JSON = "json"
    CHATGPT = "chatgpt"
    CLAUDE_AI = "claude-ai"


@dataclass(frozen=True, slots=True)
class SessionItem:
    """A session of a coding agent."""

    session_id: str
    project: str = ""
    cwd: str = ""
    model: str = ""
    title: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PromptItem:
    """A message of the user in a session; `number` counts the session's prompts."""

    session_id: str
    content: str
    project: str = ""
    number: int = 0
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ToolUseItem:
    """A tool's run in a session, with its input and result as text."""

    session_id: str
    tool_use_id: str
    tool_name: str
    tool_input: str = ""
    tool_response: str = ""
    project: str = ""
    agent_id: str = ""
    number: int = 0
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ObservationItem:
    """What another memory tool noted in a session."""

    session_id: str
    type: str = ""
    title: str = ""
    subtitle: str = ""
    narrative: str = ""
    facts: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    project: str = ""
    agent_id: str = ""
    number: int = 0
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """A summary of a session or a part of it, by `SUMMARY_FIELDS`."""

    session_id: str
    texts: Mapping[str, str]
    project: str = ""
    number: int = 0
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A single memory; `type` is the other store's word for its kind, `folder` the thing that it is about, and
    `session_id` the agent's session in which it was written."""

    content: str
    name: str = ""
    type: str = ""
    folder: str = ""
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class ConversationItem:
    """A conversation or a part of one; its messages are checked one by one."""

    external_id: str
    title: str
    messages: tuple[Any, ...]
    first_number: int = 1


@dataclass(frozen=True, slots=True)
class TranscriptItem:
    """A transcript file of a coding agent or a part of one, whole lines from `first_line` on.

    `damaged` is what the client saw of the lines' bytes.
    """

    session_id: str
    lines: tuple[bytes, ...]
    project: str = ""
    first_line: int = 1
    damaged: tuple[ItemProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeItem:
    """A memory in the format of our own export."""

    node: Fields


@dataclass(frozen=True, slots=True)
class OmittedItem:
    """What the client could not read (`is_refused`) or does not import, with the reason."""

    reason: str
    detail: str = ""
    is_refused: bool = False


Content = (
    SessionItem
    | PromptItem
    | ToolUseItem
    | ObservationItem
    | SummaryItem
    | MemoryItem
    | ConversationItem
    | TranscriptItem
    | NodeItem
    | OmittedItem
)


def key_of(fields: Any) -> str:
    """The key of an item; empty if it has none."""
    key = fields.get("key") if isinstance(fields, dict) else None
    return key if isinstance(key, str) and len(key) <= LONGEST_KEY else ""


def item_of(fields: Fields) -> Content:
    """Read an item; raise `BadMessage` with the reason if it cannot be stored."""
    kind = required_text(fields, "kind")
    if kind not in _READERS:
        raise BadMessage("unknown_kind", f"{shown(kind)} is not one of {', '.join(_READERS)}")
    return _READERS[kind](fields)


def _session(fields: Fields) -> SessionItem:
    return SessionItem(
        session_id=_session_id(fields),
        project=_short(fields, "project"),
        cwd=_short(fields, "cwd", _LONGEST_PATH),
        model=_short(fields, "model", 120),
        title=_short(fields, "title", LONGEST_TITLE),
        started_at=_date(fields, "started_at"),
        ended_at=_date(fields, "ended_at"),
    )


def _prompt(fields: Fields) -> PromptItem:
    content = _content(fields, "content")
    return PromptItem(_session_id(fields), content, _short(fields, "project"), _number(fields), _date(fields, "at"))


def _tool_use(fields: Fields) -> ToolUseItem:
    return ToolUseItem(
        session_id=_session_id(fields),
        tool_use_id=_short(fields, "tool_use_id"),
        tool_name=_short(fields, "tool_name") or "tool",
        tool_input=_text(fields, "tool_input"),
        tool_response=_text(fields, "tool_response"),
        project=_short(fields, "project"),
        agent_id=_short(fields, "agent_id"),
        number=_number(fields),
        at=_date(fields, "at"),
    )


def _observation(fields: Fields) -> ObservationItem:
    item = ObservationItem(
        session_id=_session_id(fields),
        type=_short(fields, "type"),
        title=_short(fields, "title", 1_000),
        subtitle=_text(fields, "subtitle"),
        narrative=_text(fields, "narrative"),
        facts=_list(fields, "facts"),
        concepts=_list(fields, "concepts"),
        files=_list(fields, "files"),
        project=_short(fields, "project"),
        agent_id=_short(fields, "agent_id"),
        number=_number(fields),
        at=_date(fields, "at"),
    )
    if not (item.title or item.subtitle or item.narrative or item.facts):
        raise BadMessage("empty_content", "it has no text")
    return item


def _summary(fields: Fields) -> SummaryItem:
    texts = {name: text for name in SUMMARY_FIELDS if (text := _text(fields, name))}
    if not texts:
        raise BadMessage("empty_content", "it has no text")
    return SummaryItem(_session_id(fields), texts, _short(fields, "project"), _number(fields), _date(fields, "at"))


def _memory(fields: Fields) -> MemoryItem:
    return MemoryItem(
        content=_content(fields, "content"),
        name=_short(fields, "name"),
        type=_short(fields, "type"),
        folder=_short(fields, "folder"),
        tags=tuple(tag[:64] for tag in _list(fields, "tags")),
        at=_date(fields, "at"),
        session_id=_short(fields, "session_id"),
    )


def _conversation(fields: Fields) -> ConversationItem:
    messages = fields.get("messages")
    if not isinstance(messages, list):
        raise BadMessage("wrong_type", f"messages must be a list, not {kind_of(messages)}")
    external_id = required_text(fields, "external_id").strip()
    if not external_id or len(external_id) > LONGEST_EXTERNAL_ID:
        raise BadMessage("bad_id", f"external_id must have 1 to {LONGEST_EXTERNAL_ID} characters")
    title = _short(fields, "title", LONGEST_TITLE)
    return ConversationItem(external_id, title, tuple(messages), _number(fields, "first_number") or 1)


def _transcript(fields: Fields) -> TranscriptItem:
    first_line = _number(fields, "first_line") or 1
    damaged = tuple(_damage(fields.get("damaged")))
    return TranscriptItem(_session_id(fields), lines_in(fields), _short(fields, "project"), first_line, damaged)


def _damage(listed: Any) -> Iterator[ItemProblem]:
    for one in listed[:MOST_PROBLEMS] if isinstance(listed, list) else ():
        if isinstance(one, dict):
            yield ItemProblem(_number(one, "line"), _short(one, "code", 60), _short(one, "detail", 200))


def _node(fields: Fields) -> NodeItem:
    node = fields.get("node")
    if not isinstance(node, dict):
        raise BadMessage("wrong_type", f"node must be an object, not {kind_of(node)}")
    return NodeItem(node)


def _omitted(fields: Fields) -> OmittedItem:
    is_refused = fields["kind"] == "problem"
    return OmittedItem(_short(fields, "reason", 60) or "omitted", _short(fields, "detail", 500), is_refused)


_READERS: Mapping[str, Callable[[Fields], Content]] = MappingProxyType(
    {
        "session": _session,
        "prompt": _prompt,
        "tool_use": _tool_use,
        "observation": _observation,
        "summary": _summary,
        "memory": _memory,
        "conversation": _conversation,
        "transcript": _transcript,
        "node": _node,
        "skip": _omitted,
        "problem": _omitted,
    }
)
KINDS = tuple(_READERS)


def _session_id(fields: Fields) -> str:
    session_id = required_text(fields, "session_id").strip()
    if not session_id or len(session_id) > 190:
        raise BadMessage("bad_id", "session_id must have 1 to 190 characters")
    return session_id


def _text(fields: Fields, name: str, longest: int = LONGEST_CONTENT) -> str:
    return (optional_text(fields, name, longest) or "").strip()


def _short(fields: Fields, name: str, longest: int = _LONGEST_NAME) -> str:
    """A text that is cut where it is long, because it only labels something."""
    return _text(fields, name)[:longest]


def _content(fields: Fields, name: str) -> str:
    required_text(fields, name)
    if not (text := _text(fields, name)):
        raise BadMessage("empty_content", f"{name} is empty")
    return text


def _list(fields: Fields, name: str) -> tuple[str, ...]:
    listed = fields.get(name) or []
    if not isinstance(listed, list):
        raise BadMessage("wrong_type", f"{name} must be a list, not {kind_of(listed)}")
    texts = [_text({name: one}, name) for one in listed[:MOST_LISTED] if one is not None]
    return tuple(text for text in texts if text)


def _number(fields: Fields, name: str = "number") -> int:
    number = fields.get(name)
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**31 else 0


def _date(fields: Fields, name: str) -> datetime | None:
    """An ISO 8601 date, or milliseconds since 1970."""
    value = fields.get(name)
    if value is None:
        return None
    try:
        if isinstance(value, str):
            date = datetime.fromisoformat(value)
            date = (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            date = datetime.fromtimestamp(value / 1_000, UTC)
        else:
            raise ValueError
    except (ValueError, OverflowError, OSError):
        raise BadMessage("bad_date", f"{name} is {shown(value)}, which is no date") from None
    return date
