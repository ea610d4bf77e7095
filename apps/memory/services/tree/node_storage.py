"""Writing many nodes at once: each of these is one statement, whatever the number of nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

import orjson
from django.db import connection
from django.utils import timezone
from psycopg.types.json import Jsonb

from apps.common.ids import uuid7
from apps.common.models import ALSO_HERE, Json, columns_of
from apps.common.reads import fetch_models
from apps.common.tenancy import current_workspace_id
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import SourceRecord
from apps.memory.services.index.passages import node_passages_follow

STALE = "stale"
"""In place of a hash: the short tiers of this directory are to be compiled anew."""

_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("id", "owner_id", "parent_id", "merged_into_id"), "uuid"),
        **dict.fromkeys(("uri", "category", "l0_abstract", "l1_overview", "l2_content", "content_hash"), "text"),
        **dict.fromkeys(("tiers_of", "tiers_by", "trust", "arrival"), "text"),
        **dict.fromkeys(("archived_at", "occurred_at", "last_access", "updated_at"), "timestamptz"),
        **dict.fromkeys(("access_count", "tries_left", "version"), "int"),
        "mergeable": "boolean",
        "base_relevance": "float8",
        "tags": "text[]",
        "merged_from": "jsonb",
    }
)
_FIRST: Mapping[str, str] = MappingProxyType(
    {
        **_COLUMNS,
        **dict.fromkeys(("node_type", "source_session"), "text"),
        "author_id": "uuid",
        "created_at": "timestamptz",
    }
)


def _told(columns: Mapping[str, str]) -> str:
    return f"jsonb_to_recordset(%(rows)s) AS told ({', '.join(f'{name} {kind}' for name, kind in columns.items())})"


_WRITE = f"""
UPDATE mem_nodes AS node SET {", ".join(f"{name} = told.{name}" for name in _COLUMNS if name != "id")}
FROM {_told(_COLUMNS)} CROSS JOIN LATERAL (
    SELECT id FROM mem_nodes WHERE id = told.id AND {ALSO_HERE} LIMIT 1
) AS held
WHERE node.id = held.id
"""  # noqa: S608  # the inserted text is the constants above
_INSERT = f"""
INSERT INTO mem_nodes (workspace_id, {", ".join(_FIRST)})
SELECT %(workspace)s, {", ".join(f"told.{name}" for name in _FIRST)} FROM {_told(_FIRST)} ORDER BY told.uri
ON CONFLICT (workspace_id, owner_id, uri) DO NOTHING RETURNING id
"""  # noqa: S608  # the inserted text is the constants above
_REVISIONS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("id", "node_id", "change", "undoes", "actor_id"), "uuid"),
        **dict.fromkeys(("operation", "made_by", "reason"), "text"),
        **dict.fromkeys(("before", "after"), "jsonb"),
        "number": "int",
        "created_at": "timestamptz",
    }
)
_REVISE = f"""
INSERT INTO mem_revisions (workspace_id, {", ".join(_REVISIONS)})
SELECT %(workspace)s, {", ".join(f"told.{name}" for name in _REVISIONS)} FROM {_told(_REVISIONS)}
"""  # noqa: S608  # the inserted text is the constants above
_SOURCES = f"""
INSERT INTO mem_sources (workspace_id, id, node_id, kind, reference)
SELECT %(workspace)s, told.* FROM {_told({"id": "uuid", "node_id": "uuid", "kind": "text", "reference": "text"})}
"""  # noqa: S608  # the inserted text is the constant above
_RENAME = """
UPDATE mem_nodes SET uri = %(new)s || substr(uri, %(after)s), category = %(category)s, mergeable = %(mergeable)s
WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s)
"""
# One look into the index for each, in their order, whatever the planner thinks of the table.
_HOLD = f"""
SELECT {columns_of(MemNode, "node")} FROM unnest(%(addresses)s::text[]) AS wanted (uri) CROSS JOIN LATERAL (
    SELECT * FROM mem_nodes WHERE workspace_id = %(workspace)s AND {{owner}} AND uri = wanted.uri FOR KEY SHARE
) AS node
"""  # noqa: S608  # the only inserted text is the names of columns
_MARK = """
UPDATE mem_nodes SET tiers_of = %(stale)s WHERE id IN (
    SELECT id FROM mem_nodes
    WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s) AND node_type = 'dir' AND tiers_of <> %(stale)s
    ORDER BY uri FOR NO KEY UPDATE
)
"""
# Waits for the job that compiles one of them just now and has not seen what we wrote; others who write wait for nobody.
_HOLD_MARKED = """
SELECT id FROM mem_nodes
WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s) AND node_type = 'dir' AND tiers_of = %(stale)s
ORDER BY uri FOR SHARE
"""


def rows_write(rows: Sequence[MemNode]) -> None:
    """All of their columns that an operation can change."""
    if rows:
        told = json_of([{name: getattr(row, name) for name in _COLUMNS} for row in rows])
        returned(_WRITE, rows=told)


def rows_insert(rows: Sequence[MemNode]) -> set[UUID]:
    """The ids of those that are new; what stands at the address of another stays as it is."""
    if not rows:
        return set()
    now = timezone.now()
    for row in rows:
        row.created_at = row.updated_at = now
    told = json_of([{name: getattr(row, name) for name in _FIRST} for row in rows])
    return {node_id for (node_id,) in returned(_INSERT, rows=told)}


def revisions_insert(told: Sequence[Json]) -> None:
    """Each with its columns by name."""
    if told:
        returned(_REVISE, rows=json_of(told))


def sources_insert(given: Iterable[tuple[UUID, SourceRecord]]) -> None:
    """Of each node the given source."""
    told = [
        {"id": uuid7(), "node_id": node_id, "kind": source.kind, "reference": source.reference}
        for node_id, source in given
    ]
    if told:
        returned(_SOURCES, rows=json_of(told))


def addresses_follow(root: MemNode, below: Iterable[MemNode], length: int) -> list[UUID]:
    """Let the addresses below follow that of the root, which was `length` characters long; not stored yet."""
    ids = []
    for row in below:
        row.uri = root.uri + row.uri[length:]
        row.category, row.mergeable = root.category, root.mergeable
        ids.append(row.id)
    return ids


def subtree_rename(root: MemNode, below: Iterable[MemNode], length: int) -> None:
    """The same in one statement, for rows that nothing else happens to."""
    if ids := addresses_follow(root, below, length):
        values = {"category": root.category, "mergeable": root.mergeable}
        returned(_RENAME, new=root.uri, after=length + 1, ids=ids, **values)
        node_passages_follow(ids)


def directories_invalidate(ids: Collection[UUID]) -> None:
    """Something in these directories is another: what they say of it is to be compiled anew, after we committed."""
    for statement in (_MARK, _HOLD_MARKED, _MARK) if ids else ():
        returned(statement, ids=list(ids), stale=STALE)


def nodes_lock_at(owner_id: UUID | None, addresses: Collection[str]) -> dict[str, MemNode]:
    """What stands at these addresses of one tree: none of it can move or go before we have committed."""
    if not addresses:
        return {}
    owner = "owner_id = %(owner)s" if owner_id else "owner_id IS NULL"
    values = {"owner": owner_id, "addresses": sorted(addresses)}
    return {row.uri: row for row in fetch_models(MemNode, _HOLD.format(owner=owner), **values)}


def is_directory(row: MemNode) -> bool:
    return row.node_type == NodeType.DIRECTORY


def returned(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Run one statement of the unit's workspace; the rows that it gives back."""
    with connection.cursor() as cursor:
        cursor.execute(statement, {"workspace": current_workspace_id(), **values})
        return cursor.fetchall() if cursor.description else []


def json_of(rows: Sequence[Json]) -> Jsonb:
    """All of them in one value: a placeholder for each column of each row would cost more than the writing."""
    return Jsonb(rows, dumps=_dumped)


def _dumped(value: Any) -> bytes:
    return orjson.dumps(value, default=_time, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _time(value: Any) -> str:
    """With the seconds of its offset from UTC, which some old ones have."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")
