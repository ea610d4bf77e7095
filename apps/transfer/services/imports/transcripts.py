"""Transcript files of coding agents: each becomes the messages of its session."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from apps.agents.models import AgentClientKind, AgentSession
from apps.agents.services.sessions import project_of
from apps.conversations.limits import LONGEST_EXTERNAL_ID
from apps.conversations.records import MessageDraft
from apps.engine.messages.message import PartKind, Role
from apps.engine.transcripts.condense import RESULTS, CondensedMessage, condensed
from apps.engine.transcripts.transcript import Transcript, transcript_of
from apps.transfer.formats.clean_text import clean, clean_part
from apps.transfer.formats.items import ImportSource, TranscriptItem
from apps.transfer.models import ImportStatus
from apps.transfer.records import ItemProblem
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.compactions import compactions_store
from apps.transfer.services.imports.outcomes import NotImported, Outcome
from apps.transfer.services.imports.sessions import SessionFacts
from apps.transfer.services.imports.subagents import subagents_store


def transcript_store(batch: Batch, outcome: Outcome, item: TranscriptItem) -> None:
    """Store the messages that are not stored yet, and what subagents did as observations.

    Damaged lines are reported and lose only themselves.
    """
    transcript = transcript_of(item.lines, first_line=item.first_line, agent_id=item.agent_id)
    outcome.problems = []
    seen = [ItemProblem(one.line, one.code, one.detail) for one in transcript.problems]
    lines = {one.line for one in seen}
    outcome.note(sorted([*seen, *(one for one in item.damaged if one.line not in lines)], key=lambda one: one.line))
    messages = condensed(transcript.history, is_continued=item.first_line > 1)
    if not messages and not transcript.sidechains:
        raise NotImported(ImportStatus.SKIPPED, "no_messages")
    # What the agent's own hooks recorded has this client too; other stores know of sessions that were not the agent's.
    client = AgentClientKind.CLAUDE_CODE if batch.source is ImportSource.TRANSCRIPTS else AgentClientKind.IMPORT
    session, is_new = batch.sessions.ensure(_facts(item, transcript), client)
    outcome.session_id, outcome.conversation_id = session.id, session.conversation_id
    drafts = batch.recorded.unrecorded(session, list(map(_draft, messages)), _own_names)
    at = transcript.ended_at or session.last_event_at
    observed = subagents_store(session, transcript, item.agent_type, at)
    if not (drafts or is_new or outcome.earlier is not None or (observed and item.agent_id)):
        if not observed:
            raise NotImported(ImportStatus.EXISTING, "session_recorded")
        outcome.end(ImportStatus.EXISTING, "updated")
    _append(batch, outcome, session, drafts)
    compactions_store(session, transcript, at)
    if outcome.earlier is not None:
        outcome.end(ImportStatus.EXISTING, "updated" if outcome.messages or observed else "")


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
