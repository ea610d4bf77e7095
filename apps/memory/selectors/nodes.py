"""The rows of the memory tree: whose they are to see and to write, what lies below one, and holding them for a write.

Whoever holds several holds them in the order of their addresses, so that two operations never wait for each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.accounts.actors import Actor, require_write
from apps.accounts.models import Role
from apps.common.errors import Conflict, Forbidden, NotFound
from apps.common.kept import kept
from apps.common.tenancy import plans_fit
from apps.engine.addresses import Address
from apps.engine.categories import Owner, owner_of
from apps.memory.models import MemNode, MemSource
from apps.memory.records.tree import SourceRecord

_CURATORS = frozenset({Role.OWNER, Role.ADMIN, Role.CURATOR})
_LOCKING_TRIES = 5


def visible_nodes(actor: Actor) -> QuerySet[MemNode]:
    """One's own and the team's, the archived ones too."""
    return MemNode.objects.filter(Q(owner_id=actor.person_id) | Q(owner__isnull=True))


def node_row(actor: Actor, node_id: UUID) -> MemNode:
    row = visible_nodes(actor).filter(pk=node_id).first()
    if row is None:
        raise _absent()
    return row


def node_lock(actor: Actor, node_id: UUID) -> MemNode:
    """The node alone, for a change of what it says."""
    rows = visible_nodes(actor).select_for_update(of=("self",), no_key=True)
    row = rows.filter(pk=node_id).first()
    if row is None:
        raise _absent()
    return row


def nodes_lock(actor: Actor, node_ids: Collection[UUID]) -> dict[UUID, MemNode]:
    """Several that the actor sees; `NotFound` where one of them is not among those."""
    rows = visible_nodes(actor).select_for_update(of=("self",)).filter(pk__in=node_ids).order_by("uri", "id")
    return _all_of(rows, node_ids)


def nodes_rows(actor: Actor, node_ids: Collection[UUID]) -> dict[UUID, MemNode]:
    """The same without locking them."""
    return _all_of(visible_nodes(actor).filter(pk__in=node_ids), node_ids)


def _all_of(rows: Iterable[MemNode], node_ids: Collection[UUID]) -> dict[UUID, MemNode]:
    found = {row.id: row for row in rows}
    if len(found) < len(set(node_ids)):
        raise _absent()
    return found


def in_tree(owner_id: UUID | None) -> QuerySet[MemNode]:
    """The tree of one person, or the team's."""
    return MemNode.objects.filter(owner_id=owner_id) if owner_id else MemNode.objects.filter(owner__isnull=True)


def within(owner_id: UUID | None, address: Address) -> QuerySet[MemNode]:
    """What stands at an address and all below it."""
    return in_tree(owner_id).filter(_within(address))


def visible_within(actor: Actor, address: Address) -> QuerySet[MemNode]:
    """The same as far as the actor sees it; the team has something in one root alone."""
    if owner_of(address) is not Owner.AGENT:
        return within(actor.person_id, address)
    return visible_nodes(actor).filter(_within(address))


def subtree_lock(actor: Actor, node_id: UUID, to: Address | None = None) -> list[MemNode]:
    """The node first and all below it, held together with what is above it and, for a move, above where it goes.

    What came to be below it while we waited is held too: with its directory held, nothing more can.
    """
    plans_fit()
    for _ in range(_LOCKING_TRIES):
        row = node_row(actor, node_id)
        address = Address(row.uri)
        also = (*address.ancestors, *((to, *to.ancestors) if to else ()))
        wanted = _within(address) | Q(uri__in=[place.text for place in also])
        held = list(in_tree(row.owner_id).select_for_update(of=("self",)).filter(wanted).order_by("uri"))
        now = set(within(row.owner_id, address).values_list("pk", flat=True))
        rows = [one for one in held if Address.stored(one.uri).is_within(address)]
        if now == {one.id for one in rows} and any(one.id == node_id for one in rows):
            return rows
    raise Conflict("The memory is being moved by somebody else.", code="busy")


def changed_lock(
    actor: Actor, node_ids: Collection[UUID], leaving: Mapping[UUID, Collection[Address]]
) -> tuple[list[MemNode], dict[UUID, list[MemNode]]]:
    """Several nodes in the order of their addresses; and of each that leaves for elsewhere all that is below it.

    `leaving` tells where each of those goes; what is above there and above them is held together with them.
    """
    plans_fit()
    for _ in range(_LOCKING_TRIES):
        known = {row.id: row for row in visible_nodes(actor).filter(pk__in=node_ids)}
        if len(known) < len(set(node_ids)):
            raise _absent()
        going = _uppermost([known[node_id] for node_id in leaving])
        wanted = Q(pk__in=list(node_ids))
        for row in going:
            above = {one.text for place in (Address(row.uri), *leaving[row.id]) for one in place.ancestors}
            wanted |= Q(owner_id=row.owner_id) & _within(Address(row.uri)) | Q(uri__in=above)
        held = list(visible_nodes(actor).select_for_update(of=("self",)).filter(wanted).order_by("uri", "id"))
        rows = [one for one in held if one.id in known]
        ids = {one.id for one in held}
        whole = all(
            ids.issuperset(within(row.owner_id, Address(row.uri)).values_list("pk", flat=True)) for row in going
        )
        if whole and all((known[one.id].owner_id, known[one.id].uri) == (one.owner_id, one.uri) for one in rows):
            return rows, {row.id: _below(row, held) for row in going}
    raise Conflict("The memory is being moved by somebody else.", code="busy")


def sources_of(node_ids: Iterable[UUID]) -> dict[UUID, tuple[SourceRecord, ...]]:
    """In the order in which they came to be known; nodes without any are left out."""
    found: dict[UUID, list[SourceRecord]] = {}
    for node_id, kind, reference in _sources(list(node_ids)):
        found.setdefault(node_id, []).append(SourceRecord(kind, reference))
    return {node_id: tuple(sources) for node_id, sources in found.items()}


@kept
def _sources(node_ids: list[UUID]) -> QuerySet[MemSource, tuple[UUID, str, str]]:
    rows = MemSource.objects.filter(node_id__in=node_ids).order_by("id")
    return rows.values_list("node_id", "kind", "reference")


def may_curate(actor: Actor) -> bool:
    """Whether the actor may write what the team owns."""
    return actor.may_write and actor.role in _CURATORS


def require_curator(actor: Actor) -> None:
    require_write(actor)
    if not may_curate(actor):
        raise Forbidden("Only an owner, admin or curator of the workspace can do this.", code="curators_only")


def require_writable(actor: Actor, rows: Sequence[MemNode], *, as_author: bool = False) -> None:
    """One's own, or the team's for a curator; with `as_author` also what the actor once wrote for the team."""
    require_write(actor)
    if may_curate(actor):
        return
    for row in rows:
        if row.owner_id is None and not (as_author and row.author_id == actor.user_id):
            raise Forbidden("Only an owner, admin or curator of the workspace can do this.", code="curators_only")


def _uppermost(rows: Sequence[MemNode]) -> list[MemNode]:
    """Those that lie below none of the others."""
    places = {(row.owner_id, row.uri) for row in rows}
    return [row for row in rows if not any((row.owner_id, one.text) in places for one in Address(row.uri).ancestors)]


def _below(above: MemNode, rows: Iterable[MemNode]) -> list[MemNode]:
    return [row for row in rows if row.owner_id == above.owner_id and row.uri.startswith(f"{above.uri}/")]


def _within(address: Address) -> Q:
    """One range of the index, from the address on; what stands in it between the address and its first child is not
    below it."""
    first, end = address.descendant_range
    return Q(uri__gte=address.text, uri__lt=end) & (Q(uri=address.text) | Q(uri__gte=first))


def _absent() -> NotFound:
    return NotFound("There is no such memory.")
