"""Creation of memories and directories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from uuid import UUID

from apps.accounts.actors import Actor
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import category_of
from apps.engine.memory.same_text import same_text_hash
from apps.memory.models import MemNode, Operation, SourceKind
from apps.memory.records.tree import CreatePreview, NodeRecord, SourceRecord
from apps.memory.selectors.nodes import in_tree
from apps.memory.selectors.repeated import RepeatedMemories
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import texts_lock
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.node_checks import date_check, tags_check
from apps.memory.services.tree.node_drafts import NodeDraft, Origin, draft_check, draft_row
from apps.memory.services.tree.node_storage import first_inserted, nodes_lock_at
from apps.memory.services.tree.paths import address_taken, addresses_free, owner_for, parents_ensure, place_check


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


def node_ensure(actor: Actor, *, draft: NodeDraft, reason: str = "") -> tuple[NodeRecord, bool]:
    """Return the memory that says the same already, or create it; the flag tells whether it is new."""
    owner_id = owner_for(actor, draft.address, shared=draft.shared)
    if not draft.may_repeat:
        texts_lock(owner_id, [same_text_hash(draft.content)])
        if existing := node_repeated(owner_id, draft):
            return node_get(actor, existing.id), False
    return node_create(actor, draft=draft, reason=reason), True


def node_repeated(owner_id: UUID | None, draft: NodeDraft) -> MemNode | None:
    """The memory in use that the draft would only repeat."""
    return RepeatedMemories(owner_id, [draft.content]).of(draft.address, draft.content, any_name=draft.numbered)


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
    existing = None if draft.may_repeat else node_repeated(owner_id, draft)
    address = Address(existing.uri) if existing else address
    return CreatePreview(address.text, category.value if category else "", taken, existing is not None)


def node_insert(
    draft: NodeDraft, owner_id: UUID | None, parents: Mapping[str, MemNode], cause: Cause, origin: Origin
) -> MemNode:
    """Store a new node at the first of its addresses that is free, also concurrently; a change has to take it up."""
    beside = addresses_free(owner_id, draft.address) if draft.numbered else ()
    addresses = chain([draft.address], beside)
    rows = (draft_row(replace(draft, address=one), owner_id, parents, cause, origin) for one in addresses)
    row = first_inserted(rows)
    if row is None:
        raise address_taken(nodes_lock_at(owner_id, [draft.address.text]).get(draft.address.text))
    return row
