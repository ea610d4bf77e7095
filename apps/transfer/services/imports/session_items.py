"""Items of agent sessions: sessions, prompts, tool uses, observations and summaries of another memory tool."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import partial

from django.utils import timezone

from apps.agents.models import AgentClientKind, AgentSession, Observation, ObservationKind
from apps.agents.services.observations import LONGEST_DIGEST, ObservationDraft, is_observed, observation_store
from apps.conversations.models import MessageRole
from apps.conversations.records import MessageDraft
from apps.engine.messages.tool_digest import result_digest
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.transfer.formats.clean_text import PRIVATE, clean
from apps.transfer.formats.items import ObservationItem, PromptItem, SessionItem, SummaryItem, ToolUseItem
from apps.transfer.formats.mapping import concept_names, observation_address, observation_text, summary_text
from apps.transfer.models import ImportedItem, ImportStatus
from apps.transfer.services.imports.batch import Batch, NewMemory, NewSummary
from apps.transfer.services.imports.outcomes import NotImported, Outcome
from apps.transfer.services.imports.recorded import tool_is_recorded
from apps.transfer.services.imports.sessions import SessionFacts, message_before

_LONGEST_TITLE = 200


def session_store(batch: Batch, outcome: Outcome, item: SessionItem) -> None:
    facts = SessionFacts(
        item.session_id, item.project, item.cwd, item.model, item.title, item.started_at, item.ended_at
    )
    session, is_new = batch.sessions.ensure(facts, AgentClientKind.IMPORT)
    _note(outcome, session)
    if not is_new and session.client != AgentClientKind.IMPORT:
        outcome.end(ImportStatus.EXISTING, "session_recorded")


def prompt_store(batch: Batch, outcome: Outcome, item: PromptItem) -> None:
    session = _session(batch, outcome, item.session_id, item.project, item.at)
    if item.content in ("", PRIVATE):
        raise NotImported(ImportStatus.SKIPPED, "private")
    draft = MessageDraft(MessageRole.USER.value, item.content, external_id=outcome.key, created_at=item.at)
    drafts = batch.recorded.unrecorded(session, [draft], partial(_own_prompts, batch))
    if not drafts:
        raise NotImported(ImportStatus.EXISTING, "session_recorded")
    appended = batch.append(session.conversation_id, drafts)
    batch.prompts.add(outcome.key)
    session.prompt_count += appended.stored
    outcome.messages += appended.stored


def tool_use_store(batch: Batch, outcome: Outcome, item: ToolUseItem) -> None:
    session = _session(batch, outcome, item.session_id, item.project, item.at)
    if tool_is_recorded(session, item):
        raise NotImported(ImportStatus.EXISTING, "session_recorded")
    digest = result_digest(clean(f"{item.tool_input}\n\n{item.tool_response}".strip()), LONGEST_DIGEST)
    title = f"{item.tool_name} {item.tool_input}"
    draft = ObservationDraft(
        ObservationKind.TOOL.value,
        f"tool:{item.tool_use_id or outcome.key}"[:200],
        title,
        digest,
        tool_name=item.tool_name,
        agent_id=item.agent_id,
    )
    if not _observe(session, draft, _time(session, item.at)):
        outcome.end(ImportStatus.EXISTING, "session_recorded")
        return
    session.tool_count += 1


def _own_prompts(batch: Batch, names: Collection[str]) -> set[str]:
    """Those of the names that prompts of this source have, from this batch or an earlier one."""
    rows = ImportedItem.objects.filter(user_id=batch.actor.user_id, source=batch.source.value, key__in=list(names))
    return {*rows.values_list("key", flat=True), *batch.prompts.intersection(names)}


def imported_observation_store(batch: Batch, outcome: Outcome, item: ObservationItem) -> None:
    """Store the observation, and what it says as a memory."""
    session = _session(batch, outcome, item.session_id, item.project, item.at)
    text, at = observation_text(item), _time(session, item.at)
    draft = ObservationDraft(
        ObservationKind.IMPORTED.value,
        outcome.key,
        item.title or text[:_LONGEST_TITLE],
        text,
        files=item.files,
        agent_id=item.agent_id,
        details={"type": item.type, "concepts": list(item.concepts)},
    )
    _observe(session, draft, at)
    observation = Observation.objects.get(session=session, event_key=outcome.key)
    tags = tuple(dict.fromkeys(tag[:64] for tag in (item.type, *concept_names(item.concepts)) if tag))
    sources = (*message_before(session, at), SourceRecord(SourceKind.HOOK.value, str(observation.id)))
    memory = NewMemory(outcome, observation_address(item), text, item.at or at, tags, (*sources, batch.own_source))
    batch.memories.append(memory)


def summary_store(batch: Batch, outcome: Outcome, item: SummaryItem) -> None:
    """Store the summary; the session's archive is compiled from all of them at the batch's end."""
    session = _session(batch, outcome, item.session_id, item.project, item.at)
    text = summary_text(item.texts)
    draft = ObservationDraft(
        ObservationKind.SUMMARY.value,
        outcome.key,
        item.texts.get("request") or text[:_LONGEST_TITLE],
        text,
        details={"texts": dict(item.texts)},
    )
    _observe(session, draft, _time(session, item.at))
    observation = Observation.objects.get(session=session, event_key=outcome.key)
    batch.summaries.append(NewSummary(outcome, session, observation))


def _session(batch: Batch, outcome: Outcome, session_id: str, project: str, at: datetime | None) -> AgentSession:
    facts = SessionFacts(session_id, project=project, last_at=at)
    session, _ = batch.sessions.ensure(facts, AgentClientKind.IMPORT)
    _note(outcome, session)
    return session


def _observe(session: AgentSession, draft: ObservationDraft, at: datetime) -> bool:
    """Store an observation; return False if the session has it already."""
    is_new = not is_observed(session, draft.key)
    if is_new:
        observation_store(session, draft, at, announce=False)
    return is_new


def _note(outcome: Outcome, session: AgentSession) -> None:
    outcome.session_id, outcome.conversation_id = session.id, session.conversation_id


def _time(session: AgentSession, at: datetime | None) -> datetime:
    return at or session.last_event_at or timezone.now()
