"""Evidence for the relational profile of a person."""

from __future__ import annotations

from uuid import UUID

from apps.conversations.models import Message
from apps.engine.extraction.relational.profile import Evidence
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.extraction.models import RelationalEvidence
from apps.memory.selectors.withdrawn import quarantined_messages

MOST_EVIDENCE = 5_000


def evidence_of(owner_id: UUID) -> list[Evidence]:
    """Return the newest evidence, without that of messages that are excluded or quarantined now."""
    rows = RelationalEvidence.objects.filter(owner_id=owner_id).order_by("-occurred_at", "-index", "fingerprint")
    found = list(rows[:MOST_EVIDENCE])
    message_ids = {row.message_id for row in found}
    excluded = set(Message.objects.filter(pk__in=message_ids, excluded=True).values_list("pk", flat=True))
    out = excluded | quarantined_messages(owner_id, RELATIONAL_PROFILE.text, message_ids)
    return [
        Evidence(row.trait, row.value, row.fingerprint, row.session, str(row.message_id), row.occurred_at, row.index)
        for row in found
        if row.message_id not in out
    ]
