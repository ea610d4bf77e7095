"""Permanent deletion of what was found in a message that is deleted permanently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.memory.models import MemNode, MemRevision, MemSource, NodeType, Operation, SourceKind
from apps.memory.selectors.nodes import DERIVED, in_tree
from apps.memory.selectors.tree_locks import tree_lock
from apps.memory.services.tree.delete_permanently import rows_erase

_WITHOUT_WORDS = (
    Operation.ARCHIVE,
    Operation.RESTORE,
    Operation.MOVE,
    Operation.SHARE,
    Operation.APPROVE,
    Operation.UNDO,
)
"""What a person can do to a memory without writing it."""


def message_memories_erase(message_id: UUID, *, user_id: UUID) -> None:
    """Delete the memories that a program found in this message alone, with their history and folders left empty.

    Memories with other sources, and those that a person wrote, stay. Derived leaves are compiled again instead: without
    tombstones, so that they can return.
    """
    found = _only_from(message_id)
    for owner_id in sorted(set(found.values_list("owner_id", flat=True)), key=str):
        tree_lock(owner_id)
        leaves = list(found.filter(owner_id=owner_id).select_for_update(of=("self",)).order_by("uri"))
        rows_erase([*leaves, *_emptied(owner_id, leaves)], leaves, user_id)


def _only_from(message_id: UUID) -> QuerySet[MemNode]:
    of_node = MemSource.objects.filter(node_id=OuterRef("pk"))
    this = {"kind": SourceKind.MESSAGE, "reference": str(message_id)}
    by_person = MemRevision.objects.filter(node_id=OuterRef("pk"), made_by="").exclude(operation__in=_WITHOUT_WORDS)
    rows = MemNode.objects.filter(Exists(of_node.filter(**this)), node_type=NodeType.LEAF)
    return rows.exclude(DERIVED).exclude(Exists(of_node.exclude(**this))).exclude(Exists(by_person))


def _emptied(owner_id: UUID | None, leaves: Sequence[MemNode]) -> list[MemNode]:
    """Lock and return the folders above that hold nothing else."""
    addresses = {above for leaf in leaves for above in Address(leaf.uri).ancestors if above not in FIXED}
    gone = {leaf.uri for leaf in leaves}
    emptied: list[MemNode] = []
    for address in sorted(addresses, key=lambda one: -one.depth):
        row = in_tree(owner_id).select_for_update(of=("self",)).filter(uri=address.text).first()
        if row is not None and not _others(row, gone):
            emptied.append(row)
            gone.add(row.uri)
    return emptied


def _others(directory: MemNode, gone: Iterable[str]) -> bool:
    return MemNode.objects.filter(parent_id=directory.id).exclude(uri__in=list(gone)).exists()
