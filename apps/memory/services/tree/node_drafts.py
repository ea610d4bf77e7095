"""Drafts of new memories: validation, and conversion to rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.common.errors import Unprocessable
from apps.common.secrets.redaction import redacted
from apps.engine.memory.addresses import Address
from apps.engine.memory.decay import first_strength
from apps.engine.memory.slots import LONGEST_ATTRIBUTE, LONGEST_SUBJECT, LONGEST_VALUE, Slot
from apps.engine.memory.trust import Arrival, Trust
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import SourceRecord
from apps.memory.services.tree.change_sets import Cause
from apps.memory.services.tree.content_tiers import tiers_check, tiers_of_content, tiers_of_person
from apps.memory.services.tree.node_checks import content_check, date_check, tags_check
from apps.memory.services.tree.node_snapshot import derive
from apps.memory.services.tree.node_storage import STALE


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """A new memory, or with `is_directory` a directory, which has no content. `occurred_at` is the fact's date,
    `valid_from` that of the words which state it, `valid_to` the end of a passing state.

    The address of a `numbered` draft was not chosen: if it exists already, a number is appended to its name.
    One that `may_repeat` is stored although a memory says the same already.
    An import can also bring archived memories and proposals back as such. `is_compiled`: it is at an address where a
    program compiles what assistants and tools wrote, which is in use although its trust is low.
    """

    address: Address
    content: str = ""
    abstract: str = ""
    overview: str = ""
    tags: Sequence[str] = ()
    occurred_at: datetime | None = None
    slot: Slot | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    sources: Sequence[SourceRecord] = ()
    shared: bool = False
    is_directory: bool = False
    numbered: bool = False
    may_repeat: bool = False
    archived_at: datetime | None = None
    is_proposed: bool = False
    is_compiled: bool = False

    @property
    def single_slot(self) -> Slot | None:
        """The slot in which the memory would be the only current one."""
        return self.slot if self.slot and not self.slot.many and self._is_in_use else None

    @property
    def _is_in_use(self) -> bool:
        return self.valid_to is None and self.archived_at is None and not self.is_proposed


@dataclass(frozen=True, slots=True)
class Origin:
    """The trust of a new memory, and whether a model may write its abstract."""

    trust: Trust = Trust.DIRECT_USER
    arrival: Arrival = Arrival.ACCEPTED
    by_model: bool = True


def slot_set(row: MemNode, slot: Slot) -> None:
    row.subject, row.attribute = slot.subject[:LONGEST_SUBJECT], slot.attribute[:LONGEST_ATTRIBUTE]
    row.value, row.many = slot.value[:LONGEST_VALUE], slot.many


def draft_check(draft: NodeDraft) -> None:
    """Reject values that no node can have."""
    if draft.is_directory and draft.content:
        raise Unprocessable(
            "A folder cannot have content. Create a memory in it instead.", code="directory_without_content"
        )
    if not draft.is_directory:
        content_check(draft.content)
    tags_check(draft.tags)
    for date in (draft.occurred_at, draft.valid_from, draft.valid_to, draft.archived_at):
        date_check(date)
    tiers_check(draft.abstract, draft.overview)


def draft_row(
    draft: NodeDraft,
    owner_id: UUID | None,
    parents: Mapping[str, MemNode],
    cause: Cause,
    origin: Origin = Origin(),
) -> MemNode:
    """Convert a draft to an unsaved row, without the secrets in its content."""
    parent, occurred_at = draft.address.parent, draft.occurred_at or cause.at
    row = MemNode(
        owner_id=owner_id,
        uri=draft.address.text,
        parent_id=parents[parent.text].id if parent else None,
        node_type=(NodeType.DIRECTORY if draft.is_directory else NodeType.LEAF).value,
        l2_content=redacted(draft.content),
        tags=list(dict.fromkeys(draft.tags)),
        trust=origin.trust.value,
        arrival=origin.arrival.value,
        author_id=cause.actor_id,
        occurred_at=occurred_at,
        base_relevance=first_strength(origin.trust, 0).base,
        last_access=occurred_at,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        archived_at=draft.archived_at,
    )
    derive(row)
    if draft.slot:
        slot_set(row, draft.slot)
    if draft.is_directory:
        row.tiers_of = STALE
    else:
        tiers_of_content(row, by_model=origin.by_model)
    tiers_of_person(row, draft.abstract, draft.overview)
    return row
