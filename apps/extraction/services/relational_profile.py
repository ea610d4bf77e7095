"""Writing of the memory that holds a person's relational profile, with a revision for each change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.conversations.models import Message
from apps.engine.extraction.relational.own_edits import Edition, profile_content
from apps.engine.extraction.relational.profile import Evidence, ProfileLine, profile_lines
from apps.engine.extraction.relational.signs import RELATIONAL_EXTRACTOR
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.engine.memory.trust import Arrival, Mode, Source, arrives, trust_of
from apps.extraction.models import RelationalEvidence
from apps.memory.models import MemNode, MemRevision, Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.withdrawn import quarantined_messages
from apps.memory.services.derived_leaves import DerivedLeaf, derived_leaf_write
from apps.memory.services.tree.change_sets import Cause

MOST_SOURCES, MOST_EVIDENCE = 50, 5_000
_REASON = "From what was written about replies"


def profile_write(owner_id: UUID, *, by: UUID | None = None) -> None:
    """Compile the profile from all its evidence. The caller has locked the tree.

    A profile that was archived or deleted permanently stays so, and a person's lines stay as they are. Where every
    memory waits for a decision, so does a new profile, and an accepted one does not change.
    """
    evidence = _evidence_of(owner_id)
    lines = profile_lines(evidence)
    arrival = arrives(Source.QUOTED, Mode(policy_for_workspace().memory_mode))
    row = MemNode.objects.filter(owner_id=owner_id, uri=RELATIONAL_PROFILE.text).first()
    if not lines or (row is not None and row.arrival == Arrival.ACCEPTED and arrival is Arrival.PROPOSED):
        return
    leaf = DerivedLeaf(
        address=RELATIONAL_PROFILE,
        content=profile_content(_editions(row), lines) if row else profile_content((), lines),
        sources=_sources(lines, evidence),
        occurred_at=_last(lines),
        trust=trust_of(Source.QUOTED),
        arrival=arrival,
    )
    operation = Operation.MERGE if row else Operation.CREATE
    derived_leaf_write(owner_id, leaf, Cause(operation, by, _REASON, RELATIONAL_EXTRACTOR))


def _evidence_of(owner_id: UUID) -> list[Evidence]:
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


def _editions(row: MemNode) -> list[Edition]:
    """Return all texts that the memory had, oldest first."""
    revisions = MemRevision.objects.filter(node_id=row.id, after__has_key="l2_content").order_by("number")
    return [Edition(after["l2_content"], not made_by) for after, made_by in revisions.values_list("after", "made_by")]


def _sources(lines: Sequence[ProfileLine], evidence: Sequence[Evidence]) -> list[SourceRecord]:
    """Return the newest messages that show what the lines state."""
    shown = {message_id for line in lines for message_id in line.message_ids}
    newest = dict.fromkeys(one.message_id for one in evidence if one.message_id in shown)
    return [SourceRecord(SourceKind.MESSAGE.value, message_id) for message_id in list(newest)[:MOST_SOURCES]]


def _last(lines: Sequence[ProfileLine]) -> datetime:
    return max(line.last for line in lines)
