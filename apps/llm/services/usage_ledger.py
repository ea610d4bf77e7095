"""Writes to the usage ledger: one row per call, in the caller's unit of work."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from apps.common.tenancy import current_workspace_id
from apps.llm.middleware.metering import CallReport
from apps.llm.models import ModelUsage
from apps.llm.services.budget_settlement import spending_settle


def usage_record(
    *, reports: Iterable[CallReport], conversation_id: UUID | None = None, message_id: UUID | None = None
) -> None:
    """Store the usage of calls and settle their reservations, inside a unit of the paying workspace.

    `message_id` is the reply that the calls wrote.
    """
    reports = list(reports)
    if reports:
        ModelUsage.objects.bulk_create([_row(report, conversation_id, message_id) for report in reports])
        spending_settle(reports=reports)


def _row(report: CallReport, conversation_id: UUID | None, message_id: UUID | None) -> ModelUsage:
    return ModelUsage(
        workspace_id=current_workspace_id(),
        purpose=report.purpose.value,
        provider=report.provider,
        model=report.model,
        input_tokens=report.usage.input_tokens,
        output_tokens=report.usage.output_tokens,
        cache_read_tokens=report.usage.cache_read_tokens,
        cache_write_tokens=report.usage.cache_write_tokens,
        source=report.usage.source.value,
        cost_micros=report.cost_micros,
        latency_ms=report.latency_ms,
        first_token_ms=report.first_token_ms,
        outcome=report.outcome,
        conversation_id=conversation_id,
        message_id=message_id,
    )
