"""Store what was found: memories with their sources, and a row for each candidate that tells what became of it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.conversations.models import Message
from apps.engine.extraction.candidate import Candidate, Extraction, Quote, Refused
from apps.engine.extraction.extract import EXTRACTOR
from apps.engine.extraction.naming import address_of
from apps.engine.memory.trust import Mode, arrives, trust_of
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.bulk.learn import LearnedDraft, LearnedResult, memories_learn
from apps.memory.services.tree.node_drafts import NodeDraft, Origin

_OUTCOMES = {
    "created": Outcome.CREATED,
    "proposed": Outcome.PROPOSED,
    "known": Outcome.KNOWN,
    "deleted": Outcome.DELETED,
}


def candidates_store(actor: Actor, *, conversation_id: UUID, run_id: UUID, found: Extraction) -> None:
    """Write the memories of one batch, then the candidates."""
    dates = _dates(found)
    drafts = [_draft(candidate, dates[candidate.quote.message_id]) for candidate in found.candidates]
    results = memories_learn(actor, drafts=drafts, made_by=EXTRACTOR, reason="Found in a conversation")
    rows = [_row(one, result) for one, result in zip(found.candidates, results, strict=True)]
    rows += [_refused_row(one) for one in found.refused]
    for row in rows:
        row.run, row.conversation_id = run_id, conversation_id
    ExtractionCandidate.objects.bulk_create(rows)


def _dates(found: Extraction) -> dict[str, datetime]:
    rows = Message.objects.filter(pk__in={UUID(one.quote.message_id) for one in found.candidates})
    return {str(message_id): at for message_id, at in rows.values_list("pk", "created_at")}


def _draft(candidate: Candidate, occurred_at: datetime) -> LearnedDraft:
    trust = trust_of(candidate.source)
    return LearnedDraft(
        NodeDraft(
            address=address_of(candidate),
            content=candidate.statement,
            occurred_at=occurred_at,
            sources=[SourceRecord(SourceKind.MESSAGE.value, candidate.quote.message_id)],
            numbered=True,
        ),
        Origin(trust, arrives(candidate.source, Mode.TRUSTED), by_model=False),
    )


def _row(candidate: Candidate, result: LearnedResult) -> ExtractionCandidate:
    row = _quoting(candidate.quote)
    row.category, row.rule = candidate.category.value, candidate.rule
    row.outcome, row.node_id = _OUTCOMES[result.state], result.node_id
    return row


def _refused_row(refused: Refused) -> ExtractionCandidate:
    row = _quoting(refused.quote)
    row.outcome, row.reason = Outcome.REFUSED, refused.why.value
    return row


def _quoting(quote: Quote) -> ExtractionCandidate:
    return ExtractionCandidate(message_id=UUID(quote.message_id), start=quote.span.start, end=quote.span.end)
