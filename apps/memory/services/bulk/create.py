"""Bulk creation of memories: each item gets its own result, and an invalid item does not fail the others.

A manual bulk create only adds. An import may also update memories, except those with a higher trust than its own, and
it never recreates deleted ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from apps.accounts.actors import Actor, require_write
from apps.common.errors import Conflict, ContinuityError, TooLarge
from apps.common.tenancy import use_custom_plans
from apps.engine.memory.trust import Arrival, Mode, Source, Trust, arrives, lowest, trust_of
from apps.memory.models import MemNode, Operation
from apps.memory.records.tree import ItemResult
from apps.memory.services.bulk.bulk_item import BulkItem, item_sources
from apps.memory.services.bulk.existing import existing_result
from apps.memory.services.bulk.insert import leaves_insert
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.current_facts import slots_taken
from apps.memory.services.tree.delete_permanently import Tombstones
from apps.memory.services.tree.node_drafts import NodeDraft, Origin, draft_check, draft_row
from apps.memory.services.tree.node_storage import is_directory, nodes_lock_at, rows_insert
from apps.memory.services.tree.paths import address_taken, owner_for, parents_ensure, place_check

MOST_ITEMS = 1_000
_FEW = 10
"""The largest batch whose abstracts a model writes; a larger one would cause too many model calls."""


def nodes_create_bulk(
    actor: Actor,
    *,
    drafts: Sequence[NodeDraft],
    imported: bool = False,
    trusts: Mapping[int, Trust] | None = None,
    reason: str = "",
) -> list[ItemResult]:
    """Create up to 1,000 memories in one change. `trusts` maps positions to the highest trust an import gives them."""
    require_write(actor)
    if len(drafts) > MOST_ITEMS:
        raise TooLarge(f"At most {MOST_ITEMS:,} memories at once.", code="too_many_items")
    results: dict[int, ItemResult] = {}
    items = _checked(actor, drafts, results)
    if imported:
        items = [replace(one, trust=_trust(one.position, trusts or {})) for one in items]
    use_custom_plans()
    operation = Operation.IMPORT if imported else Operation.CREATE
    change = Change(Cause(operation, actor.user_id, reason))
    for owner_id in {one.owner_id for one in items}:
        _write(change, owner_id, [one for one in items if one.owner_id == owner_id], results)
    change.store()
    return [results[position] for position in range(len(drafts))]


def _trust(position: int, trusts: Mapping[int, Trust]) -> Trust:
    own_store = trust_of(Source.OWN_STORE)
    return lowest([own_store, trusts.get(position, own_store)])


def _checked(actor: Actor, drafts: Sequence[NodeDraft], results: dict[int, ItemResult]) -> list[BulkItem]:
    """Return the valid items that do not conflict with earlier ones; record a refusal for each of the others."""
    seen: dict[tuple[UUID | None, str], bool] = {}
    items: list[BulkItem] = []
    for position, draft in enumerate(drafts):
        try:
            place_check(draft.address)
            draft_check(draft)
            item = _item(position, draft, owner_for(actor, draft.address, shared=draft.shared))
            _check_duplicates(item, seen)
        except ContinuityError as error:
            results[position] = _refused(position, draft, error)
        else:
            items.append(item)
    return items


def _item(position: int, draft: NodeDraft, owner_id: UUID | None) -> BulkItem:
    above = tuple(address.text for address in draft.address.ancestors)
    return BulkItem(position, draft, owner_id, draft.address.text, above)


def _check_duplicates(item: BulkItem, seen: dict[tuple[UUID | None, str], bool]) -> None:
    """Raise `Conflict` if the item collides with an earlier one; `seen` maps an address to whether it is a leaf."""
    key = (item.owner_id, item.uri)
    if key in seen and not (item.draft.is_directory and not seen[key]):
        raise Conflict("Another item has this address.", code="duplicate")
    above = [(item.owner_id, uri) for uri in item.above]
    if any(seen.get(one) for one in above):
        raise Conflict("Another item is a memory at a parent address.", code="tree_refused")
    seen.update(dict.fromkeys(above, False))
    seen[key] = not item.draft.is_directory


def _write(change: Change, owner_id: UUID | None, items: Sequence[BulkItem], results: dict[int, ItemResult]) -> None:
    """Write the items of one owner, or those of the team."""
    existing = nodes_lock_at(owner_id, _addresses(items))
    items = _without_deleted(change, owner_id, items, existing, results)
    items = _without_taken_slots(owner_id, _without_existing(change, items, existing, results))
    parents = parents_ensure(change, owner_id, [one.draft.address for one in items])
    few = len(items) <= _FEW
    rows = {one.uri: _row(change, one, owner_id, parents, few) for one in items if one.uri not in parents}
    fresh = _add(change, {one.uri: one for one in items}, rows)
    for one in items:
        row = rows.get(one.uri, parents.get(one.uri))
        if row is None or (one.uri in rows and row.id not in fresh):
            results[one.position] = _refused(one.position, one.draft, address_taken())
        else:
            results[one.position] = ItemResult(one.position, "created", row.id, one.uri)


def _add(change: Change, items: Mapping[str, BulkItem], rows: Mapping[str, MemNode]) -> set[UUID]:
    """Insert the rows and return the ids of the new ones, without those that another transaction inserted first."""
    leaves = [row for row in rows.values() if not is_directory(row)]
    directories = [row for row in rows.values() if is_directory(row)]
    sources = {row.id: item_sources(change, items[row.uri]) for row in rows.values()}
    fresh = rows_insert(directories) | leaves_insert(leaves, sources, change.cause)
    change.added([row for row in leaves if row.id in fresh])
    for row in directories:
        if row.id in fresh:
            change.made(row)
            change.give_sources(row, sources[row.id])
    return fresh


def _row(change: Change, item: BulkItem, owner_id: UUID | None, parents: Mapping[str, MemNode], few: bool) -> MemNode:
    origin = Origin(item.trust, _arrival(change, item), by_model=few)
    return draft_row(item.draft, owner_id, parents, change.cause, origin)


def _arrival(change: Change, item: BulkItem) -> Arrival:
    if change.cause.operation != Operation.IMPORT:
        return Arrival.ACCEPTED
    return Arrival.PROPOSED if item.waits else arrives(Source.OWN_STORE, Mode.TRUSTED)


def _without_deleted(
    change: Change,
    owner_id: UUID | None,
    items: Sequence[BulkItem],
    existing: Collection[str],
    results: dict[int, ItemResult],
) -> list[BulkItem]:
    """Refuse imported items that were permanently deleted; a person may create them again manually."""
    if change.cause.operation != Operation.IMPORT:
        return list(items)
    tombstones = Tombstones(owner_id, [one.draft.address for one in items], [one.draft.content for one in items])
    remaining = []
    for one in items:
        if tombstones.matches(one.draft.address, one.draft.content, existing):
            erased = Conflict("The memory was permanently deleted.", code="erased")
            results[one.position] = _refused(one.position, one.draft, erased)
        else:
            remaining.append(one)
    return remaining


def _without_existing(
    change: Change, items: Sequence[BulkItem], existing: Mapping[str, MemNode], results: dict[int, ItemResult]
) -> list[BulkItem]:
    """Handle items whose address exists: unchanged, updated by an import, or refused. Return the others."""
    remaining = []
    for one in items:
        try:
            row = existing.get(one.uri)
            if row is None:
                _check_above(one, existing)
                remaining.append(one)
            else:
                results[one.position] = existing_result(change, one, row)
        except ContinuityError as error:
            results[one.position] = _refused(one.position, one.draft, error)
    return remaining


def _without_taken_slots(owner_id: UUID | None, items: Sequence[BulkItem]) -> list[BulkItem]:
    """Leave out the slot of each fact that has a current value already, there or earlier in the file."""
    slots = {one.uri: slot for one in items if not one.waits and (slot := one.draft.single_slot)}
    taken = slots_taken(owner_id, slots.values())
    remaining: list[BulkItem] = []
    for one in items:
        slot = slots.get(one.uri)
        is_taken = slot is not None and (slot.subject, slot.attribute) in taken
        remaining.append(replace(one, draft=replace(one.draft, slot=None)) if is_taken else one)
        taken |= {(slot.subject, slot.attribute)} if slot else set()
    return remaining


def _check_above(item: BulkItem, existing: Mapping[str, MemNode]) -> None:
    above = [existing[uri] for uri in item.above if uri in existing]
    if not all(map(is_directory, above)):
        place_check(item.draft.address, above)


def _addresses(items: Iterable[BulkItem]) -> list[str]:
    return sorted({uri for item in items for uri in (item.uri, *item.above)})


def _refused(position: int, draft: NodeDraft, error: ContinuityError) -> ItemResult:
    return ItemResult(position, "refused", None, draft.address.text, error.code, error.detail)
