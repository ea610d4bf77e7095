"""Pages of the inbox, with what each item would replace and what it nearly repeats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.pagination import Page
from apps.conversations.models import Message
from apps.engine.memory.trust import Trust, is_low
from apps.inbox.records import (
    LONGEST_LISTED,
    InboxItem,
    InboxMemory,
    InboxQuery,
    ItemKind,
    NearDuplicate,
)
from apps.inbox.selectors.near_duplicates import near_duplicates
from apps.inbox.selectors.open_items import Earlier, earlier_of, open_pairs, open_proposals
from apps.memory.models import MemConflict, MemNode, MemSource, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of, visible_nodes

# Why something waits, unless a conflict names its own reason.
SAME_ATTRIBUTE, UNTRUSTED, REVIEW = "same_attribute", "untrusted", "review"


def inbox_page(actor: Actor, query: InboxQuery, *, after: str | None = None, limit: int) -> Page[InboxItem]:
    """Return a page of what waits for the actor, in the order in which it was stored."""
    ids = _page_ids(actor, query, after, limit + 1)
    items = {item.id: item for item in inbox_items(actor, ids[:limit])}
    # Another request may have decided an item since its id was read.
    return Page([items[one] for one in ids[:limit] if one in items], str(ids[limit - 1]) if len(ids) > limit else None)


def inbox_item(actor: Actor, item_id: UUID) -> InboxItem:
    """Return one item that waits for the actor."""
    found = inbox_items(actor, [item_id])
    if not found:
        raise NotFound("Nothing with this id waits for a decision.")
    return found[0]


def inbox_items(actor: Actor, ids: Collection[UUID]) -> list[InboxItem]:
    """Return those of the items that wait for the actor."""
    proposals = list(open_proposals(actor).filter(pk__in=ids))
    pairs = list(open_pairs(actor).filter(pk__in=ids).select_related("earlier", "later"))
    earlier = {**earlier_of(actor, proposals), **{pair.later_id: (pair.earlier,) for pair in pairs}}
    builder = _Builder(actor, [*proposals, *(pair.later for pair in pairs)], earlier)
    reasons = _conflict_reasons(proposals)
    items = [builder.proposal(row, reasons.get(row.id, "")) for row in proposals]
    return [*items, *(builder.contradiction(pair) for pair in pairs)]


class _Builder:
    """Items of rows, with the sources and near-duplicates of all of them."""

    def __init__(self, actor: Actor, rows: Sequence[MemNode], earlier: Earlier) -> None:
        self._earlier = earlier
        self._near = near_duplicates(rows)
        near_ids = {near_id for found in self._near.values() for near_id in found}
        self._rows = {row.id: row for row in visible_nodes(actor).filter(pk__in=near_ids)}
        others = [other for found in earlier.values() for other in found]
        self._sources = sources_of({row.id for row in (*rows, *others, *self._rows.values())})

    def proposal(self, row: MemNode, reason: str) -> InboxItem:
        earlier = self._earlier.get(row.id, ())
        why = reason or (SAME_ATTRIBUTE if earlier else UNTRUSTED if is_low(Trust(row.trust)) else REVIEW)
        return self._item(row.id, ItemKind.PROPOSAL, row, earlier, why, row.created_at)

    def contradiction(self, pair: MemConflict) -> InboxItem:
        return self._item(pair.id, ItemKind.CONTRADICTION, pair.later, (pair.earlier,), pair.reason, pair.created_at)

    def _item(
        self, item_id: UUID, kind: ItemKind, row: MemNode, earlier: Sequence[MemNode], reason: str, created_at: Any
    ) -> InboxItem:
        replaced = {other.id for other in earlier}
        return InboxItem(
            id=item_id,
            kind=kind,
            memory=self._memory(row),
            replaces=tuple(self._memory(other) for other in earlier),
            near_duplicates=tuple(
                NearDuplicate(self._memory(self._rows[near_id]), similarity)
                for near_id, similarity in self._near.get(row.id, {}).items()
                if near_id in self._rows and near_id not in replaced
            ),
            reason=reason,
            created_at=created_at,
        )

    def _memory(self, row: MemNode) -> InboxMemory:
        return inbox_memory(row, self._sources.get(row.id, ()))


def inbox_memory(row: MemNode, sources: Sequence[SourceRecord] = ()) -> InboxMemory:
    return InboxMemory(
        id=row.id,
        uri=row.uri,
        category=row.category,
        abstract=row.l0_abstract,
        content=row.l2_content[:LONGEST_LISTED],
        is_cut=len(row.l2_content) > LONGEST_LISTED,
        tags=tuple(row.tags),
        owner_id=row.owner_id,
        shared=row.owner_id is None,
        trust=row.trust,
        arrival=row.arrival,
        attribute=row.attribute,
        value=row.value,
        occurred_at=row.occurred_at,
        valid_from=row.valid_from,
        version=row.version,
        sources=tuple(sources),
    )


def _page_ids(actor: Actor, query: InboxQuery, after: str | None, count: int) -> list[UUID]:
    """Return the ids of items in order of creation, which is the order of their ids."""
    proposals = open_proposals(actor).filter(_matching(query))
    pairs = open_pairs(actor).filter(_matching(query, "later__"))
    seen = Q(pk__gt=UUID(after)) if after and query.oldest_first else Q(pk__lt=UUID(after)) if after else Q()
    order = "pk" if query.oldest_first else "-pk"
    parts = [_first_ids(rows.filter(seen), order, count) for rows in (proposals, pairs)]
    return sorted((one for part in parts for one in part), reverse=not query.oldest_first)[:count]


def _first_ids(rows: QuerySet[Any], order: str, count: int) -> Iterable[UUID]:
    return rows.order_by(order).values_list("pk", flat=True)[:count]


def _matching(query: InboxQuery, prefix: str = "") -> Q:
    wanted = Q(**{f"{prefix}category": query.category}) if query.category else Q()
    sources = MemSource.objects.filter(node_id=OuterRef(f"{prefix}pk" if prefix else "pk"))
    if query.source_kind:
        wanted &= Q(Exists(sources.filter(kind=query.source_kind)))
    if query.conversation_id:
        messages = Message.objects.filter(conversation_id=query.conversation_id)
        references = messages.annotate(reference=Cast("pk", CharField())).values("reference")
        wanted &= Q(Exists(sources.filter(kind=SourceKind.MESSAGE, reference__in=references)))
    return wanted


def _conflict_reasons(rows: Sequence[MemNode]) -> Mapping[UUID, str]:
    """Return why each proposal may replace another memory, where a conflict says so."""
    conflicts = MemConflict.objects.filter(later_id__in=[row.id for row in rows]).order_by("-id")
    return dict(conflicts.values_list("later_id", "reason"))
