"""Storing of memories that a program found in what people said, each with its trust and its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from apps.accounts.actors import Actor, require_write
from apps.common.errors import Unprocessable
from apps.engine.memory.trust import Arrival
from apps.memory.models import MemNode, NodeType, Operation, UserMemory
from apps.memory.selectors.nodes import in_tree, sources_of
from apps.memory.selectors.tree_locks import tree_lock
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.create_edit import node_insert
from apps.memory.services.tree.delete_permanently import Tombstones
from apps.memory.services.tree.node_drafts import NodeDraft, Origin
from apps.memory.services.tree.node_snapshot import content_hash
from apps.memory.services.tree.paths import parents_ensure


@dataclass(frozen=True, slots=True)
class LearnedDraft:
    draft: NodeDraft
    origin: Origin


@dataclass(frozen=True, slots=True)
class LearnedResult:
    """`state`: created, proposed, known (there is such a memory), deleted (there was, and a person deleted it) or
    refused (a memory is where its folder would be)."""

    state: str
    node_id: UUID | None = None


def memories_learn(
    actor: Actor, *, drafts: Sequence[LearnedDraft], made_by: str, reason: str = ""
) -> list[LearnedResult]:
    """Add memories to the actor's own tree, each in a change of its own, which can be undone; return a result for each.

    What the tree or the user memory says word for word is not stored twice: a memory with the same arrival gets one
    more source. What was archived or permanently deleted is not stored again.
    """
    require_write(actor)
    if not drafts:
        return []
    # Other batches may find the same words, and lock the same folders in another order.
    tree_lock(actor.person_id)
    batch = _Batch(actor, drafts, made_by, reason)
    return [batch.learn(one) for one in drafts]


class _Batch:
    """The stored memories with the drafts' contents, those of this batch included."""

    def __init__(self, actor: Actor, drafts: Sequence[LearnedDraft], made_by: str, reason: str) -> None:
        contents = [one.draft.content for one in drafts]
        self._actor, self._made_by, self._reason = actor, made_by, reason
        self._known = _known_lock(actor.person_id, contents)
        self._by_hand = _written_by_hand(actor, contents)
        self._tombstones = Tombstones(actor.person_id, (), contents)

    def learn(self, learned: LearnedDraft) -> LearnedResult:
        draft = learned.draft
        row = self._known.get(content_hash(draft.content))
        if row is not None and not _raises(learned, row):
            if row.archived_at is None and row.arrival == learned.origin.arrival:
                self._add_sources(row, draft)
            return LearnedResult("known", row.id)
        if draft.content in self._by_hand:
            return LearnedResult("known")
        if self._tombstones.match_content(draft.content):
            return LearnedResult("deleted")
        try:
            with transaction.atomic():
                row = self._create(learned)
        except Unprocessable:
            return LearnedResult("refused")
        return LearnedResult("created" if learned.origin.arrival is Arrival.ACCEPTED else "proposed", row.id)

    def _create(self, learned: LearnedDraft) -> MemNode:
        draft, change = learned.draft, self._change(Operation.CREATE)
        parents = parents_ensure(change, self._actor.person_id, [draft.address])
        row = node_insert(draft, self._actor.person_id, parents, change.cause, learned.origin)
        change.made(row)
        change.give_sources(row, draft.sources)
        change.store()
        self._known[row.content_hash] = row
        return row

    def _add_sources(self, row: MemNode, draft: NodeDraft) -> None:
        sources = sources_of([row.id]).get(row.id, ())
        if set(draft.sources) <= set(sources):
            return
        change = self._change(Operation.EDIT)
        change.open(row)
        change.give_sources(row, [*sources, *draft.sources])
        change.store()

    def _change(self, operation: Operation) -> Change:
        return Change(Cause(operation, self._actor.user_id, self._reason, self._made_by))


def _raises(learned: LearnedDraft, row: MemNode) -> bool:
    """Whether a person's own words say what until now is only proposed; they become a memory beside the proposal."""
    return row.archived_at is None and row.arrival == Arrival.PROPOSED and learned.origin.arrival is Arrival.ACCEPTED


def _known_lock(owner_id: UUID, contents: Sequence[str]) -> dict[str, MemNode]:
    """Lock the memories with one of these contents; return one for each hash, archived ones only if there is no other.

    What was archived, also by undoing how it was made, is known: it does not come back because it is said again.
    """
    rows = in_tree(owner_id).select_for_update(of=("self",), no_key=True)
    hashes = {content_hash(content) for content in contents}
    found = list(rows.filter(content_hash__in=hashes, node_type=NodeType.LEAF).order_by("uri"))
    found.sort(key=lambda row: (row.archived_at is None, row.arrival == Arrival.ACCEPTED))
    return {row.content_hash: row for row in found}


def _written_by_hand(actor: Actor, contents: Sequence[str]) -> frozenset[str]:
    rows = UserMemory.objects.filter(user_id=actor.person_id, content__in=contents)
    return frozenset(rows.values_list("content", flat=True))
