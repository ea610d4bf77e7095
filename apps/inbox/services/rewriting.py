"""Decisions that rewrite memories: editing a proposal before it is used, and merging it into a memory in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Unprocessable
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import Category, named_address
from apps.inbox.records import DecisionRecord, Verdict
from apps.inbox.services.decisions import (
    Decide,
    accept,
    fact_state,
    inbox_decide,
    supersede_earlier,
    use_both,
)
from apps.inbox.services.items_lock import LockedItem
from apps.memory.models import Operation
from apps.memory.selectors.nodes import require_writable
from apps.memory.selectors.tree_locks import nodes_lock
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.corrections import correction_begin, value_in
from apps.memory.services.tree.edit import NodeChanges, changes_apply, without_secrets
from apps.memory.services.tree.merge import rows_merge
from apps.memory.services.tree.move import leaf_move


@dataclass(frozen=True, slots=True)
class ItemEdit:
    """New values of the later memory. With `category` it moves there and keeps its name. `replaces` tells whether the
    earlier memories become history or stay in use; None leaves that to the dates of the words, as an approval does."""

    changes: NodeChanges
    to: Address | None = None
    category: Category | None = None
    replaces: bool | None = None


_DECIDE: Mapping[bool | None, Decide] = MappingProxyType({True: supersede_earlier, False: use_both, None: accept})


def inbox_edit(actor: Actor, *, item_id: UUID, edit: ItemEdit, version: int | None = None) -> DecisionRecord:
    """Rewrite the later memory and put it in use."""

    def decide(change: Change, item: LockedItem) -> None:
        _DECIDE[edit.replaces](change, item)
        change.open(item.later)
        changes = without_secrets(edit.changes)
        content = changes.get("content", item.later.l2_content)
        if content != item.later.l2_content:
            _correct(change, item, content)
        changes_apply(item.later, changes)
        _move(change, item, edit)

    verdict = Verdict.REPLACE if edit.replaces else Verdict.EDIT
    operation = Operation.SUPERSEDE if edit.replaces else Operation.APPROVE
    return inbox_decide(actor, verdict, operation, [item_id], version, decide)


def inbox_merge(
    actor: Actor, *, item_id: UUID, into_id: UUID, content: str | None = None, version: int | None = None
) -> DecisionRecord:
    """Merge the later memory into one in use, which gets the combined content, or the given `content`."""

    def decide(change: Change, item: LockedItem) -> None:
        if into_id == item.later.id:
            raise Unprocessable("A memory cannot be merged into itself.", code="tree_refused")
        target = next((one for one in item.earlier if one.id == into_id), None)
        target = target or nodes_lock(actor, [into_id])[into_id]
        require_writable(actor, [target])
        accept(change, item)
        rows_merge(change, target, [item.later], content)

    return inbox_decide(actor, Verdict.MERGE, Operation.MERGE, [item_id], version, decide)


def _correct(change: Change, item: LockedItem, content: str) -> None:
    """Begin another content. What a memory in use said until now becomes history; a proposal never was in use."""
    if item.is_proposal:
        item.later.value = value_in(item.later, content)
        fact_state(change, item.later)
    else:
        correction_begin(change, item.later, content)


def _move(change: Change, item: LockedItem, edit: ItemEdit) -> None:
    row = item.later
    if edit.to is not None:
        leaf_move(change, row, edit.to, numbered=False)
    elif edit.category is not None and edit.category != row.category:
        leaf_move(change, row, named_address(edit.category, Address(row.uri).name), numbered=True)
