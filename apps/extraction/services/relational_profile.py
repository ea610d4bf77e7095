"""Writing of the memory that holds a person's relational profile, with a revision for each change."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.engine.extraction.relational.own_edits import (
    Edition,
    profile_content,
    supported_history,
    supported_text,
)
from apps.engine.extraction.relational.profile import Evidence, ProfileLine, profile_lines
from apps.engine.extraction.relational.signs import RELATIONAL_EXTRACTOR
from apps.engine.extraction.relational.traits import TRAITS, statement_of
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.engine.memory.trust import Arrival, Mode, Source, arrives, trust_of
from apps.extraction.selectors.relational_evidence import evidence_of
from apps.memory.models import MemNode, MemRevision, Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import in_tree, sources_of
from apps.memory.services.derived_history import derived_leaf_rewrite
from apps.memory.services.derived_leaves import DerivedLeaf, derived_leaf_delete, derived_leaf_write
from apps.memory.services.tree.change_sets import Cause

MOST_SOURCES = 50
_REASON = "From what was written about replies"


def profile_write(owner_id: UUID, *, by: UUID | None = None) -> None:
    """Compile the profile from all its evidence. The caller has locked the tree.

    A person's lines stay as they are. One that a person archived, or that waits for a decision where every memory does,
    only loses what no evidence shows; one that was deleted permanently does not return.
    """
    evidence = evidence_of(owner_id)
    lines = profile_lines(evidence)
    row = in_tree(owner_id).filter(uri=RELATIONAL_PROFILE.text).first()
    arrival = arrives(Source.QUOTED, Mode(policy_for_workspace().memory_mode))
    if row is None:
        leaf = _created(owner_id, lines, evidence, arrival) if lines else None
    elif _only_loses(row, arrival):
        leaf = _reduced(row, evidence)
    else:
        leaf = _updated(row, lines, evidence)
    if leaf:
        operation = Operation.MERGE if row else Operation.CREATE
        derived_leaf_write(owner_id, leaf, Cause(operation, by, _REASON, RELATIONAL_EXTRACTOR))
    elif row:
        derived_leaf_delete(owner_id, RELATIONAL_PROFILE)


def profile_forget(owner_id: UUID) -> None:
    """Compile the profile again and remove from its history what no evidence shows any more, as after an exclusion.

    The caller has locked the tree.
    """
    profile_write(owner_id)
    statements = _statements(evidence_of(owner_id))
    for row in in_tree(owner_id).select_for_update(of=("self",), no_key=True).filter(uri=RELATIONAL_PROFILE.text):
        derived_leaf_rewrite(row, lambda text: supported_history(text, statements))


def _only_loses(row: MemNode, arrival: Arrival) -> bool:
    waits = row.arrival == Arrival.ACCEPTED and arrival is Arrival.PROPOSED
    return row.archived_at is not None or waits


def _created(
    owner_id: UUID, lines: Sequence[ProfileLine], evidence: Sequence[Evidence], arrival: Arrival
) -> DerivedLeaf:
    return DerivedLeaf(
        address=RELATIONAL_PROFILE,
        content=profile_content((), lines),
        sources=_sources(owner_id, _shown(lines, evidence)),
        occurred_at=max(line.last for line in lines),
        trust=trust_of(Source.QUOTED),
        arrival=arrival,
    )


def _updated(row: MemNode, lines: Sequence[ProfileLine], evidence: Sequence[Evidence]) -> DerivedLeaf | None:
    """The profile with these lines; None if there are none and no person wrote in it."""
    editions = _editions(row)
    if not lines and not any(edition.by_person for edition in editions):
        return None
    occurred_at = max((line.last for line in lines), default=row.occurred_at)
    return _rewritten(row, profile_content(editions, lines), _shown(lines, evidence), occurred_at)


def _reduced(row: MemNode, evidence: Sequence[Evidence]) -> DerivedLeaf:
    shown = {one.message_id for one in evidence}
    named = [one.reference for one in sources_of([row.id]).get(row.id, ()) if one.kind == SourceKind.MESSAGE]
    content = supported_text(row.l2_content, _statements(evidence))
    return _rewritten(row, content, [one for one in named if one in shown], row.occurred_at)


def _rewritten(row: MemNode, content: str, message_ids: Sequence[str], occurred_at: datetime) -> DerivedLeaf:
    return DerivedLeaf(
        address=RELATIONAL_PROFILE,
        content=content,
        sources=_sources(row.owner_id, message_ids),
        occurred_at=occurred_at,
        trust=trust_of(Source.QUOTED),
        also_archived=True,
    )


def _editions(row: MemNode) -> list[Edition]:
    """Return all texts that the memory had, oldest first."""
    revisions = MemRevision.objects.filter(node_id=row.id, after__has_key="l2_content").order_by("number")
    return [Edition(after["l2_content"], not made_by) for after, made_by in revisions.values_list("after", "made_by")]


def _statements(evidence: Sequence[Evidence]) -> Collection[str]:
    """What the evidence shows, now or before."""
    return frozenset(statement_of(one.trait, one.value) for one in evidence if one.trait in TRAITS)


def _shown(lines: Sequence[ProfileLine], evidence: Sequence[Evidence]) -> list[str]:
    """Return the newest messages that show what the lines state."""
    shown = {message_id for line in lines for message_id in line.message_ids}
    newest = dict.fromkeys(one.message_id for one in evidence if one.message_id in shown)
    return list(newest)[:MOST_SOURCES]


def _sources(owner_id: UUID | None, message_ids: Sequence[str]) -> list[SourceRecord]:
    """The messages; without any, what is left is the person's own."""
    messages = [SourceRecord(SourceKind.MESSAGE.value, message_id) for message_id in message_ids]
    return messages or [SourceRecord(SourceKind.PERSON.value, str(owner_id))]
