"""One operation on the memory tree: all its changes are stored together, with one revision per node.

The version of a node is its number of revisions; an operation that changes nothing creates neither. Passages are
updated in the same transaction, and everyone with access to one of the nodes gets an event after the commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from django.utils import timezone

from apps.common.ids import uuid7
from apps.common.models import Json
from apps.common.tenancy import current_workspace_id
from apps.jobs.services import job_request_within
from apps.memory.models import MemNode, MemSource, Operation
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.events import memory_announce
from apps.memory.services.index.passages import node_passages_sync
from apps.memory.services.tree.current_facts import rivals_lock, supersede
from apps.memory.services.tree.node_snapshot import differing, sources_json, state_of
from apps.memory.services.tree.node_storage import directories_invalidate, revisions_insert, rows_write, sources_insert

TIERS_KIND, TREE_KEY = "memory_tiers", "tree"
LONGEST_REASON = 500
_DEBOUNCE_S, _MAX_WAIT_S = 3, 30


@dataclass(frozen=True, slots=True)
class Cause:
    """The author and reason of a change. `made_by` names a model or program; `undoes` is the id of an undone change."""

    operation: Operation
    actor_id: UUID | None
    reason: str = ""
    made_by: str = ""
    undoes: UUID | None = None
    change: UUID = field(default_factory=uuid7)
    at: datetime = field(default_factory=timezone.now)

    @property
    def stored_reason(self) -> str:
        """The reason, cut to the stored length."""
        return self.reason[:LONGEST_REASON]


class Change:
    """The nodes that one operation creates or changes, which it has locked; `store` writes them."""

    def __init__(self, cause: Cause) -> None:
        self.cause = cause
        self._rows: dict[UUID, MemNode] = {}
        self._before: dict[UUID, Json] = {}
        self._old_sources: dict[UUID, tuple[SourceRecord, ...]] = {}
        self._sources: dict[UUID, tuple[SourceRecord, ...]] = {}
        self._directories: set[UUID] = set()
        self._added: list[MemNode] = []

    def open(self, *rows: MemNode) -> None:
        """Record the state of rows before they are changed."""
        for row in rows:
            if row.id not in self._rows:
                self._rows[row.id] = row
                self._before[row.id] = state_of(row)

    def made(self, *rows: MemNode) -> None:
        """Register new rows of this operation that have no revision yet."""
        self._rows.update({row.id: row for row in rows})

    def added(self, rows: Sequence[MemNode]) -> None:
        """Register new rows of this operation whose revisions and sources are stored already."""
        self._added += rows

    def give_sources(self, row: MemNode, sources: Sequence[SourceRecord]) -> None:
        """Replace the row's sources."""
        if row.id in self._before and row.id not in self._old_sources:
            self._old_sources[row.id] = sources_of([row.id]).get(row.id, ())
        self._sources[row.id] = tuple(dict.fromkeys(sources))

    def left(self, directory_id: UUID | None) -> None:
        """Record that a node left this directory, whose tiers are then stale."""
        self._directories |= {directory_id} if directory_id else set()

    @property
    def rows(self) -> list[MemNode]:
        return list(self._rows.values())

    def row(self, node_id: UUID) -> MemNode | None:
        return self._rows.get(node_id)

    def settle(self) -> None:
        """Let each of several current memories of one slot be superseded by the next one."""
        for rivals in list(rivals_lock(self.rows)):
            self.open(*rivals)
            for earlier, later in pairwise(rivals):
                supersede(earlier, later)

    def store(self) -> bool:
        """Write the changed rows and their revisions; return whether there were any."""
        self.settle()
        differences = [(row, *self._difference(row)) for row in self._rows.values()]
        changed = [(row, before, after) for row, before, after in differences if after]
        rows = [row for row, _, _ in changed]
        known = [row for row in rows if row.id in self._before]
        for row in known:
            row.version += 1
            row.updated_at = self.cause.at
        rows_write(known)
        self._write_sources(rows)
        revisions_insert([self._revision(*one) for one in changed])
        node_passages_sync(rows)
        node_passages_sync(self._added, new=True)
        if rows or self._added:
            self._follow([*rows, *self._added])
        return bool(rows or self._added)

    def _follow(self, rows: Sequence[MemNode]) -> None:
        """Mark the tiers of parent directories as stale, schedule their job, and announce the rows."""
        directories_invalidate(self._directories | {row.parent_id for row in rows if row.parent_id})
        tiers_schedule()
        owners = {state["owner"] for state in self._before.values()}
        memory_announce(
            workspace_id=current_workspace_id(), rows=rows, owners_before=[UUID(one) if one else None for one in owners]
        )

    def _difference(self, row: MemNode) -> tuple[Json, Json]:
        before, after = self._before.get(row.id, {}), state_of(row)
        if row.id in self._sources:
            after["sources"] = sources_json(self._sources[row.id])
            if before:
                before = {**before, "sources": sources_json(self._old_sources[row.id])}
        return differing(before, after)

    def _revision(self, row: MemNode, before: Json, after: Json) -> Json:
        cause = self.cause
        return {
            "id": uuid7(),
            "node_id": row.id,
            "number": row.version,
            "change": cause.change,
            "operation": cause.operation.value,
            "undoes": cause.undoes,
            "actor_id": cause.actor_id,
            "made_by": cause.made_by,
            "reason": cause.stored_reason,
            "before": before,
            "after": after,
            "created_at": cause.at,
        }

    def _write_sources(self, rows: Iterable[MemNode]) -> None:
        given = {row.id: self._sources[row.id] for row in rows if row.id in self._sources}
        if known := [node_id for node_id in given if self._old_sources.get(node_id)]:
            MemSource.objects.filter(node_id__in=known).delete()
        sources_insert((node_id, source) for node_id, sources in given.items() for source in sources)


def tiers_schedule(*, in_s: float = _DEBOUNCE_S) -> None:
    """Schedule the job of abstracts and overviews."""
    job_request_within(in_s, _MAX_WAIT_S, workspace_id=current_workspace_id(), kind=TIERS_KIND, key=TREE_KEY)
