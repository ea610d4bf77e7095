"""Reading the ledger."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from apps.llm.models import ModelUsage
from apps.llm.records import UsageRecord, usage_record_of


def usage_of_replies(message_ids: Collection[UUID]) -> dict[UUID, UsageRecord]:
    """What the call took that wrote each of these; of several attempts the last. Those without one are left out."""
    rows = ModelUsage.objects.filter(message_id__in=message_ids).order_by("id")
    return {row.message_id: usage_record_of(row) for row in rows if row.message_id is not None}
