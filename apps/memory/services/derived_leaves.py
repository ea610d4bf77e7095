"""Leaves that a program compiles from other data at a fixed address, and writes again when that data changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.engine.memory.trust import Arrival, Trust
from apps.memory.models import MemNode, MemRevision, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import in_tree, sources_of, within
from apps.memory.selectors.tree_locks import tree_lock
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.content_tiers import tiers_of_content
from apps.memory.services.tree.create import node_insert
from apps.memory.services.tree.delete_permanently import Tombstones, nodes_drop
from apps.memory.services.tree.node_drafts import NodeDraft, Origin
from apps.memory.services.tree.node_snapshot import derive
from apps.memory.services.tree.node_storage import is_directory
from apps.memory.services.tree.paths import parents_ensure


@dataclass(frozen=True, slots=True)
class DerivedLeaf:
    """What a derived leaf has to be; `sources` without those that a person gave it.

    An archived one is written only if `also_archived`: its text only loses something.
    """

    address: Address
    content: str
    sources: Sequence[SourceRecord]
    occurred_at: datetime
    trust: Trust
    arrival: Arrival = Arrival.ACCEPTED
    also_archived: bool = False


def derived_leaf_write(owner_id: UUID, leaf: DerivedLeaf, cause: Cause) -> None:
    """Create or update the leaf; write nothing if it is as it should be, archived, or permanently deleted.

    The caller has locked the tree, or is the only writer of this address.
    """
    rows = in_tree(owner_id).select_for_update(of=("self",), no_key=True)
    row = rows.filter(uri=leaf.address.text).first()
    if row is None:
        _create(owner_id, leaf, cause)
    elif not is_directory(row) and (leaf.also_archived or row.archived_at is None):
        _update(row, leaf, cause)


def derived_leaf_delete(owner_id: UUID, address: Address) -> None:
    """Delete the leaf with its history, and its directory if nothing else is in it; it may be written again."""
    directory = address.ancestors[-1]
    if not in_tree(owner_id).filter(uri=address.text).exists():
        return
    tree_lock(owner_id)
    inside = within(owner_id, directory).select_for_update(of=("self",)).order_by("uri")
    leaves = [row for row in inside if row.uri == address.text and not is_directory(row)]
    is_whole = directory not in FIXED and len(inside) == len(leaves) + 1
    nodes_drop([row for row in inside if is_whole or row in leaves])


def written_by_person(row: MemNode) -> bool:
    """Whether a person wrote the present content."""
    revisions = MemRevision.objects.filter(node_id=row.id, after__has_key="l2_content").order_by("-number")
    return revisions.values_list("made_by", flat=True).first() == ""


def is_final(row: MemNode) -> bool:
    """Whether a person archived it or wrote it, so that no program writes it again. An empty one lost what it had."""
    return row.archived_at is not None or (bool(row.l2_content) and written_by_person(row))


def changed_by_person(node_ids: Collection[UUID]) -> set[UUID]:
    """Those of the nodes of which a person changed something at any time, or something in them."""
    ids = set(node_ids)
    inside = dict(MemNode.objects.filter(parent_id__in=ids).values_list("pk", "parent_id"))
    rows = MemRevision.objects.filter(node_id__in=ids | inside.keys(), made_by="")
    changed = set(rows.values_list("node_id", flat=True))
    return (changed & ids) | {folder for node_id in changed if (folder := inside.get(node_id))}


def _create(owner_id: UUID, leaf: DerivedLeaf, cause: Cause) -> None:
    if Tombstones(owner_id, [leaf.address], ()).matches(leaf.address, "", _above(leaf.address)):
        return
    change = Change(cause)
    parents = parents_ensure(change, owner_id, [leaf.address])
    draft = NodeDraft(leaf.address, leaf.content, occurred_at=leaf.occurred_at)
    row = node_insert(draft, owner_id, parents, cause, Origin(leaf.trust, leaf.arrival, by_model=False))
    change.made(row)
    change.give_sources(row, leaf.sources)
    change.store()


def _above(address: Address) -> Collection[str]:
    """Deleted folders return with what is written in them."""
    return [above.text for above in address.ancestors]


def _update(row: MemNode, leaf: DerivedLeaf, cause: Cause) -> None:
    change = Change(cause)
    change.open(row)
    if row.l2_content != leaf.content:
        row.l2_content, row.occurred_at = leaf.content, leaf.occurred_at
        if not row.access_count:
            row.last_access = leaf.occurred_at
        derive(row)
        tiers_of_content(row, by_model=False)
    others = [one for one in sources_of([row.id]).get(row.id, ()) if one.kind != SourceKind.MESSAGE]
    change.give_sources(row, [*others, *leaf.sources])
    change.store()
