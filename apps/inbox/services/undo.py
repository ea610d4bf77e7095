"""Undo of a decision: what it changed is restored, and its items wait again."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor, require_write
from apps.common.errors import NotFound
from apps.common.tenancy import current_workspace_id
from apps.inbox.records import UndoneRecord
from apps.inbox.selectors.open_items import decidable, open_pairs, open_proposals, waiting_count
from apps.memory.models import Decision, MemConflict, MemNode, MemRevision
from apps.memory.selectors.nodes import visible_nodes
from apps.memory.services.events import memory_announce
from apps.memory.services.tree.undo.change_undo import change_undo


def inbox_undo(actor: Actor, *, change_id: UUID) -> UndoneRecord:
    """Undo the change of a decision; return the items that wait again."""
    require_write(actor)
    decided = MemConflict.objects.filter(
        decidable(actor, "later__"), decidable(actor, "earlier__"), decided_in=change_id
    )
    pairs = list(decided.select_for_update(of=("self",), no_key=True).select_related("earlier", "later"))
    changed = MemRevision.objects.filter(change=change_id).values("node_id")
    nodes = list(visible_nodes(actor).filter(pk__in=changed).order_by("uri", "id"))
    if nodes:
        change_undo(actor, node_id=nodes[0].id, change_id=change_id)
    elif not pairs:
        raise NotFound("Change not found.")
    _reopen(pairs, announce=not nodes)
    ids = [*open_proposals(actor).filter(pk__in=[row.id for row in nodes]).values_list("pk", flat=True)]
    ids += open_pairs(actor).filter(pk__in=[pair.id for pair in pairs]).values_list("pk", flat=True)
    return UndoneRecord(tuple(ids), waiting_count(actor))


def _reopen(pairs: list[MemConflict], *, announce: bool) -> None:
    values = {"decision": Decision.OPEN, "decided_in": None, "decided_by": None, "decided_at": None}
    MemConflict.objects.filter(pk__in=[pair.id for pair in pairs]).update(**values)
    if announce:
        rows: list[MemNode] = [row for pair in pairs for row in (pair.later, pair.earlier)]
        memory_announce(workspace_id=current_workspace_id(), rows=rows)
