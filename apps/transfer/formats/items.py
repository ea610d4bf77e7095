"""Items of an import as plain data, read from what a client sent; a bad one is refused with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from apps.conversations.field_checks import BadMessage, kind_of, required_text
from apps.conversations.limits import LONGEST_EXTERNAL_ID, LONGEST_NAME
from apps.engine.pack.negotiation import LARGEST_BUDGET
from apps.transfer.formats.clean_text import clean
from apps.transfer.formats.fields import (
    Fields,
    clean_short_of,
    clean_text_of,
    clean_texts_of,
    clean_title_of,
    content_of,
    date_of,
    number_of,
    object_of,
    session_id_of,
    short_of,
    texts_of,
    verbatim_of,
)
from apps.transfer.formats.transcript_content import lines_in
from apps.transfer.records import MOST_PROBLEMS, ItemProblem

LONGEST_KEY = 200
_LONGEST_PATH = 1_000
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
    """A conversation or a part of one; its messages are checked one by one.

    `is_own` if it is from our own export, which alone has the fields after it. A fork has the name of what it was
    `copied_from`, and `copied_through` is the name of its last copied message.
    """

    external_id: str
    title: str
    messages: tuple[Any, ...]
    first_number: int = 1
    is_own: bool = False
    system_prompt: str = ""
    remembers: bool = True
    token_budget: int | None = None
    archived_at: datetime | None = None
    created_at: datetime | None = None
    active_at: datetime | None = None
    others_could_write: bool = False
    own_names: tuple[str, ...] = ()
    confirmed: bool = True
    copied_from: str = ""
    copied_through: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptItem:
    """A transcript file of a coding agent or a part of one, whole lines from `first_line` on.

    `damaged` is what the client saw of the lines' bytes. A file that is a subagent's has its `agent_id`, and its
    `agent_type` if that is known.
    """

    session_id: str
    lines: tuple[bytes, ...]
    project: str = ""
    first_line: int = 1
    damaged: tuple[ItemProblem, ...] = ()
    agent_id: str = ""
    agent_type: str = ""


@dataclass(frozen=True, slots=True)
class NodeItem:
    """A memory in the format of our own export; `state` is what it had beside its content."""

    node: Fields
    state: Fields


@dataclass(frozen=True, slots=True)
class OmittedItem:
    """What the client could not read (`is_refused`) or does not import, with the reason."""

    reason: str
    detail: str = ""
    is_refused: bool = False


def key_of(fields: Any) -> str:
    """The key of an item; empty if it has none."""
    key = fields.get("key") if isinstance(fields, dict) else None
    return key if isinstance(key, str) and len(key) <= LONGEST_KEY else ""


def read_session(fields: Fields) -> SessionItem:
    return SessionItem(
        session_id=session_id_of(fields),
        project=clean_short_of(fields, "project"),
        cwd=clean_short_of(fields, "cwd", _LONGEST_PATH),
        model=clean_short_of(fields, "model", 120),
        title=clean_title_of(fields),
        started_at=date_of(fields, "started_at"),
        ended_at=date_of(fields, "ended_at"),
    )


def read_prompt(fields: Fields) -> PromptItem:
    content = clean(content_of(fields, "content")).strip()
    return PromptItem(
        session_id_of(fields), content, clean_short_of(fields, "project"), number_of(fields), date_of(fields, "at")
    )


def read_tool_use(fields: Fields) -> ToolUseItem:
    return ToolUseItem(
        session_id=session_id_of(fields),
        tool_use_id=short_of(fields, "tool_use_id"),
        tool_name=clean_short_of(fields, "tool_name") or "tool",
        tool_input=clean_text_of(fields, "tool_input"),
        tool_response=clean_text_of(fields, "tool_response"),
        project=clean_short_of(fields, "project"),
        agent_id=short_of(fields, "agent_id"),
        number=number_of(fields),
        at=date_of(fields, "at"),
    )


def read_observation(fields: Fields) -> ObservationItem:
    item = ObservationItem(
        session_id=session_id_of(fields),
        type=clean_short_of(fields, "type"),
        title=clean_short_of(fields, "title", 1_000),
        subtitle=clean_text_of(fields, "subtitle"),
        narrative=clean_text_of(fields, "narrative"),
        facts=clean_texts_of(fields, "facts"),
        concepts=clean_texts_of(fields, "concepts"),
        files=clean_texts_of(fields, "files"),
        project=clean_short_of(fields, "project"),
        agent_id=short_of(fields, "agent_id"),
        number=number_of(fields),
        at=date_of(fields, "at"),
    )
    if not (item.title or item.subtitle or item.narrative or item.facts):
        raise BadMessage("empty_content", "it has no text")
    return item


def read_summary(fields: Fields) -> SummaryItem:
    texts = {name: text for name in SUMMARY_FIELDS if (text := clean_text_of(fields, name))}
    if not texts:
        raise BadMessage("empty_content", "it has no text")
    return SummaryItem(
        session_id_of(fields), texts, clean_short_of(fields, "project"), number_of(fields), date_of(fields, "at")
    )


def read_memory(fields: Fields) -> MemoryItem:
    return MemoryItem(
        content=clean(content_of(fields, "content")).strip(),
        name=clean_short_of(fields, "name"),
        type=clean_short_of(fields, "type"),
        folder=clean_short_of(fields, "folder"),
        tags=tuple(tag[:64] for tag in clean_texts_of(fields, "tags")),
        at=date_of(fields, "at"),
        session_id=short_of(fields, "session_id"),
    )


def read_conversation(fields: Fields) -> ConversationItem:
    messages = fields.get("messages")
    if not isinstance(messages, list):
        raise BadMessage("wrong_type", f"messages must be a list, not {kind_of(messages)}")
    external_id = required_text(fields, "external_id").strip()
    if not external_id or len(external_id) > LONGEST_EXTERNAL_ID:
        raise BadMessage("bad_id", f"external_id must have 1 to {LONGEST_EXTERNAL_ID} characters")
    title = clean_title_of(fields)
    return ConversationItem(
        external_id,
        title,
        tuple(messages),
        first_number=number_of(fields, "first_number") or 1,
        is_own=fields.get("is_own") is True,
        system_prompt=verbatim_of(fields, "system_prompt"),
        remembers=fields.get("remembers") is not False,
        token_budget=min(number_of(fields, "token_budget"), LARGEST_BUDGET) or None,
        archived_at=date_of(fields, "archived_at"),
        created_at=date_of(fields, "created_at"),
        active_at=date_of(fields, "active_at"),
        others_could_write=fields.get("others_could_write") is True,
        own_names=tuple(name[:LONGEST_NAME] for name in texts_of(fields, "own_names")),
        confirmed=fields.get("confirmed") is not False,
        copied_from=short_of(fields, "copied_from"),
        copied_through=short_of(fields, "copied_through"),
    )


def read_transcript(fields: Fields) -> TranscriptItem:
    first_line = number_of(fields, "first_line") or 1
    damaged = tuple(_damage(fields.get("damaged")))
    return TranscriptItem(
        session_id=session_id_of(fields),
        lines=lines_in(fields),
        project=clean_short_of(fields, "project"),
        first_line=first_line,
        damaged=damaged,
        agent_id=short_of(fields, "agent_id"),
        agent_type=clean_short_of(fields, "agent_type", 100),
    )


def _damage(listed: Any) -> Iterator[ItemProblem]:
    for one in listed[:MOST_PROBLEMS] if isinstance(listed, list) else ():
        if isinstance(one, dict):
            yield ItemProblem(number_of(one, "line"), short_of(one, "code", 60), clean_short_of(one, "detail", 200))


def read_node(fields: Fields) -> NodeItem:
    node = fields.get("node")
    if not isinstance(node, dict):
        raise BadMessage("wrong_type", f"node must be an object, not {kind_of(node)}")
    return NodeItem(node, object_of(fields, "state"))


def read_omitted(fields: Fields) -> OmittedItem:
    is_refused = fields["kind"] == "problem"
    return OmittedItem(short_of(fields, "reason", 60) or "omitted", clean_short_of(fields, "detail", 500), is_refused)
