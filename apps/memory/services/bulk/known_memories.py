"""The stored memories that new ones may repeat or replace: with the same words, in the same slot, or nearby."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.engine.memory.categories import Category, category_of
from apps.engine.memory.relations import Fact, Related, inherited_slot, with_advice
from apps.engine.memory.trust import Arrival, Trust
from apps.memory.models import MemNode, NodeType, UserMemory
from apps.memory.selectors.nodes import current_leaves, in_tree, slot_of
from apps.memory.selectors.withdrawn import comes_from, withdrawn
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.current_facts import is_valid_now, valid_since
from apps.memory.services.tree.delete_permanently import Tombstones
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.node_snapshot import content_hash


class KnownMemories:
    """Memories of one person, locked; kept up to date while a batch is stored."""

    def __init__(self, actor: Actor, drafts: Sequence[LearnedDraft], nearby: Collection[UUID]) -> None:
        contents = [one.draft.content for one in drafts]
        by_words, self._withdrawn = _with_contents(actor.person_id, contents)
        self._by_hand = _written_by_hand(actor, contents)
        self._tombstones = Tombstones(actor.person_id, (), contents)
        self._current = _current(actor.person_id, drafts, nearby)
        self._facts = {row.id: _fact(row) for row in self._current.values()}
        # One object per memory: a second one would have an old version after the first was changed.
        self._by_words = {words: self._current.get(row.id, row) for words, row in by_words.items()}

    def with_words(self, learned: LearnedDraft) -> MemNode | None:
        """The memory with these words, unless they are repeated after something else superseded it, or come from
        elsewhere than one that is out of use because of its source."""
        draft = learned.draft
        row = self._by_words.get(content_hash(draft.content))
        if row is not None and row.archived_at and row.id in self._withdrawn and not self.is_withheld(draft, row):
            return None
        if row is None or row.valid_to is None or draft.valid_from is None or learned.is_undated:
            return row
        return row if draft.valid_from <= row.valid_to else None

    def same_object(self, row: MemNode) -> MemNode:
        """The object of a memory that is known here already, or else the given one."""
        return next((one for one in self._by_words.values() if one.id == row.id), self._current.get(row.id, row))

    def is_withheld(self, draft: NodeDraft, row: MemNode) -> bool:
        """Whether the draft has the words of a source that was taken out of use."""
        return row.id in self._withdrawn and comes_from(row, draft.sources)

    def is_written_by_hand(self, draft: NodeDraft) -> bool:
        return draft.content in self._by_hand

    def is_deleted(self, draft: NodeDraft) -> bool:
        return self._tombstones.match_content(draft.content)

    def related(self, learned: LearnedDraft) -> list[tuple[MemNode, Related]]:
        """The current memories that the draft repeats, replaces, or may replace."""
        found = with_advice(_draft_fact(learned), list(self._facts.values()), learned.target, learned.endings)
        return [(self._current[UUID(one.id)], one) for one in found]

    def with_slot(self, learned: LearnedDraft, replaced: Sequence[MemNode]) -> LearnedDraft:
        """The draft with the slot of the one memory that it replaces, if its own words tell none."""
        if len(replaced) != 1:
            return learned
        slot = inherited_slot(_draft_fact(learned), self._facts[replaced[0].id])
        return dataclasses.replace(learned, draft=dataclasses.replace(learned.draft, slot=slot)) if slot else learned

    def replace(self, earlier: Iterable[MemNode], later: MemNode) -> None:
        for row in earlier:
            self._current.pop(row.id, None)
            self._facts.pop(row.id, None)
        self.add(later)

    def add(self, row: MemNode) -> None:
        self._by_words[row.content_hash] = row
        if row.arrival == Arrival.ACCEPTED and is_valid_now(row):
            self._current[row.id], self._facts[row.id] = row, _fact(row)


def _fact(row: MemNode) -> Fact:
    return Fact(
        id=str(row.id),
        category=Category(row.category),
        statement=row.l2_content,
        quote=row.l2_content,
        stated_at=valid_since(row),
        slot=slot_of(row),
        trust=Trust(row.trust),
        address=row.uri,
    )


def _draft_fact(learned: LearnedDraft) -> Fact:
    draft = learned.draft
    category = category_of(draft.address)
    return Fact(
        id="",
        category=category or Category.ENTITIES,
        statement=draft.content,
        quote=learned.quote or draft.content,
        stated_at=draft.valid_from or timezone.now(),
        slot=draft.slot,
        trust=learned.origin.trust,
        address=draft.address.text,
        context=learned.context,
    )


def _with_contents(owner_id: UUID, contents: Sequence[str]) -> tuple[dict[str, MemNode], frozenset[UUID]]:
    """Lock the memories with one of these contents; return one for each hash, archived ones only if there is no other,
    and those that are out of use because of their source.

    What a person archived, also by undoing how it was made, is known: it does not come back because it is said again.
    """
    rows = in_tree(owner_id).select_for_update(of=("self",), no_key=True)
    hashes = {content_hash(content) for content in contents}
    found = list(rows.filter(content_hash__in=hashes, node_type=NodeType.LEAF).order_by("uri"))
    out = withdrawn(found)

    def rank(row: MemNode) -> tuple[bool, ...]:
        is_archived = row.archived_at is not None
        return not is_archived, is_archived and row.id not in out, row.arrival == Arrival.ACCEPTED, not row.valid_to

    return {row.content_hash: row for row in sorted(found, key=rank)}, out


def _current(owner_id: UUID, drafts: Sequence[LearnedDraft], nearby: Collection[UUID]) -> dict[UUID, MemNode]:
    """Lock the current memories in the drafts' slots, and those nearby."""
    slots = {(one.draft.slot.subject, one.draft.slot.attribute) for one in drafts if one.draft.slot}
    targets = [UUID(one.target.id) for one in drafts if one.target]
    wanted = reduce(
        or_, (Q(subject=subject, attribute=attribute) for subject, attribute in slots), Q(pk__in=[*nearby, *targets])
    )
    rows = current_leaves(owner_id).select_for_update(of=("self",), no_key=True).filter(wanted)
    return {row.id: row for row in rows.order_by("uri")}


def _written_by_hand(actor: Actor, contents: Sequence[str]) -> frozenset[str]:
    rows = UserMemory.objects.filter(user_id=actor.person_id, content__in=contents)
    return frozenset(rows.values_list("content", flat=True))
