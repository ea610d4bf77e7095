"""Storing of each kind of event; each function returns whether something was new."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.agents.cleaning import cleaned, cleaned_excerpt, cleaned_input, cleaned_value
from apps.agents.clients.event import AgentEvent, EventKind, ToolRun
from apps.agents.models import AgentSession, ObservationKind
from apps.agents.services.compactions import compaction_details
from apps.agents.services.endings import end_follow
from apps.agents.services.instructions import instructions_observation
from apps.agents.services.messages import text_store, tool_exchange_store
from apps.agents.services.observations import LONGEST_DIGEST, ObservationDraft, is_observed, observation_store
from apps.agents.services.sessions import title_set
from apps.conversations.selectors.access import conversation_lock
from apps.engine.messages.message import Role
from apps.engine.messages.tool_digest import files_in, result_digest, result_text, tool_title
from apps.extraction.services.scheduling import extraction_schedule_if_due


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event that arrived in its session. `changed` is whether it changed the session's row; `key` identifies it."""

    actor: Actor
    session: AgentSession
    event: AgentEvent
    key: str
    at: datetime
    changed: bool


def arrival_store(arrival: Arrival) -> bool:
    """Store what the event brings; return whether it was new."""
    return _STORING[arrival.event.kind](arrival)


def _prompt(arrival: Arrival) -> bool:
    text = cleaned(arrival.event.text)
    if not text:
        return arrival.changed
    session = arrival.session
    stored = text_store(arrival.actor, session, Role.USER, text, arrival.key, arrival.at).stored > 0
    if stored:
        title_set(session.conversation_id, text)
        session.prompt_count += 1
        session.save(update_fields=["prompt_count"])
    return stored


def _reply(arrival: Arrival) -> bool:
    text = cleaned(arrival.event.text)
    if not text:
        return arrival.changed
    return text_store(arrival.actor, arrival.session, Role.ASSISTANT, text, arrival.key, arrival.at).stored > 0


def _tool(arrival: Arrival) -> bool:
    session, run = arrival.session, arrival.event.tool or ToolRun("", None, None)
    if is_observed(session, arrival.key):
        return False
    name = cleaned(run.name) or "tool"
    value = cleaned_value(run.input)
    given, result = cleaned_input(value), cleaned_excerpt(result_text(run.result))
    # A subagent's tools are not part of the session's own messages.
    message_id = None
    if not arrival.event.agent_id:
        texts = (given, result)
        appended = tool_exchange_store(arrival.actor, session, name, texts, arrival.key, arrival.at)
        if not appended.stored:
            # Its messages were deleted since, and its observation with them.
            return False
        message_id = appended.records[-1].id
    kind = ObservationKind.TOOL_FAILURE if run.is_error else ObservationKind.TOOL
    draft = ObservationDraft(
        kind=kind.value,
        key=arrival.key,
        title=tool_title(name, value),
        digest=result_digest(result or given, LONGEST_DIGEST),
        tool_name=name,
        files=files_in(value),
        is_error=run.is_error,
        agent_id=cleaned(arrival.event.agent_id),
        message_id=message_id,
    )
    observation_store(session, draft, arrival.at)
    session.tool_count += 1
    session.save(update_fields=["tool_count"])
    return True


def _compacting(arrival: Arrival) -> bool:
    """Read for memories what the agent is about to summarize."""
    conversation = conversation_lock(arrival.session.conversation_id)
    extraction_schedule_if_due(conversation=conversation, policy=policy_for_workspace(), at_once=True)
    return _observe(arrival, ObservationKind.COMPACTION, f"Compaction begins {_trigger(arrival)}", arrival.event.text)


def _compacted(arrival: Arrival) -> bool:
    summary = cleaned(arrival.event.text)
    title = f"Compacted {_trigger(arrival)}"
    if is_observed(arrival.session, arrival.key):
        return False
    draft = ObservationDraft(
        kind=ObservationKind.COMPACTION.value,
        key=arrival.key,
        title=title,
        digest=result_digest(summary, LONGEST_DIGEST),
        details=compaction_details(arrival.session.conversation_id, summary),
    )
    observation_store(arrival.session, draft, arrival.at)
    return True


def _observed(arrival: Arrival) -> bool:
    return _observe(arrival, ObservationKind(arrival.event.observed), arrival.event.title, arrival.event.text)


def _instructions(arrival: Arrival) -> bool:
    if is_observed(arrival.session, arrival.key):
        return False
    observation_store(arrival.session, instructions_observation(arrival.event, arrival.key), arrival.at)
    return True


def _activity(arrival: Arrival) -> bool:
    return arrival.changed


def _end(arrival: Arrival) -> bool:
    if arrival.changed and arrival.session.ended_at is not None:
        end_follow(arrival.session.conversation_id)
    return arrival.changed


def _observe(arrival: Arrival, kind: ObservationKind, title: str, text: str) -> bool:
    if is_observed(arrival.session, arrival.key):
        return False
    draft = ObservationDraft(
        kind=kind.value,
        key=arrival.key,
        title=cleaned(title) or arrival.event.name,
        digest=result_digest(cleaned_excerpt(text), LONGEST_DIGEST),
        is_error=arrival.event.is_error,
        agent_id=cleaned(arrival.event.agent_id),
    )
    observation_store(arrival.session, draft, arrival.at)
    return True


def _trigger(arrival: Arrival) -> str:
    return f"({cleaned(arrival.event.reason)})" if arrival.event.reason else ""


_STORING: Mapping[EventKind, Callable[[Arrival], bool]] = {
    EventKind.START: _activity,
    EventKind.PROMPT: _prompt,
    EventKind.TOOL: _tool,
    EventKind.REPLY: _reply,
    EventKind.COMPACTING: _compacting,
    EventKind.COMPACTED: _compacted,
    EventKind.OBSERVED: _observed,
    EventKind.INSTRUCTIONS: _instructions,
    EventKind.ACTIVITY: _activity,
    EventKind.END: _end,
}
