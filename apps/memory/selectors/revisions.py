"""What was done to a node, the newest first, and whether it was taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.common.pages import Page, page_of
from apps.engine.tree import diff
from apps.memory.models import MemRevision
from apps.memory.records.tree import RevisionRecord
from apps.memory.selectors.nodes import node_row

_CONTENT = "l2_content"


def revision_list(actor: Actor, node_id: UUID, *, after: str | None = None, limit: int) -> Page[RevisionRecord]:
    """`after` is the number of the last one seen."""
    node_row(actor, node_id)
    rows = MemRevision.objects.filter(node_id=node_id).select_related("actor").order_by("-number")
    undoing = _undoing(node_id)
    if after:
        rows = rows.filter(number__lt=int(after))
    return page_of(rows[: limit + 1], limit, lambda row: _record(row, undoing), lambda row: str(row.number))


def _undoing(node_id: UUID) -> Mapping[UUID, list[UUID]]:
    """Of each change of the node those that took it back."""
    found: dict[UUID, list[UUID]] = {}
    pairs: Iterable[tuple[UUID | None, UUID]] = MemRevision.objects.filter(
        node_id=node_id, undoes__isnull=False
    ).values_list("undoes", "change")
    for undone, change in pairs:
        if undone is not None:
            found.setdefault(undone, []).append(change)
    return found


def _is_undone(change: UUID, undoing: Mapping[UUID, list[UUID]]) -> bool:
    """Whether the last word on it was an undo that stands itself."""
    return any(not _is_undone(by, undoing) for by in undoing.get(change, ()))


def _record(row: MemRevision, undoing: Mapping[UUID, list[UUID]]) -> RevisionRecord:
    return RevisionRecord(
        id=row.id,
        change_id=row.change,
        number=row.number,
        operation=row.operation,
        actor_id=row.actor_id,
        actor_name=_name(row.actor),
        made_by=row.made_by,
        reason=row.reason,
        undoes=row.undoes,
        undone=_is_undone(row.change, undoing),
        created_at=row.created_at,
        before=row.before,
        after=row.after,
        fields=tuple(sorted(row.after)),
        hunks=diff(row.before.get(_CONTENT, ""), row.after.get(_CONTENT, "")) if _CONTENT in row.after else (),
    )


def _name(person: User | None) -> str:
    return (person.name or person.email) if person else ""
