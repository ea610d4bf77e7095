"""Revisions of a node, newest first, and whether each was undone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.common.errors import NotFound
from apps.common.pagination import Page, page_of
from apps.engine.memory.tree import diff, diff_begin
from apps.memory.models import MemNode, MemRevision
from apps.memory.records.tree import RevisionRecord
from apps.memory.selectors.nodes import node_row

_CONTENT = "l2_content"
LONGEST_LISTED = 10_000
"""Maximum characters of a text, and of its diff, in a listing."""


def revision_list(actor: Actor, node_id: UUID, *, after: str | None = None, limit: int) -> Page[RevisionRecord]:
    """Return a page of revisions; `after` is the number of the last one seen.

    Revisions from before a node was shared remain private. Long texts are truncated."""
    first = first_seen(actor, node_row(actor, node_id))
    rows = MemRevision.objects.filter(node_id=node_id, number__gte=first)
    rows = rows.select_related("actor").order_by("-number")
    undoing = undoing_of([node_id])
    if after:
        rows = rows.filter(number__lt=int(after))
    return page_of(rows[: limit + 1], limit, lambda row: _shortened(row, undoing), lambda row: str(row.number))


def revision_get(actor: Actor, node_id: UUID, revision_id: UUID) -> RevisionRecord:
    """Return one revision with complete texts."""
    first = first_seen(actor, node_row(actor, node_id))
    rows = MemRevision.objects.filter(node_id=node_id, number__gte=first).select_related("actor")
    row = rows.filter(pk=revision_id).first()
    if row is None:
        raise NotFound("Revision not found.")
    hunks = diff(*_contents(row)) if _CONTENT in row.after else ()
    return replace(_record(row, undoing_of([node_id])), hunks=hunks)


def first_seen(actor: Actor, row: MemNode) -> int:
    """Return the number of the first revision visible to the actor; for others' nodes, the one that shared it."""
    if row.owner_id is not None or row.author_id == actor.person_id:
        return 1
    last = _sharing(row)
    return 1 if last is None or last.before.get("owner") == str(actor.person_id) else last.number


def first_of_team(row: MemNode) -> int:
    """Return the number of the revision that shared a team's node; 1 if no person owned it before, or one owns it."""
    last = _sharing(row) if row.owner_id is None else None
    return last.number if last else 1


def _sharing(row: MemNode) -> MemRevision | None:
    shared = MemRevision.objects.filter(node_id=row.id, number__gt=1, after__contains={"owner": None})
    return shared.order_by("-number").first()


def undoing_of(node_ids: Collection[UUID]) -> Mapping[UUID, set[UUID]]:
    """Map each undone change of the nodes to the changes that undid it."""
    undoing: dict[UUID, set[UUID]] = {}
    pairs: Iterable[tuple[UUID | None, UUID]] = MemRevision.objects.filter(
        node_id__in=node_ids, undoes__isnull=False
    ).values_list("undoes", "change")
    for undone, change in pairs:
        if undone is not None:
            undoing.setdefault(undone, set()).add(change)
    return undoing


def is_undone(change: UUID, undoing: Mapping[UUID, Collection[UUID]]) -> bool:
    """Return whether the change was undone by a change that is itself not undone."""
    return any(not is_undone(by, undoing) for by in undoing.get(change, ()))


def _record(row: MemRevision, undoing: Mapping[UUID, Collection[UUID]]) -> RevisionRecord:
    return RevisionRecord(
        id=row.id,
        change_id=row.change,
        number=row.number,
        operation=row.operation,
        actor_id=row.actor_id,
        actor_name=name_of(row.actor),
        made_by=row.made_by,
        reason=row.reason,
        undoes=row.undoes,
        undone=is_undone(row.change, undoing),
        created_at=row.created_at,
        before=row.before,
        after=row.after,
        fields=tuple(sorted(row.after)),
        hunks=(),
    )


def _shortened(row: MemRevision, undoing: Mapping[UUID, Collection[UUID]]) -> RevisionRecord:
    hunks, more = diff_begin(*_contents(row), LONGEST_LISTED) if _CONTENT in row.after else ((), False)
    states = [row.before, row.after]
    cut = {name for values in states for name, value in values.items() if _is_long(value)}
    before, after = (
        {name: value[:LONGEST_LISTED] if _is_long(value) else value for name, value in values.items()}
        for values in states
    )
    cut |= {"hunks"} if more else set()
    return replace(_record(row, undoing), before=before, after=after, hunks=hunks, cut=tuple(sorted(cut)))


def _contents(row: MemRevision) -> tuple[str, str]:
    return row.before.get(_CONTENT, ""), row.after.get(_CONTENT, "")


def _is_long(value: object) -> bool:
    return isinstance(value, str) and len(value) > LONGEST_LISTED


def name_of(person: User | None) -> str:
    return (person.name or person.email) if person else ""
