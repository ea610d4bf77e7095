"""Corrections: a person's edit of a stated fact supersedes it; the earlier value remains as history beside it."""

from __future__ import annotations

from apps.common.models import columns
from apps.engine.extraction.slots import SlotReader
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.node_storage import first_inserted
from apps.memory.services.tree.paths import address_taken, addresses_free

_OWN = frozenset({"id", "uri", "version", "valid_to", "superseded_by_id", "created_at", "updated_at"})
"""The columns in which a memory and its earlier value differ."""


def correction_begin(change: Change, row: MemNode, content: str) -> None:
    """Store the current value of a memory, which is about to be edited, as history; the new one holds from now on.

    The caller has opened the row. A memory without a date was not found in words that could be read again.
    """
    if row.valid_from is None or row.valid_to is not None:
        return
    earlier = _insert_beside(_earlier(change, row), Address(row.uri))
    change.made(earlier)
    change.give_sources(earlier, sources_of([row.id]).get(row.id, ()))
    row.valid_from, row.value = change.cause.at, value_in(row, content)


def value_in(row: MemNode, content: str) -> str:
    """The value of the same slot that the new content gives; empty if it cannot be read there."""
    slot = SlotReader().read(content)
    return slot.value if slot and (slot.subject, slot.attribute) == (row.subject, row.attribute) else ""


def _earlier(change: Change, row: MemNode) -> MemNode:
    values = {field.attname: getattr(row, field.attname) for field in columns(MemNode) if field.attname not in _OWN}
    return MemNode(**values, valid_to=change.cause.at, superseded_by_id=row.id)


def _insert_beside(earlier: MemNode, beside: Address) -> MemNode:
    """Store it at the first free address next to the memory's own."""
    if first_inserted(_at(earlier, address) for address in addresses_free(earlier.owner_id, beside)) is None:
        raise address_taken()
    return earlier


def _at(row: MemNode, address: Address) -> MemNode:
    row.uri = address.text
    return row
