"""Transcript files of coding agents: each becomes the messages of its session."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from apps.conversations.limits import LONGEST_EXTERNAL_ID
from apps.conversations.records import MessageDraft
from apps.engine.messages.message import PartKind, Role
from apps.engine.transcripts.condense import RESULTS, Compaction, CondensedMessage, compactions_of, condensed
from apps.engine.transcripts.transcript import Transcript, transcript_of
from apps.hooks.import_records import ItemProblem
from apps.hooks.imports.items import ImportSource, TranscriptItem
from apps.hooks.models import AgentClientKind, AgentSession, ImportStatus, Observation, ObservationKind
from apps.hooks.services.compactions import LONGEST_SUMMARY
from apps.hooks.services.imports.batch import Batch
from apps.hooks.services.imports.clean_text import clean, clean_part
from apps.hooks.services.imports.outcomes import NotImported, Outcome
from apps.hooks.services.imports.sessions import SessionFacts
from apps.hooks.services.observations import ObservationDraft, is_observed, observation_store
from apps.hooks.services.sessions import project_of

_COMPACTION, _COMPACTION_TAKES = "compaction:", timedelta(minutes=5)


def transcript_store(batch: Batch, outcome: Outcome, item: TranscriptItem) -> None:
    """Store the messages that are not stored yet; damaged lines are reported and lose only themselves."""
    transcript = transcript_of(item.lines, first_line=item.first_line)
    outcome.problems = []
    seen = [ItemProblem(one.line, one.code, one.detail) for one in transcript.problems]
    lines = {one.line for one in seen}
    outcome.note(sorted([*seen, *(one for one in item.damaged if one.line not in lines)], key=lambda one: one.line))
    messages = condensed(transcript.history, is_continued=item.first_line > 1)
    if not messages:
        raise NotImported(ImportStatus.SKIPPED, "no_messages")
    # What the agent's own hooks recorded has this client too; other stores know of sessions that were not the agent's.
    client = AgentClientKind.CLAUDE_CODE if batch.source is ImportSource.TRANSCRIPTS else AgentClientKind.IMPORT
    session, is_new = batch.sessions.ensure(_facts(item, transcript), client)
    outcome.session_id, outcome.conversation_id = session.id, session.conversation_id
    drafts = batch.recorded.unrecorded(session, list(map(_draft, messages)), _own_names)
    if not drafts and not is_new and outcome.earlier is None:
        raise NotImported(ImportStatus.EXISTING, "session_recorded")
    _append(batch, outcome, session, drafts)
    for compaction in compactions_of(transcript.history):
        _compaction_store(session, compaction, transcript.ended_at or session.last_event_at)
    if outcome.earlier is not None:
        outcome.end(ImportStatus.EXISTING, "updated" if outcome.messages else "")


def _facts(item: TranscriptItem, transcript: Transcript) -> SessionFacts:
    return SessionFacts(
        session_id=item.session_id,
        project=project_of(transcript.cwd) or item.project,
        cwd=transcript.cwd[:1_000],
        model=transcript.model[:120],
        title=transcript.title,
        started_at=transcript.started_at,
        ended_at=transcript.ended_at,
    )


def _own_names(names: Collection[str]) -> set[str]:
    """Messages from transcripts have the ids of entries; hooks and other imports put a kind before theirs."""
    return {name for name in names if name and (":" not in name or name.endswith(RESULTS))}


def _append(batch: Batch, outcome: Outcome, session: AgentSession, drafts: Sequence[MessageDraft]) -> None:
    appended = batch.append(session.conversation_id, drafts)
    new = {record.external_id for record in appended.new}
    stored = [draft for draft in drafts if draft.external_id in new]
    session.prompt_count += sum(draft.role == Role.USER.value for draft in stored)
    session.tool_count += sum(part.kind is PartKind.TOOL_CALL for draft in stored for part in draft.parts)
    outcome.messages += appended.stored


def _draft(one: CondensedMessage) -> MessageDraft:
    message = one.message
    return MessageDraft(
        message.role.value,
        clean(message.content),
        parts=tuple(map(clean_part, message.parts)),
        external_id=message.id[:LONGEST_EXTERNAL_ID],
        created_at=one.at,
    )


def _compaction_store(session: AgentSession, compaction: Compaction, otherwise: datetime) -> None:
    summary = clean(compaction.summary)
    draft = ObservationDraft(
        ObservationKind.COMPACTION.value,
        f"{_COMPACTION}{compaction.uuid}"[:200],
        f"Compaction ({compaction.trigger})" if compaction.trigger else "Compaction",
        summary,
        details={"summary": summary[:LONGEST_SUMMARY]} if summary else {},
    )
    at = compaction.at or otherwise
    if not is_observed(session, draft.key) and not _is_recorded(session, at):
        observation_store(session, draft, at, announce=False)


def _is_recorded(session: AgentSession, at: datetime) -> bool:
    """Whether hooks observed a compaction at about that time."""
    near = (at - _COMPACTION_TAKES, at + _COMPACTION_TAKES)
    rows = Observation.objects.filter(session=session, kind=ObservationKind.COMPACTION, occurred_at__range=near)
    return rows.exclude(event_key__startswith=_COMPACTION).exists()
