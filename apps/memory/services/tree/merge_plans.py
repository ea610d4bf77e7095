"""Planning of merges: which memories can be merged, and the values of the result."""

from __future__ import annotations

from collections.abc import Sequence

from apps.accounts.selectors import policy_for_workspace
from apps.common.errors import Conflict, Unprocessable
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import Writer
from apps.engine.memory.tree import Memory, MergePlan, plan_merge
from apps.engine.memory.trust import Trust
from apps.memory.models import MemNode
from apps.memory.records.tree import strength_of
from apps.memory.services.tree.node_checks import require_usable
from apps.memory.services.tree.node_storage import is_directory
from apps.memory.services.tree.paths import refusals


def merge_plan(target: MemNode, sources: Sequence[MemNode]) -> MergePlan:
    """Plan the merge; raise an error if one of the memories cannot be merged."""
    _check(target, sources)
    with refusals():
        return plan_merge(_memory(target), [_memory(row) for row in sources], Writer.PERSON, policy_for_workspace())


def _check(target: MemNode, sources: Sequence[MemNode]) -> None:
    for row in (target, *sources):
        if is_directory(row):
            raise Unprocessable("A folder cannot be merged. Move its contents instead.", code="tree_refused")
        require_usable(row)
        if row.arrival != target.arrival:
            raise Conflict("One of the memories is waiting for approval.", code="proposed")
        if row.owner_id != target.owner_id:
            raise Unprocessable("Memories of different owners cannot be merged.", code="tree_refused")


def _memory(row: MemNode) -> Memory:
    return Memory(
        id=str(row.id),
        address=Address(row.uri),
        content=row.l2_content,
        trust=Trust(row.trust),
        strength=strength_of(row),
        access_count=row.access_count,
        merged_from=tuple(row.merged_from),
    )
