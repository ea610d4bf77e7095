"""Agent sessions, observations and outcomes of events as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from apps.agents.clients.event import AgentEvent
from apps.agents.models import AgentClientKind, AgentSession, Observation, ObservationKind

CLIENT_KINDS = tuple(AgentClientKind.values)
OBSERVATION_KINDS = tuple(ObservationKind.values)


INSTRUCTIONS = "instructions"
"""The detail of an observation that has the path of a file, and why and with which sentences the agent read it."""


class EventStatus(StrEnum):
    """What became of an event: new, known already, not stored on purpose, or not valid."""

    STORED = "stored"
    REPEATED = "repeated"
    IGNORED = "ignored"
    REFUSED = "refused"


STATUSES = tuple(status.value for status in EventStatus)


@dataclass(frozen=True, slots=True)
class Delivery:
    """How an event arrived: the client, the id that its spool gave it, and when it was recorded, if it says so."""

    client: str
    event_id: str = ""
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event and what became of it; `conversation_id` is that of its session, if it has one."""

    status: EventStatus
    event: AgentEvent | None = None
    conversation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class BatchItem:
    """An event of a batch; `problem` says why it cannot be read at all."""

    id: str | None
    payload: dict[str, Any] = field(default_factory=dict)
    recorded_at: datetime | None = None
    problem: str = ""
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of an event of a batch; a refused one has a problem."""

    id: str | None
    status: EventStatus
    problem: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """An agent's session, as part of the session of its conversation."""

    client: str
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
class ObservationRecord:
    id: UUID
    kind: str
    tool_name: str
    title: str
    digest: str
    files: list[str]
    is_error: bool
    agent_id: str
    message_id: UUID | None
    details: dict[str, Any]
    occurred_at: datetime


def agent_record(row: AgentSession) -> AgentRecord:
    return AgentRecord(
        client=row.client,
        project=row.project,
        cwd=row.cwd,
        model=row.model,
        started_at=row.started_at,
        last_event_at=row.last_event_at,
        ended_at=row.ended_at,
        end_reason=row.end_reason,
        prompt_count=row.prompt_count,
        tool_count=row.tool_count,
    )


def observation_record(row: Observation) -> ObservationRecord:
    return ObservationRecord(
        id=row.id,
        kind=row.kind,
        tool_name=row.tool_name,
        title=row.title,
        digest=row.digest,
        files=row.files,
        is_error=row.is_error,
        agent_id=row.agent_id,
        message_id=row.message_id,
        details=without_instructions(row.details),
        occurred_at=row.occurred_at,
    )


def without_instructions(details: Mapping[str, Any]) -> dict[str, Any]:
    """The details that are shown, exported and imported."""
    return {name: value for name, value in details.items() if name != INSTRUCTIONS}
