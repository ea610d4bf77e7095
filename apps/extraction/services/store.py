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

ADDRESS_TAKEN = "address_taken"


def candidates_store(actor: Actor, *, conversation_id: UUID, run_id: UUID, found: Extraction) -> None:
    """Write the memories of one batch, then the candidates."""
    dates = _lock_messages(found)
    candidates = [one for one in found.candidates if one.quote.message_id in dates]
    drafts = [_draft(candidate, dates[candidate.quote.message_id]) for candidate in candidates]
    results = memories_learn(actor, drafts=drafts, made_by=EXTRACTOR, reason="Found in a conversation")
    rows = [_row(one, result) for one, result in zip(candidates, results, strict=True)]
    rows += [_refused_row(one) for one in found.refused]
    for row in rows:
        row.run, row.conversation_id = run_id, conversation_id
    ExtractionCandidate.objects.bulk_create(rows)


def _lock_messages(found: Extraction) -> dict[str, datetime]:
    """Lock the quoted messages; return the times of those that nobody excluded or deleted since they were read."""
    ids = {UUID(one.quote.message_id) for one in found.candidates}
    rows = Message.objects.select_for_update(no_key=True).filter(pk__in=ids, excluded=False).exclude(content="")
    return {str(message_id): at for message_id, at in rows.order_by("index").values_list("pk", "created_at")}


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
    row.outcome, row.node_id = Outcome(result.state), result.node_id
    if row.outcome == Outcome.REFUSED:
        row.category, row.reason = "", ADDRESS_TAKEN
    return row


def _refused_row(refused: Refused) -> ExtractionCandidate:
    row = _quoting(refused.quote)
    row.outcome, row.reason = Outcome.REFUSED, refused.why.value
    return row


def _quoting(quote: Quote) -> ExtractionCandidate:
    return ExtractionCandidate(message_id=UUID(quote.message_id), start=quote.span.start, end=quote.span.end)
