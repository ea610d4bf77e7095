"""Drafts of memories for candidates."""

from __future__ import annotations

from datetime import datetime

from apps.engine.extraction.candidate import Candidate
from apps.engine.extraction.extract import EXTRACTOR
from apps.engine.extraction.naming import address_of
from apps.engine.memory.trust import Arrival, Mode, arrives, trust_of
from apps.extraction.services.comparing.similar import Similar
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.node_drafts import NodeDraft, Origin

CONFIDENT, CONFIDENT_READER = 0.7, 0.9
"""Candidates below this confidence wait for a person in workspaces that ask for it; a model's own, or the reader's."""


def candidate_draft(
    candidate: Candidate, said_at: datetime, mode: Mode, similar: Similar, *, is_undated: bool = False
) -> LearnedDraft:
    """Return the draft of a candidate's memory; `is_undated` if `said_at` is only when its message was imported."""
    least = CONFIDENT if candidate.extractor else CONFIDENT_READER
    arrival = arrives(candidate.source, mode, confident=candidate.confidence >= least)
    arrival = arrival if candidate.is_sure else Arrival.PROPOSED
    draft = NodeDraft(
        address=address_of(candidate),
        content=candidate.statement,
        occurred_at=candidate.occurred_at or said_at,
        slot=candidate.slot,
        valid_from=said_at,
        valid_to=candidate.until,
        sources=[SourceRecord(SourceKind.MESSAGE.value, candidate.quote.message_id)],
        numbered=True,
    )
    origin = Origin(trust_of(candidate.source), arrival, by_model=False)
    return LearnedDraft(
        draft,
        origin,
        made_by=candidate.extractor or EXTRACTOR,
        quote=candidate.quote.text,
        context=candidate.context,
        target=candidate.target,
        endings=similar.endings.get(candidate.statement, {}),
        is_undated=is_undated,
    )
