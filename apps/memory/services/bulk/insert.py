"""Insert of new memories with their first revisions and sources in one statement.

A first revision is built from the same JSON value as the node's row, so the content is sent only once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from apps.common.ids import uuid7s
from apps.common.models import Json
from apps.memory.models import MemNode
from apps.memory.records.tree import SourceRecord
from apps.memory.services.tree.change_sets import Cause
from apps.memory.services.tree.node_snapshot import sources_json, time_json
from apps.memory.services.tree.node_storage import json_of, returned

_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("id", "owner_id", "parent_id", "author_id"), "uuid"),
        **dict.fromkeys(("uri", "category", "l0_abstract", "l1_overview", "l2_content"), "text"),
        **dict.fromkeys(("content_hash", "same_text_hash"), "text"),
        **dict.fromkeys(("tiers_of", "tiers_by", "trust", "arrival"), "text"),
        **dict.fromkeys(("subject", "attribute", "value"), "text"),
        **dict.fromkeys(("occurred_at", "last_access", "valid_from", "valid_to", "archived_at"), "timestamptz"),
        "tries_left": "int",
        **dict.fromkeys(("mergeable", "many"), "boolean"),
        "base_relevance": "float8",
        "tags": "text[]",
    }
)
_TIMES = tuple(name for name, kind in _COLUMNS.items() if kind == "timestamptz")
_STATE = (
    *("uri", "l0_abstract", "l1_overview", "l2_content", "tags", "trust", "arrival", "occurred_at", "tiers_by"),
    *("base_relevance", "last_access", "sources", "subject", "attribute", "value", "many", "valid_from", "valid_to"),
    "archived_at",
)
_INSERT = f"""
WITH input AS (
    SELECT item, input.* FROM jsonb_array_elements(%(rows)s) AS item
    CROSS JOIN jsonb_to_record(item) AS input ({", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())})
),
inserted AS (
    INSERT INTO mem_nodes (workspace_id, {", ".join(_COLUMNS)}, node_type, merged_from, access_count, version,
        source_session, created_at, updated_at)
    SELECT %(workspace)s, {", ".join(f"input.{name}" for name in _COLUMNS)}, 'leaf', '[]', 0, 1, '', %(at)s, %(at)s
    FROM input ORDER BY input.uri
    ON CONFLICT (workspace_id, owner_id, uri) DO NOTHING RETURNING id
),
revised AS (
    INSERT INTO mem_revisions (workspace_id, id, node_id, number, change, operation, actor_id, made_by, reason, before,
        after, created_at)
    SELECT %(workspace)s, (item ->> 'revision')::uuid, input.id, 1, %(change)s, %(operation)s, %(actor)s, %(made_by)s,
        %(reason)s, '{{}}', jsonb_strip_nulls(jsonb_build_object('owner', item -> 'owner_id',
            {", ".join(f"'{name}', item -> '{name}'" for name in _STATE)})), %(at)s
    FROM input JOIN inserted ON inserted.id = input.id
),
sourced AS (
    INSERT INTO mem_sources (workspace_id, id, node_id, kind, reference)
    SELECT %(workspace)s, (item -> 'source_ids' ->> (place - 1)::int)::uuid, input.id, source ->> 0, source ->> 1
    FROM input JOIN inserted ON inserted.id = input.id
    CROSS JOIN jsonb_array_elements(item -> 'sources') WITH ORDINALITY AS known (source, place)
)
SELECT id FROM inserted
"""  # noqa: S608  # the inserted text is the constants above


def leaves_insert(rows: Sequence[MemNode], sources: Mapping[UUID, Sequence[SourceRecord]], cause: Cause) -> set[UUID]:
    """Insert leaves and return the ids of the new ones; rows whose address exists are skipped."""
    if not rows:
        return set()
    revisions = uuid7s(len(rows))
    values = {
        "rows": json_of(
            [_row_json(row, sources[row.id], revision) for row, revision in zip(rows, revisions, strict=True)]
        ),
        "at": cause.at,
        "change": cause.change,
        "operation": cause.operation.value,
        "actor": cause.actor_id,
        "made_by": cause.made_by,
        "reason": cause.stored_reason,
    }
    return {node_id for (node_id,) in returned(_INSERT, **values)}


def _row_json(row: MemNode, sources: Sequence[SourceRecord], revision: UUID) -> Json:
    values = {name: getattr(row, name) for name in _COLUMNS}
    values.update({name: time_json(getattr(row, name)) for name in _TIMES})
    values["revision"] = revision
    values["sources"] = sources_json(sources)
    values["source_ids"] = uuid7s(len(sources))
    return values
