"""Bulk writes of nodes, revisions and sources: one statement each, whatever the number of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
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
from apps.common.tenancy import current_workspace_id, use_hash_joins
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import SourceRecord
from apps.memory.services.index.passages import node_passages_follow
from apps.memory.services.tree.current_facts import is_current

STALE = "stale"
"""Stored in place of a hash: the directory's abstract and overview must be rebuilt."""

_MOST_TRIES = 20
_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("id", "owner_id", "parent_id", "merged_into_id", "superseded_by_id"), "uuid"),
        **dict.fromkeys(("uri", "category", "l0_abstract", "l1_overview", "l2_content"), "text"),
        **dict.fromkeys(("content_hash", "same_text_hash"), "text"),
        **dict.fromkeys(("tiers_of", "tiers_by", "trust", "arrival", "subject", "attribute", "value"), "text"),
        **dict.fromkeys(("archived_at", "occurred_at", "last_access", "updated_at"), "timestamptz"),
        **dict.fromkeys(("valid_from", "valid_to"), "timestamptz"),
        **dict.fromkeys(("access_count", "tries_left", "version"), "int"),
        **dict.fromkeys(("mergeable", "many"), "boolean"),
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


def _recordset(columns: Mapping[str, str]) -> str:
    return f"jsonb_to_recordset(%(rows)s) AS input ({', '.join(f'{name} {kind}' for name, kind in columns.items())})"


_WRITE = f"""
UPDATE mem_nodes AS node SET {", ".join(f"{name} = input.{name}" for name in _COLUMNS if name != "id")}
FROM {_recordset(_COLUMNS)}
WHERE node.id = input.id AND node.id = ANY(%(ids)s) AND {ALSO_HERE}
"""  # noqa: S608  # the inserted text is the constants above
_INSERT = f"""
INSERT INTO mem_nodes (workspace_id, {", ".join(_FIRST)})
SELECT %(workspace)s, {", ".join(f"input.{name}" for name in _FIRST)} FROM {_recordset(_FIRST)} ORDER BY input.uri
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
SELECT %(workspace)s, {", ".join(f"input.{name}" for name in _REVISIONS)} FROM {_recordset(_REVISIONS)}
"""  # noqa: S608  # the inserted text is the constants above
_SOURCES = f"""
INSERT INTO mem_sources (workspace_id, id, node_id, kind, reference)
SELECT %(workspace)s, input.* FROM {_recordset({"id": "uuid", "node_id": "uuid", "kind": "text", "reference": "text"})}
"""  # noqa: S608  # the inserted text is the constant above
_RENAME = """
UPDATE mem_nodes SET uri = %(new)s || substr(uri, %(after)s), category = %(category)s, mergeable = %(mergeable)s
WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s)
"""
# One index lookup per address, in order, whatever statistics the planner has.
_LOCK_AT = f"""
SELECT {columns_of(MemNode, "node")} FROM unnest(%(addresses)s::text[]) AS wanted (uri) CROSS JOIN LATERAL (
    SELECT * FROM mem_nodes WHERE workspace_id = %(workspace)s AND {{owner}} AND uri = wanted.uri FOR KEY SHARE
) AS node
"""  # noqa: S608  # the only inserted text is the names of columns
_SET_STALE = """
UPDATE mem_nodes SET tiers_of = %(stale)s WHERE id IN (
    SELECT id FROM mem_nodes
    WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s) AND node_type = 'dir' AND tiers_of <> %(stale)s
    ORDER BY uri FOR NO KEY UPDATE
)
"""
# Waits for a job that is rebuilding one of them from rows older than ours; other writers are not blocked.
_LOCK_STALE = """
SELECT id FROM mem_nodes
WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s) AND node_type = 'dir' AND tiers_of = %(stale)s
ORDER BY uri FOR SHARE
"""


_CLEAR = f"""
UPDATE mem_nodes AS node SET l0_abstract = '', l1_overview = ''
WHERE node.id = ANY(%(ids)s) AND node.tiers_by <> 'person' AND {ALSO_HERE}
"""  # noqa: S608  # the inserted text is the constant above


def rows_write(rows: Sequence[MemNode]) -> None:
    """Update every column that an operation can change.

    Memories that stop being the current ones of their slots go first: PostgreSQL checks uniqueness row by row.
    """
    starting = [row for row in rows if is_current(row)]
    others = [row for row in rows if row not in starting] if starting else rows
    for part in filter(None, (others, starting)):
        values = json_of([{name: getattr(row, name) for name in _COLUMNS} for row in part])
        with use_hash_joins():
            returned(_WRITE, rows=values, ids=[row.id for row in part])


def rows_insert(rows: Sequence[MemNode]) -> set[UUID]:
    """Insert rows and return the ids of the new ones; a row whose address exists already is skipped."""
    if not rows:
        return set()
    now = timezone.now()
    for row in rows:
        row.created_at = row.updated_at = now
    values = json_of([{name: getattr(row, name) for name in _FIRST} for row in rows])
    return {node_id for (node_id,) in returned(_INSERT, rows=values)}


def first_inserted(rows: Iterable[MemNode]) -> MemNode | None:
    """Insert the first row whose address is free, also concurrently; return None if too many are taken."""
    return next((row for row in islice(rows, _MOST_TRIES) if rows_insert([row])), None)


def revisions_insert(values: Sequence[Json]) -> None:
    """Insert revisions given as column values by name."""
    if values:
        returned(_REVISE, rows=json_of(values))


def sources_insert(given: Iterable[tuple[UUID, SourceRecord]]) -> None:
    """Insert one source for each (node id, source) pair."""
    values = [
        {"id": uuid7(), "node_id": node_id, "kind": source.kind, "reference": source.reference}
        for node_id, source in given
    ]
    if values:
        returned(_SOURCES, rows=json_of(values))


def addresses_follow(root: MemNode, below: Iterable[MemNode], length: int) -> list[UUID]:
    """Update descendants' addresses to their root's, whose old one had `length` characters; not saved yet."""
    ids = []
    for row in below:
        row.uri = root.uri + row.uri[length:]
        row.category, row.mergeable = root.category, root.mergeable
        ids.append(row.id)
    return ids


def subtree_rename(root: MemNode, below: Iterable[MemNode], length: int) -> None:
    """Rename a subtree in one statement, for rows without other changes."""
    if ids := addresses_follow(root, below, length):
        values = {"category": root.category, "mergeable": root.mergeable}
        returned(_RENAME, new=root.uri, after=length + 1, ids=ids, **values)
        node_passages_follow(ids)


def directories_invalidate(ids: Collection[UUID]) -> None:
    """Mark the tiers of these directories as stale, so that a job rebuilds them after the commit."""
    for statement in (_SET_STALE, _LOCK_STALE, _SET_STALE) if ids else ():
        returned(statement, ids=list(ids), stale=STALE)


def directories_clear(ids: Collection[UUID]) -> None:
    """Delete the compiled tiers of these directories, which a job rebuilds after the commit; a person's own stay."""
    directories_invalidate(ids)
    if ids:
        returned(_CLEAR, ids=list(ids))


def nodes_lock_at(owner_id: UUID | None, addresses: Collection[str]) -> dict[str, MemNode]:
    """Lock the nodes at these addresses of one tree until the commit; return them by address."""
    if not addresses:
        return {}
    owner = "owner_id = %(owner)s" if owner_id else "owner_id IS NULL"
    values = {"owner": owner_id, "addresses": sorted(addresses)}
    return {row.uri: row for row in fetch_models(MemNode, _LOCK_AT.format(owner=owner), **values)}


def is_directory(row: MemNode) -> bool:
    return row.node_type == NodeType.DIRECTORY


def returned(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Run a statement in the current workspace and return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, {"workspace": current_workspace_id(), **values})
        return cursor.fetchall() if cursor.description else []


def json_of(rows: Sequence[Json]) -> Jsonb:
    """Serialize rows into one JSON parameter; a placeholder per column and row would cost more than the write."""
    return Jsonb(rows, dumps=_dumped)


def _dumped(value: Any) -> bytes:
    return orjson.dumps(value, default=_time, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _time(value: Any) -> str:
    """Serialize a time, with seconds in the UTC offset if a historical time zone has them."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")
