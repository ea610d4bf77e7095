"""Writing a memory down, and changing what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Stale, TooLarge, Unprocessable
from apps.engine.addresses import Address
from apps.engine.categories import FIXED, category_of
from apps.engine.decay import first_strength
from apps.engine.trust import Arrival, Trust
from apps.memory.models import MemNode, NodeType, Operation, SourceKind
from apps.memory.models.tree import LONGEST_TAG
from apps.memory.records.tree import CreatePreview, NodeRecord, SourceRecord
from apps.memory.selectors.nodes import in_tree, node_lock, require_writable
from apps.memory.selectors.tree import node_get
from apps.memory.services.changes import Cause, Change
from apps.memory.services.places import address_taken, addresses_free, owner_for, parents_ensure, place_check
from apps.memory.services.rows import STALE, held_at, is_directory, new_row, rows_insert
from apps.memory.services.states import derive
from apps.memory.services.tiering import tiers_check, tiers_give_back, tiers_of_content, tiers_of_person

LONGEST_CONTENT = 1_000_000
_MOST_TRIES = 20
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

NodeChanges = Mapping[str, Any]
"""Any of `content`, `abstract`, `overview`, `tags`, `occurred_at`; what is absent stays as it is."""


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """A new memory, or with `is_directory` a directory, which has no content. `occurred_at` is the fact's date.

    Nobody chose the address of what is `numbered`: where something stands there, a number goes behind its name.
    """

    address: Address
    content: str = ""
    abstract: str = ""
    overview: str = ""
    tags: Sequence[str] = ()
    occurred_at: datetime | None = None
    sources: Sequence[SourceRecord] = ()
    shared: bool = False
    is_directory: bool = False
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """How far a new memory is trusted, and whether a model may tell it in short."""

    trust: Trust = Trust.DIRECT_USER
    arrival: Arrival = Arrival.ACCEPTED
    by_model: bool = True


def node_create(actor: Actor, *, draft: NodeDraft, reason: str = "") -> NodeRecord:
    """Directories above it come to be with it."""
    place_check(draft.address)
    draft_check(draft)
    owner_id = owner_for(actor, draft.address, shared=draft.shared)
    change = Change(Cause(Operation.CREATE, actor.user_id, reason))
    parents = parents_ensure(change, owner_id, [draft.address])
    row = _inserted(draft, owner_id, parents, change.cause)
    change.made(row)
    change.give_sources(row, draft.sources or [SourceRecord(SourceKind.PERSON.value, str(actor.user_id))])
    change.store()
    return node_get(actor, row.id)


def node_create_preview(actor: Actor, *, draft: NodeDraft) -> CreatePreview:
    """What `node_create` would do with the draft, which may still lack its content. Writes and locks nothing."""
    address, owner_id = draft.address, owner_for(actor, draft.address, shared=draft.shared)
    place_check(address, in_tree(owner_id).filter(uri__in=[above.text for above in address.ancestors]))
    tags_check(draft.tags)
    date_check(draft.occurred_at)
    taken = in_tree(owner_id).filter(uri=address.text).exists()
    if taken and draft.numbered:
        address = next(addresses_free(owner_id, address))
    category = category_of(address)
    return CreatePreview(address.text, category.value if category else "", taken)


def node_edit(actor: Actor, *, node_id: UUID, changes: NodeChanges, version: int, reason: str = "") -> NodeRecord:
    """Change the given version. Short tiers that nobody wrote follow the content."""
    row = node_lock(actor, node_id)
    require_writable(actor, [row], as_author=True)
    require_usable(row)
    require_version(row, version)
    change = Change(Cause(Operation.EDIT, actor.user_id, reason))
    change.open(row)
    _edit(row, changes)
    change.store()
    return node_get(actor, row.id)


def draft_check(draft: NodeDraft) -> None:
    """Refuse what no node can say."""
    if draft.is_directory and draft.content:
        raise Unprocessable("A directory has no content; write a memory in it.", code="directory_without_content")
    if not draft.is_directory:
        content_check(draft.content)
    tags_check(draft.tags)
    date_check(draft.occurred_at)
    tiers_check(draft.abstract, draft.overview)


def tags_check(tags: Sequence[str]) -> None:
    if any(not tag or len(tag) > LONGEST_TAG for tag in tags):
        raise Unprocessable(f"A tag has 1 to {LONGEST_TAG} characters.", code="bad_tag")


def date_check(occurred_at: datetime | None) -> None:
    """Refuse what is no date everywhere: in UTC it would lie before the first year or after the last."""
    try:
        _ = occurred_at and occurred_at.astimezone(UTC)
    except OverflowError as error:
        raise Unprocessable("The date of the fact is too far away.", code="bad_date") from error


def content_check(content: str) -> None:
    if not content.strip():
        raise Unprocessable("A memory needs a text.", code="empty_memory")
    if _UNSTORABLE.search(content):
        raise Unprocessable("The text holds characters that cannot be stored.", code="unstorable")
    if len(content) > LONGEST_CONTENT:
        raise TooLarge(f"A memory holds at most {LONGEST_CONTENT:,} characters.", code="memory_too_long")


def draft_row(
    draft: NodeDraft,
    owner_id: UUID | None,
    parents: Mapping[str, MemNode],
    cause: Cause,
    origin: Origin = Origin(),
) -> MemNode:
    """The node that a draft describes, not stored yet."""
    parent, occurred_at = draft.address.parent, draft.occurred_at or cause.at
    row = new_row(
        owner_id=owner_id,
        uri=draft.address.text,
        parent_id=parents[parent.text].id if parent else None,
        node_type=(NodeType.DIRECTORY if draft.is_directory else NodeType.LEAF).value,
        l2_content=draft.content,
        tags=list(dict.fromkeys(draft.tags)),
        trust=origin.trust.value,
        arrival=origin.arrival.value,
        author_id=cause.actor_id,
        occurred_at=occurred_at,
        base_relevance=first_strength(origin.trust, 0).base,
        last_access=occurred_at,
    )
    derive(row)
    if draft.is_directory:
        row.tiers_of = STALE
    else:
        tiers_of_content(row, by_model=origin.by_model)
    tiers_of_person(row, draft.abstract, draft.overview)
    return row


def _inserted(draft: NodeDraft, owner_id: UUID | None, parents: Mapping[str, MemNode], cause: Cause) -> MemNode:
    """The node, stored at the first of its addresses that nobody has or gets at the same time."""
    beside = addresses_free(owner_id, draft.address) if draft.numbered else ()
    for address in islice(chain([draft.address], beside), _MOST_TRIES):
        row = draft_row(replace(draft, address=address), owner_id, parents, cause)
        if rows_insert([row]):
            return row
    raise address_taken(held_at(owner_id, [draft.address.text]).get(draft.address.text))


def require_usable(row: MemNode) -> None:
    """Neither in the archive nor one of the fixed roots."""
    require_free(row)
    if row.archived_at is not None:
        raise Conflict("The memory is in the archive; restore it first.", code="archived")


def require_free(row: MemNode) -> None:
    """Not one of the fixed roots."""
    if Address(row.uri) in FIXED:
        raise Unprocessable("The roots of the tree and of its categories are fixed.", code="tree_refused")


def require_version(row: MemNode, version: int | None) -> None:
    if version is not None and row.version != version:
        raise Stale("The memory was changed meanwhile.", extra={"version": row.version})


def _edit(row: MemNode, changes: NodeChanges) -> None:
    content = changes.get("content", row.l2_content)
    if content != row.l2_content:
        if is_directory(row):
            raise Unprocessable("A directory has no content.", code="directory_without_content")
        content_check(content)
        row.l2_content = content
        derive(row)
        tiers_of_content(row)
    tiers_give_back(row, changes.get("abstract"), changes.get("overview"))
    tiers_of_person(row, changes.get("abstract"), changes.get("overview"))
    row.tags = list(dict.fromkeys(changes.get("tags", row.tags)))
    tags_check(row.tags)
    _date(row, changes.get("occurred_at"))


def _date(row: MemNode, occurred_at: datetime | None) -> None:
    """The fact's date; until the memory is of use for the first time it fades from there."""
    if occurred_at is None:
        return
    date_check(occurred_at)
    row.occurred_at = occurred_at
    if not row.access_count:
        row.last_access = occurred_at
