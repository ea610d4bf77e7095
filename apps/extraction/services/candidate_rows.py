"""Rows that tell what became of candidates."""

from __future__ import annotations

from uuid import UUID

from apps.common.secrets.redaction import redacted
from apps.engine.extraction.candidate import Candidate, Quote, Refused
from apps.engine.extraction.extract import EXTRACTOR
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.memory.services.bulk.learn import LearnedResult

ADDRESS_TAKEN = "address_taken"
_LONGEST_EXTRACTOR = 120


def candidate_row(candidate: Candidate, result: LearnedResult) -> ExtractionCandidate:
    row = _claimed(_quoting(candidate.quote), candidate)
    row.category, row.outcome, row.node_id = candidate.category.value, Outcome(result.state), result.node_id
    row.change = result.change
    if row.outcome == Outcome.REFUSED:
        row.category, row.reason = "", ADDRESS_TAKEN
    return row


def refused_row(refused: Refused) -> ExtractionCandidate:
    row = _quoting(refused.quote)
    if refused.claim:
        _claimed(row, refused.claim)
    else:
        row.extractor = EXTRACTOR
    row.outcome, row.reason = Outcome.REFUSED, refused.why.value
    return row


def _claimed(row: ExtractionCandidate, candidate: Candidate) -> ExtractionCandidate:
    """Note who found it, and a model's own words."""
    row.rule, row.extractor = candidate.rule, (candidate.extractor or EXTRACTOR)[:_LONGEST_EXTRACTOR]
    row.source, row.confidence = candidate.source.value, candidate.confidence
    if candidate.extractor and candidate.statement != candidate.quote.text:
        row.statement = redacted(candidate.statement)
    return row


def _quoting(quote: Quote) -> ExtractionCandidate:
    return ExtractionCandidate(message_id=UUID(quote.message_id), start=quote.span.start, end=quote.span.end)
