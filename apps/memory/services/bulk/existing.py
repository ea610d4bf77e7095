"""Items of a bulk create whose address exists: unchanged, refused, or updated and accepted by an import."""

from __future__ import annotations

from apps.common.errors import Conflict
from apps.engine.memory.trust import Trust, lowest, may_merge
from apps.memory.models import MemNode, Operation
from apps.memory.records.tree import ItemResult
from apps.memory.services.bulk.bulk_item import BulkItem, item_sources
from apps.memory.services.tree.archive import row_confirm, waits_from_import
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.content_tiers import tiers_of_content
from apps.memory.services.tree.node_snapshot import derive
from apps.memory.services.tree.node_storage import is_directory
from apps.memory.services.tree.paths import address_taken


def existing_result(change: Change, item: BulkItem, row: MemNode) -> ItemResult:
    """Update or accept the memory by an import, or say that it is unchanged; raise `Conflict` if it is refused."""
    draft = item.draft
    if is_directory(row) != draft.is_directory or (row.archived_at is not None and draft.archived_at is None):
        raise address_taken(row)
    is_in_use = not item.waits and draft.archived_at is None
    is_confirmed = change.cause.operation == Operation.IMPORT and is_in_use and waits_from_import(row)
    if row.l2_content == draft.content and not is_confirmed:
        return ItemResult(item.position, "unchanged", row.id, item.uri)
    if change.cause.operation != Operation.IMPORT or draft.archived_at or draft.is_proposed:
        raise address_taken(row)
    _rewrite(change, item, row)
    return ItemResult(item.position, "updated", row.id, item.uri)


def _rewrite(change: Change, item: BulkItem, existing: MemNode) -> None:
    """Update an existing memory by an import whose trust is at least as high, or accept it if that is confirmed."""
    row = MemNode.objects.select_for_update(no_key=True).get(pk=existing.id)
    if not may_merge(item.trust, Trust(row.trust)):
        raise Conflict("The existing memory has higher trust than an import.", code="trusted_more")
    change.open(row)
    if waits_from_import(row) and not item.waits:
        row_confirm(change, row, item.trust)
    row.l2_content, slot = item.draft.content, item.draft.slot
    row.value = slot.value if slot and row.attribute == slot.attribute else ""
    derive(row)
    tiers_of_content(row, by_model=False)
    row.trust = lowest([Trust(row.trust), item.trust]).value
    change.give_sources(row, item_sources(change, item))
