"""Items of our own export that no other store has: user memory, pins, summaries, agent sessions, and the history and
links of memories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.conversations.field_checks import BadMessage, shown
from apps.transfer.formats.fields import (
    Fields,
    content_of,
    count_of,
    date_of,
    number_of,
    object_of,
    objects_of,
    required_date,
    required_short,
    session_id_of,
    short_of,
    texts_of,
    verbatim_of,
)
from apps.transfer.formats.items import read_node
from apps.transfer.formats.own_runs import CompactionItem, read_compaction

_LONGEST_PATH, _MOST_LINES = 1_000, 500
MOST_COVERED = 5_000
"""Runs of messages that a version of a summary may cover."""


@dataclass(frozen=True, slots=True)
class UserMemoryItem:
    """An item of user memory; files from before they had dates lack them."""

    type: str
    name: str
    content: str
    is_active: bool
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PinItem:
    """A pin; `message` is the external id of its message, if it was made from one."""

    conversation: str
    content: str
    category: str
    message: str = ""
    pinned_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SummaryVersionItem:
    """A version of a rolling summary, whose lines name their messages.

    `covers` are pairs of names: the first and the last message of each run that the version covers. `number` is the
    version's, and `run` the compaction that stored it.
    """

    conversation: str
    cause: str
    summary: Fields
    removed: tuple[Fields, ...]
    covers: tuple[tuple[str, str], ...]
    undone: bool
    created_at: datetime
    number: int | None = None
    run: CompactionItem | None = None


@dataclass(frozen=True, slots=True)
class NodeHistoryItem:
    """Revisions of a memory from `number` on; the first ones come with its links to other memories."""

    node: str
    number: int
    revisions: tuple[Fields, ...]
    superseded_by: str
    merged_into: str
    merged_from: tuple[str, ...]
    sources: tuple[Fields, ...]
    archived_at: datetime | None


@dataclass(frozen=True, slots=True)
class NodeConflictItem:
    """A later memory that may replace an earlier one, and what was decided."""

    earlier: str
    later: str
    reason: str
    decision: str
    decided_at: datetime | None


@dataclass(frozen=True, slots=True)
class SessionMemoryItem:
    """A memory in the folder of a conversation, `mem://sessions/<id>`, as `NodeItem` has it; its address has the id
    that the conversation had."""

    conversation: str
    node: Fields
    state: Fields


@dataclass(frozen=True, slots=True)
class AgentSessionItem:
    """A session with all its fields, in a conversation that was exported before it."""

    conversation: str
    client: str
    session_id: str
    project: str
    cwd: str
    model: str
    started_at: datetime
    last_event_at: datetime
    ended_at: datetime | None
    end_reason: str
    prompt_count: int
    tool_count: int


@dataclass(frozen=True, slots=True)
class AgentObservationItem:
    """An observation with all its fields; `message` is the external id of its message, if it has one."""

    conversation: str
    event_key: str
    observed: str
    title: str
    tool_name: str
    digest: str
    files: tuple[str, ...]
    is_error: bool
    agent_id: str
    details: dict[str, Any]
    occurred_at: datetime
    message: str = ""


def read_user_memory(fields: Fields) -> UserMemoryItem:
    name, content, kind = required_short(fields, "name"), _content(fields), required_short(fields, "type")
    created_at, updated_at = date_of(fields, "created_at"), date_of(fields, "updated_at")
    if (created_at is None) != (updated_at is None):
        raise BadMessage("missing_field", "created_at and updated_at must both be there")
    if created_at and updated_at:
        # A clock may have been put back between the two.
        updated_at = max(created_at, updated_at)
    return UserMemoryItem(kind, name, content, fields.get("is_active") is not False, created_at, updated_at)


def read_pin(fields: Fields) -> PinItem:
    return PinItem(
        required_short(fields, "conversation"),
        _content(fields),
        required_short(fields, "category"),
        short_of(fields, "message"),
        date_of(fields, "pinned_at"),
    )


def read_summary_version(fields: Fields) -> SummaryVersionItem:
    cause = required_short(fields, "cause")
    number = count_of(fields, "version", least=1) if "version" in fields else None
    return SummaryVersionItem(
        conversation=required_short(fields, "conversation"),
        cause=cause,
        summary=object_of(fields, "summary"),
        removed=objects_of(fields, "removed", _MOST_LINES),
        covers=tuple(_pairs(fields.get("covers"))),
        undone=fields.get("undone") is True,
        created_at=required_date(fields, "created_at"),
        number=number,
        run=read_compaction(fields, cause=cause, number=number) if fields.get("run") is not None else None,
    )


def read_session_memory(fields: Fields) -> SessionMemoryItem:
    item = read_node(fields)
    return SessionMemoryItem(required_short(fields, "conversation"), item.node, item.state)


def read_node_history(fields: Fields) -> NodeHistoryItem:
    if not fields.get("revisions"):
        raise BadMessage("missing_field", "revisions are missing")
    return NodeHistoryItem(
        node=required_short(fields, "node"),
        number=number_of(fields) or 1,
        revisions=objects_of(fields, "revisions", _MOST_LINES),
        superseded_by=short_of(fields, "superseded_by"),
        merged_into=short_of(fields, "merged_into"),
        merged_from=texts_of(fields, "merged_from"),
        sources=objects_of(fields, "sources", _MOST_LINES),
        archived_at=date_of(fields, "archived_at"),
    )


def read_node_conflict(fields: Fields) -> NodeConflictItem:
    earlier, later, reason, decision = (
        required_short(fields, name) for name in ("earlier", "later", "reason", "decision")
    )
    return NodeConflictItem(earlier, later, reason, decision, date_of(fields, "decided_at"))


def _content(fields: Fields) -> str:
    """The content as it stands, which must not be empty."""
    content_of(fields, "content")
    return verbatim_of(fields, "content")


def _pairs(listed: Any) -> Iterator[tuple[str, str]]:
    pairs = listed if isinstance(listed, list) else []
    if len(pairs) > MOST_COVERED or not all(map(_is_pair, pairs)):
        raise BadMessage("wrong_type", f"covers must be a list of at most {MOST_COVERED:,} pairs of names")
    yield from ((first, last) for first, last in pairs)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)


def read_agent_session(fields: Fields) -> AgentSessionItem:
    return AgentSessionItem(
        conversation=required_short(fields, "conversation"),
        client=required_short(fields, "client"),
        session_id=session_id_of(fields),
        project=short_of(fields, "project"),
        cwd=short_of(fields, "cwd", _LONGEST_PATH),
        model=short_of(fields, "model", 120),
        started_at=required_date(fields, "started_at"),
        last_event_at=required_date(fields, "last_event_at"),
        ended_at=date_of(fields, "ended_at"),
        end_reason=short_of(fields, "end_reason", 60),
        prompt_count=number_of(fields, "prompt_count"),
        tool_count=number_of(fields, "tool_count"),
    )


def read_agent_observation(fields: Fields) -> AgentObservationItem:
    return AgentObservationItem(
        conversation=required_short(fields, "conversation"),
        event_key=required_short(fields, "event_key"),
        observed=required_short(fields, "observed"),
        title=short_of(fields, "title"),
        tool_name=short_of(fields, "tool_name"),
        digest=verbatim_of(fields, "digest"),
        files=texts_of(fields, "files"),
        is_error=fields.get("is_error") is True,
        agent_id=short_of(fields, "agent_id"),
        details=dict(object_of(fields, "details")),
        occurred_at=required_date(fields, "occurred_at"),
        message=short_of(fields, "message"),
    )


def one_of(value: str, choices: tuple[str, ...]) -> str:
    """The value; raise `BadMessage` if it is none of the choices."""
    if value not in choices:
        raise BadMessage("unknown_value", f"{shown(value)} is not one of {', '.join(choices)}")
    return value
