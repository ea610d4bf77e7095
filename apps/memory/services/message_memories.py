"""Permanent deletion of what was found in a message that is deleted permanently."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.memory.models import MemNode, MemRevision, MemSource, NodeType, Operation, SourceKind
from apps.memory.selectors.nodes import DERIVED, in_tree, sources_of
from apps.memory.selectors.tree_locks import tree_lock
from apps.memory.services.tree.archive import rows_archive
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.delete_permanently import rows_erase
from apps.memory.services.tree.successors import successor_in_use, successors_restore, superseded_by

_COPIES = (Operation.EDIT, Operation.APPROVE, Operation.SUPERSEDE)
"""A person's operations that store the former content of a memory as another one, its history."""


def message_memories_erase(
    message_id: UUID, *, user_id: UUID, stating: Mapping[UUID, Collection[UUID]] = MappingProxyType({})
) -> None:
    """Delete the memories that a program found in this message alone, with their history and folders left empty.

    Memories with other sources, and those that a person wrote, stay. Derived leaves are compiled again instead.
    `stating` are memories whose content uses words of this message beside those of the messages that it names; other
    messages can be sources of their own. The same words in another message can become a memory again.
    """
    found = _only_from(message_id, stating)
    for owner_id in sorted(set(found.values_list("owner_id", flat=True)), key=str):
        tree_lock(owner_id)
        leaves = list(found.filter(owner_id=owner_id).select_for_update(of=("self",)).order_by("uri"))
        _reinstate_earlier(leaves, user_id)
        rows_erase([*leaves, *_emptied(owner_id, leaves)], (), user_id)


def _reinstate_earlier(leaves: Sequence[MemNode], user_id: UUID) -> None:
    """Let what memories in use superseded hold again; what excluding the message has archived superseded nothing."""
    links = {row.id: row.superseded_by_id for row in leaves if row.archived_at is None}
    rows = superseded_by(links).exclude(pk__in=links).select_for_update(of=("self",), no_key=True)
    earlier = {row.id: row for row in rows.order_by("uri", "id")}
    change = Change(Cause(Operation.EDIT, user_id, "A message that the later memory came from was deleted."))
    rows_archive(change, leaves if earlier else ())
    successors = {row.id: successor_in_use(row.superseded_by_id, links, links.keys()) for row in earlier.values()}
    successors_restore(change, earlier, successors)
    change.store()


def _only_from(message_id: UUID, stating: Mapping[UUID, Collection[UUID]]) -> QuerySet[MemNode]:
    of_node = MemSource.objects.filter(node_id=OuterRef("pk"))
    this = {"kind": SourceKind.MESSAGE, "reference": str(message_id)}
    alone = Q(Exists(of_node.filter(**this)) & ~Exists(of_node.exclude(**this)))
    rows = MemNode.objects.filter(alone | Q(pk__in=_resting_on(message_id, stating)), node_type=NodeType.LEAF)
    return rows.exclude(DERIVED).exclude(Exists(_written_by_person()))


def _resting_on(message_id: UUID, stating: Mapping[UUID, Collection[UUID]]) -> list[UUID]:
    """Return the memories without a source but these messages."""
    sources = sources_of(stating)
    named = {node_id: {str(message_id), *map(str, others)} for node_id, others in stating.items()}
    return [
        node_id
        for node_id, found in sources.items()
        if all(one.kind == SourceKind.MESSAGE and one.reference in named[node_id] for one in found)
    ]


def _written_by_person() -> QuerySet[MemRevision]:
    """Select the revisions of a memory in which a person gave it its words, rather than approved, restored or copied
    what a program had found."""
    words = KeyTextTransform("l2_content", "after")
    of_node = MemRevision.objects.filter(node_id=OuterRef("pk"), made_by="", after__has_key="l2_content")
    copied = MemRevision.objects.filter(node_id=OuterRef("node__superseded_by_id"), after__has_key="l2_content")
    by_program = copied.exclude(made_by="").annotate(words=words).filter(words=OuterRef("words"))
    rows = of_node.exclude(operation=Operation.UNDO).annotate(words=words)
    return rows.exclude(Q(Exists(by_program), number=1, operation__in=_COPIES))


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
