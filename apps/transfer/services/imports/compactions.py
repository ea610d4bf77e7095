"""Compactions that imported transcripts tell of: observations of their session."""

from __future__ import annotations

from datetime import datetime, timedelta

from apps.agents.models import AgentSession, Observation, ObservationKind
from apps.agents.services.compactions import LONGEST_SUMMARY
from apps.agents.services.observations import ObservationDraft, is_observed, observation_store
from apps.engine.transcripts.condense import Compaction, compactions_of
from apps.engine.transcripts.transcript import Transcript
from apps.transfer.formats.clean_text import clean

_COMPACTION, _COMPACTION_TAKES = "compaction:", timedelta(minutes=5)


def compactions_store(session: AgentSession, transcript: Transcript, otherwise: datetime) -> None:
    """Store those that the session does not know yet; `otherwise` is the time of one without a time."""
    for compaction in compactions_of(transcript.history):
        _compaction_store(session, compaction, otherwise)


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
