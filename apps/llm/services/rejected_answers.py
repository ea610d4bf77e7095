"""Storage of rejected answers for debugging."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from apps.llm.models import RejectedAnswer
from apps.llm.providers.base import Purpose
from apps.llm.structured.structured_output import Rejected
from apps.llm.structured.text import storable

RETENTION_DAYS = 30
_PRUNED = 2_000
_LONGEST_TEXT = 50_000
_LONGEST_PROBLEM = 500


def rejected_record(
    *, rejected: Iterable[Rejected], purpose: Purpose, model: str, conversation_id: UUID | None = None
) -> None:
    """Store rejected answers, inside a unit of their workspace."""
    RejectedAnswer.objects.bulk_create(
        RejectedAnswer(
            purpose=purpose.value,
            model=model,
            problem=storable(one.problem)[:_LONGEST_PROBLEM],
            text=storable(one.text)[:_LONGEST_TEXT],
            conversation_id=conversation_id,
        )
        for one in rejected
    )


def rejected_forget(*, conversation_id: UUID | None) -> None:
    """Delete the rejected answers of a conversation, from which a message was excluded, or those of none."""
    RejectedAnswer.objects.filter(conversation_id=conversation_id).delete()


def rejected_prune() -> int:
    """Delete some answers older than `RETENTION_DAYS`, oldest first, and return their number, inside a unit."""
    old = RejectedAnswer.objects.filter(created_at__lt=timezone.now() - timedelta(days=RETENTION_DAYS))
    return RejectedAnswer.objects.filter(pk__in=old.order_by("created_at").values("pk")[:_PRUNED]).delete()[0]
