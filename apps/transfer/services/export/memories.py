"""Memories in an export: each as it is, then its revisions and links, then possible contradictions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.trust import Arrival
from apps.memory.models import MemConflict, MemNode, MemRevision, NodeType, SourceKind
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import visible_nodes
from apps.memory.selectors.revisions import first_of_team
from apps.memory.services.bulk.export import node_fields
from apps.memory.services.tree.node_snapshot import PERSON
from apps.transfer.services.export.node_pages import node_pages
from apps.transfer.services.export.pages import PAGE, Line, date, fitting, without_empty
from apps.transfer.services.export.references import References

_REVISIONS = 200


def node_lines(actor: Actor) -> Iterator[Line]:
    """Every memory and folder, archived ones and proposals too; in `mem://sessions` what a person wrote or changed."""
    for page in node_pages(actor):
        with workspace(actor.workspace_id):
            references = References.of_records(actor, page)
        yield from (_node(one, references) for one in page)


def history_lines(actor: Actor) -> Iterator[Line]:
    """The revisions of every memory, a team's since it was shared, the oldest first; links are with the first ones."""
    for page in node_pages(actor):
        for records, first in _portions(page):
            yield from _histories(actor, records, first)


def conflict_lines(actor: Actor) -> Iterator[Line]:
    after = None
    while True:
        with workspace(actor.workspace_id):
            rows = MemConflict.objects.filter(earlier__in=visible_nodes(actor), later__in=visible_nodes(actor))
            page = list((rows.filter(pk__gt=after) if after else rows).order_by("id")[:PAGE])
        yield from map(_conflict, page)
        if len(page) < PAGE:
            return
        after = page[-1].id


def _node(record: NodeRecord, references: References) -> Line:
    is_leaf = record.node_type == NodeType.LEAF
    fields = node_fields(record) | {
        "archived_at": date(record.archived_at) if is_leaf else None,
        "proposed": record.arrival == Arrival.PROPOSED,
        "sources": [references.named(one.kind, one.reference) for one in record.sources if one.kind != SourceKind.NODE],
    }
    state = {
        "base_relevance": record.base_relevance,
        "last_access": date(record.last_access),
        "access_count": record.access_count,
        "created_at": date(record.created_at),
    }
    if record.tiers_by == PERSON or (is_leaf and not record.tiers_stale):
        state |= {"abstract": record.abstract, "overview": record.overview, "tiers_by": record.tiers_by}
    line = {"node": without_empty(fields), "state": state}
    if name := references.session(record.uri):
        return {"key": f"node:{record.id}", "kind": "session_memory", "conversation": name, **line}
    return {"key": f"node:{record.id}", "kind": "node", **line}


def _portions(records: Sequence[NodeRecord]) -> Iterator[tuple[list[NodeRecord], int]]:
    """Memories with a few hundred revisions in all; or one with more, and the number of the first to read."""
    short: list[NodeRecord] = []
    for record in records:
        if record.version > _REVISIONS:
            yield from (([record], first) for first in range(1, record.version + 1, _REVISIONS))
            continue
        if sum(one.version for one in short) + record.version > _REVISIONS:
            yield short, 1
            short = []
        short.append(record)
    if short:
        yield short, 1


def _histories(actor: Actor, records: Sequence[NodeRecord], first: int) -> Iterator[Line]:
    with workspace(actor.workspace_id):
        seen = _first_exported(records)
        last = first + _REVISIONS - 1
        rows = MemRevision.objects.filter(node_id__in=seen, number__range=(first, last)).order_by("number")
        by_node: dict[UUID, list[MemRevision]] = {one.id: [] for one in records}
        for row in rows:
            if row.number >= seen[row.node_id]:
                by_node[row.node_id].append(row)
        references = References.of_revisions(actor, [row for listed in by_node.values() for row in listed])
    for record in records:
        yield from _history(record, by_node[record.id], seen.get(record.id, 1), references)


def _first_exported(records: Sequence[NodeRecord]) -> dict[UUID, int]:
    """The number of the first revision to export of each memory that still exists.

    An import gives a team's memory to another team, so what was before it was shared stays here, also for its author.
    """
    rows = MemNode.objects.in_bulk([one.id for one in records])
    return {row.id: first_of_team(row) for row in rows.values()}


def _history(record: NodeRecord, rows: list[MemRevision], first: int, references: References) -> Iterator[Line]:
    """Items of a size that can be imported; revisions count from the first that is exported."""
    while rows:
        part = fitting(rows, _size)
        rows = rows[len(part) :]
        number = part[0].number - first + 1
        yield {
            "key": f"node_history:{record.id}:{number}",
            "kind": "node_history",
            "node": str(record.id),
            "number": number,
            **(_links(record) if number == 1 else {}),
            "revisions": [_revision(row, references) for row in part],
        }


def _links(record: NodeRecord) -> Line:
    return without_empty(
        {
            "superseded_by": str(record.superseded_by or ""),
            "merged_into": str(record.merged_into or ""),
            "merged_from": list(record.merged_from),
            "sources": [asdict(one) for one in record.sources if one.kind == SourceKind.NODE],
            "archived_at": date(record.archived_at) if record.node_type == NodeType.DIRECTORY else None,
        }
    )


def _size(row: MemRevision) -> int:
    return len(json.dumps([row.before, row.after]))


def _revision(row: MemRevision, references: References) -> Line:
    fields: dict[str, Any] = {
        "change": str(row.change),
        "operation": row.operation,
        "undoes": str(row.undoes or ""),
        "by": references.person(row.actor_id),
        "made_by": row.made_by,
        "reason": row.reason,
        "before": references.snapshot(row.before),
        "after": references.snapshot(row.after),
        "created_at": date(row.created_at),
    }
    return without_empty(fields)


def _conflict(row: MemConflict) -> Line:
    fields = {
        "key": f"node_conflict:{row.id}",
        "kind": "node_conflict",
        "earlier": str(row.earlier_id),
        "later": str(row.later_id),
        "reason": row.reason,
        "decision": row.decision,
        "decided_at": date(row.decided_at),
    }
    return without_empty(fields)
