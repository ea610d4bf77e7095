"""Items of our own export that no other store has: user memory, pins, agent sessions and their observations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.conversations.imports.field_checks import BadMessage, kind_of, shown
from apps.hooks.imports.fields import Fields, content_of, date_of, number_of, session_id_of, short_of, text_of, texts_of

_LONGEST_PATH, _LONGEST_SUMMARY = 1_000, 2_000


@dataclass(frozen=True, slots=True)
class UserMemoryItem:
    type: str
    name: str
    content: str
    is_active: bool


@dataclass(frozen=True, slots=True)
class PinItem:
    """A pin; `message` is the external id of its message, if it was made from one."""

    conversation: str
    content: str
    category: str
    message: str = ""


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
    name, content = _required(fields, "name"), content_of(fields, "content")
    return UserMemoryItem(_required(fields, "type"), name, content, fields.get("is_active") is not False)


def read_pin(fields: Fields) -> PinItem:
    content, category = content_of(fields, "content"), _required(fields, "category")
    return PinItem(_required(fields, "conversation"), content, category, short_of(fields, "message"))


def read_agent_session(fields: Fields) -> AgentSessionItem:
    return AgentSessionItem(
        conversation=_required(fields, "conversation"),
        client=_required(fields, "client"),
        session_id=session_id_of(fields),
        project=short_of(fields, "project"),
        cwd=short_of(fields, "cwd", _LONGEST_PATH),
        model=short_of(fields, "model", 120),
        started_at=_date(fields, "started_at"),
        last_event_at=_date(fields, "last_event_at"),
        ended_at=date_of(fields, "ended_at"),
        end_reason=short_of(fields, "end_reason", 60),
        prompt_count=number_of(fields, "prompt_count"),
        tool_count=number_of(fields, "tool_count"),
    )


def read_agent_observation(fields: Fields) -> AgentObservationItem:
    details = fields.get("details") or {}
    if not isinstance(details, dict):
        raise BadMessage("wrong_type", f"details must be an object, not {kind_of(details)}")
    return AgentObservationItem(
        conversation=_required(fields, "conversation"),
        event_key=_required(fields, "event_key"),
        observed=_required(fields, "observed"),
        title=short_of(fields, "title"),
        tool_name=short_of(fields, "tool_name"),
        digest=text_of(fields, "digest"),
        files=texts_of(fields, "files"),
        is_error=fields.get("is_error") is True,
        agent_id=short_of(fields, "agent_id"),
        details=details,
        occurred_at=_date(fields, "occurred_at"),
        message=short_of(fields, "message"),
    )


def one_of(value: str, choices: tuple[str, ...]) -> str:
    """The value; raise `BadMessage` if it is none of the choices."""
    if value not in choices:
        raise BadMessage("unknown_value", f"{shown(value)} is not one of {', '.join(choices)}")
    return value


def _required(fields: Fields, name: str) -> str:
    if not (text := short_of(fields, name)):
        raise BadMessage("missing_field", f"{name} is missing")
    return text


def _date(fields: Fields, name: str) -> datetime:
    if (date := date_of(fields, name)) is None:
        raise BadMessage("missing_field", f"{name} is missing")
    return date
