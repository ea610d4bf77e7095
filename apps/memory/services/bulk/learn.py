"""Storing of memories that a program found in what people said, each with its trust and its source.

A known fact gets one more source. A new value of one supersedes the old value if its words are later and at least as
trusted; otherwise it is stored as history, or waits as a proposal. Every memory is a change of its own, so that one
undo reverts it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction

from apps.accounts.actors import Actor, require_write
from apps.common.errors import Unprocessable
from apps.engine.memory.relations import Related, Relation
from apps.engine.memory.trust import Arrival, Trust, may_merge
from apps.memory.models import MemConflict, MemNode, Operation
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.tree_locks import tree_lock
from apps.memory.services.bulk.extending import accept, extend, may_accept, may_extend, may_replace
from apps.memory.services.bulk.known_memories import KnownMemories
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.create import node_insert
from apps.memory.services.tree.current_facts import slot_neighbors, supersede, valid_since
from apps.memory.services.tree.node_storage import rows_write
from apps.memory.services.tree.paths import parents_ensure


@dataclass(frozen=True, slots=True)
class LearnedResult:
    """`state`: created, proposed, replaced (it supersedes others), merged (a memory now says what it adds), outdated (a
    later value is known), accepted (it waited from an import, and is confirmed now), known (there is such a memory),
    deleted (there was, and a person deleted it) or refused (a memory is where its folder would be)."""

    state: str
    node_id: UUID | None = None
    change: UUID | None = None


def memories_learn(
    actor: Actor,
    *,
    drafts: Sequence[LearnedDraft],
    reason: str = "",
    nearby: Collection[UUID] = (),
) -> list[LearnedResult]:
    """Add memories to the actor's own tree, each in a change of its own; return a result for each.

    `nearby` are memories of the same conversation, which new statements may be about. What a person archived or
    permanently deleted is not stored again.
    """
    require_write(actor)
    if not drafts:
        return []
    # Other batches may find the same words, and lock the same folders in another order.
    tree_lock(actor.person_id)
    batch = _Batch(actor, drafts, reason, nearby)
    return [batch.learn(one) for one in drafts]


class _Batch:
    """The stored memories that drafts may repeat or replace, those of this batch included."""

    def __init__(self, actor: Actor, drafts: Sequence[LearnedDraft], reason: str, nearby: Collection[UUID]) -> None:
        self._actor, self._reason = actor, reason
        self._known = KnownMemories(actor, drafts, nearby)

    def learn(self, learned: LearnedDraft) -> LearnedResult:
        draft = learned.draft
        row = self._known.with_words(learned)
        if row is not None and may_accept(learned, row):
            return self._accepted(learned, row)
        if row is not None and (not _raises(learned, row) or self._known.is_withheld(draft, row)):
            return self._repeated(learned, row)
        if self._known.is_written_by_hand(draft):
            return LearnedResult("known")
        if self._known.is_deleted(draft):
            return LearnedResult("deleted")
        try:
            with transaction.atomic():
                return self._related(learned, self._known.related(learned))
        except Unprocessable:
            return LearnedResult("refused")

    def _related(self, learned: LearnedDraft, related: Sequence[tuple[MemNode, Related]]) -> LearnedResult:
        """Store it according to what is known of the same thing."""
        for row, one in related:
            if one.relation is Relation.SAME and not _raises(learned, row):
                return self._repeated(learned, row)
            if one.relation is Relation.EXTENDS and may_extend(learned, row):
                return self._merged(learned, row)
        replaced = [row for row, one in related if one.relation is Relation.SUPERSEDES]
        outdated = [row for row, one in related if one.relation is Relation.OUTDATED]
        later = next(iter([*outdated, *(row for row in replaced if _says_earlier(learned, row))]), None)
        if later is not None:
            return self._outdated(learned, later)
        if all(may_replace(learned, row) for row in replaced):
            others = [pair for pair in related if pair[1].relation is Relation.MAY_SUPERSEDE]
            return self._created(self._known.with_slot(learned, replaced), replaced, others)
        proposal = replace(learned, origin=replace(learned.origin, arrival=Arrival.PROPOSED))
        alike = (Relation.SAME, Relation.EXTENDS)
        return self._created(proposal, [], [pair for pair in related if pair[1].relation not in alike])

    def _created(
        self, learned: LearnedDraft, replaced: Sequence[MemNode], disputed: Iterable[tuple[MemNode, Related]]
    ) -> LearnedResult:
        change = self._change(Operation.SUPERSEDE if replaced else Operation.CREATE, learned)
        _close(change, replaced, learned)
        row = self._insert(change, learned)
        for earlier in replaced:
            supersede(earlier, row)
        change.store()
        self._known.replace(replaced, row)
        for earlier, one in disputed:
            MemConflict.objects.get_or_create(earlier=earlier, later=row, defaults={"reason": one.why[:40]})
        accepted = "replaced" if replaced else "created"
        state = accepted if row.arrival == Arrival.ACCEPTED else "proposed"
        return LearnedResult(state, row.id, change.cause.change)

    def _outdated(self, learned: LearnedDraft, later: MemNode) -> LearnedResult:
        """Store what held before a known memory as history; a proposal of it would be of no use."""
        if learned.origin.arrival is Arrival.PROPOSED:
            return LearnedResult("outdated")
        earlier, later = self._neighbors(learned, later)
        change = self._change(Operation.CREATE, learned)
        row = self._insert(change, replace(learned, draft=replace(learned.draft, valid_to=valid_since(later))))
        row.superseded_by_id = later.id
        rows_write([row])
        if earlier is not None:
            change.open(earlier)
            supersede(earlier, row)
        change.store()
        self._known.add(row)
        return LearnedResult("outdated", row.id, change.cause.change)

    def _neighbors(self, learned: LearnedDraft, later: MemNode) -> tuple[MemNode | None, MemNode]:
        """The values before and after it in the history of its slot."""
        draft = learned.draft
        if draft.slot is None or draft.valid_from is None:
            return None, later
        before, after = slot_neighbors(self._actor.person_id, draft.slot, draft.valid_from)
        return before and self._known.same_object(before), after or later

    def _merged(self, learned: LearnedDraft, row: MemNode) -> LearnedResult:
        """Let a memory say what the new words add to it."""
        change = self._change(Operation.MERGE, learned)
        extend(change, learned, row)
        change.store()
        self._known.add(row)
        return LearnedResult("merged", row.id, change.cause.change)

    def _insert(self, change: Change, learned: LearnedDraft) -> MemNode:
        draft = learned.draft
        parents = parents_ensure(change, self._actor.person_id, [draft.address])
        row = node_insert(draft, self._actor.person_id, parents, change.cause, learned.origin)
        change.made(row)
        change.give_sources(row, draft.sources)
        return row

    def _repeated(self, learned: LearnedDraft, row: MemNode) -> LearnedResult:
        """Add the sources to a known memory of the same arrival, whose trust they do not lower."""
        draft = learned.draft
        is_trusted = may_merge(learned.origin.trust, Trust(row.trust))
        if row.archived_at is not None or row.arrival != learned.origin.arrival or not is_trusted:
            return LearnedResult("known", row.id)
        sources = sources_of([row.id]).get(row.id, ())
        if set(draft.sources) <= set(sources):
            return LearnedResult("known", row.id)
        change = self._change(Operation.EDIT, learned)
        change.open(row)
        change.give_sources(row, [*sources, *draft.sources])
        change.store()
        return LearnedResult("known", row.id, change.cause.change)

    def _accepted(self, learned: LearnedDraft, row: MemNode) -> LearnedResult:
        change = self._change(Operation.APPROVE, learned)
        accept(change, learned, row)
        change.store()
        self._known.add(row)
        return LearnedResult("accepted", row.id, change.cause.change)

    def _change(self, operation: Operation, learned: LearnedDraft) -> Change:
        return Change(Cause(operation, self._actor.user_id, self._reason, learned.made_by))


def _close(change: Change, rows: Sequence[MemNode], learned: LearnedDraft) -> None:
    """End the validity of memories before their successor is stored, which needs their slot."""
    change.open(*rows)
    for row in rows:
        row.valid_to = learned.draft.valid_from or change.cause.at
    rows_write(rows)


def _raises(learned: LearnedDraft, row: MemNode) -> bool:
    """Whether a person's own words say what until now is only proposed; they become a memory beside the proposal."""
    return row.archived_at is None and row.arrival == Arrival.PROPOSED and learned.origin.arrival is Arrival.ACCEPTED


def _says_earlier(learned: LearnedDraft, row: MemNode) -> bool:
    """Whether its words are older than those of a known memory."""
    said = learned.draft.valid_from
    return said is not None and said < valid_since(row)
