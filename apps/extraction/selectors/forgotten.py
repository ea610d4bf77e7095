"""The outcome of a message's request to forget."""

from __future__ import annotations

from uuid import UUID

from apps.engine.pack.offline_reply import forget_notice
from apps.extraction.models import ExtractionCandidate
from apps.extraction.selectors.candidates import OF_FORGETTING


def forget_notice_for(message_id: UUID) -> str:
    """Say what became of a message's request to forget, as it is now; empty without one."""
    rows = ExtractionCandidate.objects.filter(message_id=message_id, outcome__in=OF_FORGETTING)
    archived = list(rows.values_list("node_id", "node__archived_at"))
    forgotten = sum(at is not None for _, at in archived)
    to_choose = sum(node_id is not None and at is None for node_id, at in archived)
    return forget_notice(forgotten=forgotten, to_choose=to_choose) if archived else ""
