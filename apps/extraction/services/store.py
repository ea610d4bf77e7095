"""Store what was found: memories with their sources, and a row for each candidate that tells what became of it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.conversations.models import Message
from apps.engine.extraction.candidate import Candidate, Extraction, Quote, Refused
from apps.engine.extraction.extract import EXTRACTOR
from apps.engine.extraction.naming import address_of
from apps.engine.memory.trust import Mode, arrives, trust_of
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.extraction.selectors.candidates import nearby_memories
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.bulk.learn import LearnedResult, memories_learn
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.node_drafts import NodeDraft, Origin

ADDRESS_TAKEN = "address_taken"
CONFIDENT = 0.7
"""Candidates below this confidence wait for a person in workspaces that ask for it."""


def candidates_store(actor: Actor, *, conversation_id: UUID, run_id: UUID, found: Extraction) -> None:
    """Write the memories of one batch, then the candidates."""
    dates = _lock_messages(found)
    candidates = [one for one in found.candidates if one.quote.message_id in dates]
    mode = Mode(policy_for_workspace().memory_mode)
    results = memories_learn(
        actor,
        drafts=[_draft(one, dates[one.quote.message_id], mode) for one in candidates],
        made_by=EXTRACTOR,
        reason="Found in a conversation",
        nearby=nearby_memories(conversation_id),
    )
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


def _draft(candidate: Candidate, said_at: datetime, mode: Mode) -> LearnedDraft:
    arrival = arrives(candidate.source, mode, confident=candidate.confidence >= CONFIDENT)
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
    return LearnedDraft(draft, origin, quote=candidate.quote.text, context=candidate.context)


def _row(candidate: Candidate, result: LearnedResult) -> ExtractionCandidate:
    row = _quoting(candidate.quote)
    row.category, row.rule, row.extractor = candidate.category.value, candidate.rule, EXTRACTOR
    row.source, row.confidence = candidate.source.value, candidate.confidence
    row.outcome, row.node_id, row.change = Outcome(result.state), result.node_id, result.change
    if row.outcome == Outcome.REFUSED:
        row.category, row.reason = "", ADDRESS_TAKEN
    return row


def _refused_row(refused: Refused) -> ExtractionCandidate:
    row = _quoting(refused.quote)
    row.outcome, row.reason = Outcome.REFUSED, refused.why.value
    return row


def _quoting(quote: Quote) -> ExtractionCandidate:
    return ExtractionCandidate(message_id=UUID(quote.message_id), start=quote.span.start, end=quote.span.end)
