"""Creating and editing memories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Unprocessable
from apps.engine.memory.categories import category_of
from apps.memory.models import MemNode, Operation, SourceKind
from apps.memory.records.tree import CreatePreview, NodeRecord, SourceRecord
from apps.memory.selectors.nodes import in_tree, node_lock, require_writable
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import trees_share
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.content_tiers import tiers_of_content, tiers_of_person, tiers_restore
from apps.memory.services.tree.node_checks import content_check, date_check, require_current, require_usable, tags_check
from apps.memory.services.tree.node_drafts import NodeDraft, Origin, draft_check, draft_row
from apps.memory.services.tree.node_snapshot import derive
from apps.memory.services.tree.node_storage import is_directory, nodes_lock_at, rows_insert
from apps.memory.services.tree.paths import address_taken, addresses_free, owner_for, parents_ensure, place_check

_MOST_TRIES = 20

NodeChanges = Mapping[str, Any]
"""Any of `content`, `abstract`, `overview`, `tags`, `occurred_at`; absent fields are unchanged."""


def node_create(actor: Actor, *, draft: NodeDraft, reason: str = "") -> NodeRecord:
    """Create a memory or directory, and its missing parent directories."""
    place_check(draft.address)
    draft_check(draft)
    owner_id = owner_for(actor, draft.address, shared=draft.shared)
    change = Change(Cause(Operation.CREATE, actor.user_id, reason))
    parents = parents_ensure(change, owner_id, [draft.address])
    row = node_insert(draft, owner_id, parents, change.cause, Origin())
    change.made(row)
    change.give_sources(row, draft.sources or [SourceRecord(SourceKind.PERSON.value, str(actor.user_id))])
    change.store()
    return node_get(actor, row.id)


def node_create_preview(actor: Actor, *, draft: NodeDraft) -> CreatePreview:
    """Preview `node_create` for a draft, which may lack content. Nothing is written or locked."""
    address, owner_id = draft.address, owner_for(actor, draft.address, shared=draft.shared)
    place_check(address, in_tree(owner_id).filter(uri__in=[above.text for above in address.ancestors]))
    tags_check(draft.tags)
    date_check(draft.occurred_at)
    taken = in_tree(owner_id).filter(uri=address.text).exists()
    if taken and draft.numbered:
        address = next(addresses_free(owner_id, address))
    category = category_of(address)
    return CreatePreview(address.text, category.value if category else "", taken)


def node_edit(
    actor: Actor, *, node_id: UUID, changes: NodeChanges, version: int | None, reason: str = ""
) -> NodeRecord:
    """Edit the given version. Abstract and overview follow the content unless a person wrote them."""
    trees_share([actor.person_id, None])
    row = node_lock(actor, node_id)
    require_writable(actor, [row], as_author=True)
    require_usable(row)
    require_current(row, version)
    change = Change(Cause(Operation.EDIT, actor.user_id, reason))
    change.open(row)
    _edit(row, changes)
    change.store()
    return node_get(actor, row.id)


def node_insert(
    draft: NodeDraft, owner_id: UUID | None, parents: Mapping[str, MemNode], cause: Cause, origin: Origin
) -> MemNode:
    """Store a new node at the first of its addresses that is free, also concurrently; a change has to take it up."""
    beside = addresses_free(owner_id, draft.address) if draft.numbered else ()
    for address in islice(chain([draft.address], beside), _MOST_TRIES):
        row = draft_row(replace(draft, address=address), owner_id, parents, cause, origin)
        if rows_insert([row]):
            return row
    raise address_taken(nodes_lock_at(owner_id, [draft.address.text]).get(draft.address.text))


def _edit(row: MemNode, changes: NodeChanges) -> None:
    content = changes.get("content", row.l2_content)
    if content != row.l2_content:
        if is_directory(row):
            raise Unprocessable("A folder cannot have content.", code="directory_without_content")
        content_check(content)
        row.l2_content = content
        derive(row)
        tiers_of_content(row)
    tiers_restore(row, changes.get("abstract"), changes.get("overview"))
    tiers_of_person(row, changes.get("abstract"), changes.get("overview"))
    row.tags = list(dict.fromkeys(changes.get("tags", row.tags)))
    tags_check(row.tags)
    _date(row, changes.get("occurred_at"))


def _date(row: MemNode, occurred_at: datetime | None) -> None:
    """Set the fact's date, from which relevance decays until the first access."""
    if occurred_at is None:
        return
    date_check(occurred_at)
    row.occurred_at = occurred_at
    if not row.access_count:
        row.last_access = occurred_at
