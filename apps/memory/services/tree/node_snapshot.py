"""Snapshots of a node's state in revisions: JSON values by field, to compare, store and restore.

Derived values are not included: category and hash follow from address and content, and the abstract and overview of
a directory from its content, unless a person wrote them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from apps.common.models import Json
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RULES, Category, Merging, category_of
from apps.engine.memory.same_text import same_text_hash
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import SourceRecord

PERSON = "person"
"""The value of `tiers_by` where a person wrote them."""
STRENGTH = frozenset({"base_relevance", "last_access", "access_count"})
DERIVED = frozenset({"l0_abstract", "l1_overview", "tiers_by"})
"""Fields derived from the content unless a person wrote them."""

EMPTY: Mapping[str, Any] = {
    "owner": None,
    "uri": "",
    "l0_abstract": "",
    "l1_overview": "",
    "l2_content": "",
    "tags": [],
    "trust": "",
    "arrival": "",
    "merged_into": None,
    "merged_from": [],
    "archived_at": None,
    "occurred_at": None,
    "subject": "",
    "attribute": "",
    "value": "",
    "many": False,
    "valid_from": None,
    "valid_to": None,
    "superseded_by": None,
    "tiers_by": "",
    "base_relevance": None,
    "last_access": None,
    "access_count": 0,
    "sources": [],
}
"""The state before the first revision."""


def state_of(row: MemNode) -> Json:
    """Return the snapshot without sources, which are separate rows."""
    compiled = row.node_type == NodeType.DIRECTORY and row.tiers_by != PERSON
    return {
        "owner": _id(row.owner_id),
        "uri": row.uri,
        "l0_abstract": "" if compiled else row.l0_abstract,
        "l1_overview": "" if compiled else row.l1_overview,
        "l2_content": row.l2_content,
        "tags": list(row.tags),
        "trust": str(row.trust),
        "arrival": str(row.arrival),
        "merged_into": _id(row.merged_into_id),
        "merged_from": list(row.merged_from),
        "archived_at": time_json(row.archived_at),
        "occurred_at": time_json(row.occurred_at),
        "subject": row.subject,
        "attribute": row.attribute,
        "value": row.value,
        "many": row.many,
        "valid_from": time_json(row.valid_from),
        "valid_to": time_json(row.valid_to),
        "superseded_by": _id(row.superseded_by_id),
        "tiers_by": "" if compiled else row.tiers_by,
        "base_relevance": row.base_relevance,
        "last_access": time_json(row.last_access),
        "access_count": row.access_count,
    }


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Json, Json]:
    """Reduce two snapshots to the fields that differ."""
    names = [name for name in after if before.get(name, EMPTY[name]) != after[name]]
    return {name: before[name] for name in names if name in before}, {name: after[name] for name in names}


def same(name: str, one: Any, other: Any) -> bool:
    """Whether two values of a snapshot are equal; a time can be written in several ways."""
    _, read = _COLUMNS.get(name, ("", _as_is))
    return bool(read(one) == read(other))


def restore_values(row: MemNode, values: Mapping[str, Any]) -> None:
    """Set the row's fields from a snapshot, except address and sources, which need more than a column update."""
    for name, value in values.items():
        if column := _COLUMNS.get(name):
            attribute, read = column
            setattr(row, attribute, read(value))
    derive(row)


def derive(row: MemNode) -> None:
    """Set the fields derived from address and content."""
    category = category_of(Address(row.uri))
    row.category = category.value if category else ""
    row.mergeable = _merges(category)
    row.content_hash, row.same_text_hash = content_hash(row.l2_content), same_text_hash(row.l2_content)


def sources_json(sources: Iterable[SourceRecord]) -> list[list[str]]:
    return [[source.kind, source.reference] for source in sources]


def sources_read(values: Iterable[Sequence[str]]) -> tuple[SourceRecord, ...]:
    return tuple(SourceRecord(kind, reference) for kind, reference in values)


def content_hash(content: str) -> str:
    return sha256(content.encode()).hexdigest() if content else ""


def _merges(category: Category | None) -> bool:
    return category is not None and RULES[category].merging is not Merging.NEVER


def _id(value: UUID | None) -> str | None:
    return None if value is None else str(value)


def time_json(value: datetime | None) -> str | None:
    """Serialize a time in UTC, so that equal times have equal texts."""
    return None if value is None else value.astimezone(UTC).isoformat()


def _read_id(value: str | None) -> UUID | None:
    return None if value is None else UUID(value)


def _read_time(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


def _as_is(value: Any) -> Any:
    return value


_COLUMNS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "owner": ("owner_id", _read_id),
    "l0_abstract": ("l0_abstract", _as_is),
    "l1_overview": ("l1_overview", _as_is),
    "l2_content": ("l2_content", _as_is),
    "tags": ("tags", list),
    "trust": ("trust", _as_is),
    "arrival": ("arrival", _as_is),
    "merged_into": ("merged_into_id", _read_id),
    "merged_from": ("merged_from", list),
    "archived_at": ("archived_at", _read_time),
    "occurred_at": ("occurred_at", _read_time),
    "subject": ("subject", _as_is),
    "attribute": ("attribute", _as_is),
    "value": ("value", _as_is),
    "many": ("many", bool),
    "valid_from": ("valid_from", _read_time),
    "valid_to": ("valid_to", _read_time),
    "superseded_by": ("superseded_by_id", _read_id),
    "tiers_by": ("tiers_by", _as_is),
    "base_relevance": ("base_relevance", _as_is),
    "last_access": ("last_access", _read_time),
    "access_count": ("access_count", _as_is),
}
