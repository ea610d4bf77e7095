"""Integrity checks of memory trees, for operators and tests; each returns no rows in a sound tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from apps.common.tenancy import current_workspace_id
from apps.engine.memory.trust import Trust
from apps.memory.selectors.search.banks import INDEXED, NODE_BANK

MOST = 100
_BANK = NODE_BANK.format(node="node")
_FAULTS: Mapping[str, str] = {
    "orphan": """
        SELECT id FROM mem_nodes AS node
        WHERE workspace_id = %(workspace)s AND (parent_id IS NULL) <> (uri IN ('mem://user', 'mem://agent', 'mem://sessions'))
    """,
    "misplaced": """
        SELECT node.id FROM mem_nodes AS node JOIN mem_nodes AS parent ON parent.id = node.parent_id
        WHERE node.workspace_id = %(workspace)s AND (
            parent.workspace_id <> node.workspace_id OR parent.owner_id IS DISTINCT FROM node.owner_id
            OR node.uri <> parent.uri || '/' || substr(node.uri, length(parent.uri) + 2)
            OR position('/' IN substr(node.uri, length(parent.uri) + 2)) > 0
        )
    """,
    "in a leaf": """
        SELECT node.id FROM mem_nodes AS node JOIN mem_nodes AS parent ON parent.id = node.parent_id
        WHERE node.workspace_id = %(workspace)s AND parent.node_type <> 'dir'
    """,
    "in use below the archive": """
        SELECT node.id FROM mem_nodes AS node JOIN mem_nodes AS parent ON parent.id = node.parent_id
        WHERE node.workspace_id = %(workspace)s AND node.archived_at IS NULL AND parent.archived_at IS NOT NULL
    """,
    "twice": """
        SELECT node.id FROM mem_nodes AS node JOIN mem_nodes AS other
            ON other.workspace_id = node.workspace_id AND other.uri = node.uri AND other.id <> node.id
            AND other.owner_id IS NOT DISTINCT FROM node.owner_id
        WHERE node.workspace_id = %(workspace)s
    """,
    "revisions with gaps": """
        SELECT node.id FROM mem_nodes AS node LEFT JOIN LATERAL (
            SELECT count(*), min(number), max(number) FROM mem_revisions AS revision
            WHERE revision.workspace_id = node.workspace_id AND revision.node_id = node.id
        ) AS numbers ON true
        WHERE node.workspace_id = %(workspace)s
            AND (numbers.count, numbers.min, numbers.max) IS DISTINCT FROM (node.version::bigint, 1, node.version)
    """,
    "without a source": """
        SELECT id FROM mem_nodes AS node WHERE workspace_id = %(workspace)s AND node_type = 'leaf' AND NOT EXISTS (
            SELECT FROM mem_sources WHERE workspace_id = node.workspace_id AND node_id = node.id
        )
    """,
    "another hash": """
        SELECT id FROM mem_nodes WHERE workspace_id = %(workspace)s AND content_hash <> CASE
            WHEN l2_content = '' THEN '' ELSE encode(sha256(convert_to(l2_content, 'UTF8')), 'hex') END
    """,
    "trusted more than its parts": """
        SELECT node.id FROM mem_nodes AS node JOIN mem_nodes AS part
            ON part.workspace_id = node.workspace_id AND part.merged_into_id = node.id
        WHERE node.workspace_id = %(workspace)s AND part.archived_at IS NOT NULL
            AND array_position(%(trusts)s, node.trust::text) < array_position(%(trusts)s, part.trust::text)
    """,
    "another passage": f"""
        SELECT node.id FROM mem_nodes AS node LEFT JOIN mem_passages AS passage
            ON passage.workspace_id = node.workspace_id AND passage.node_id = node.id
        WHERE node.workspace_id = %(workspace)s AND (
            (passage.id IS NOT NULL) <> ({INDEXED}) OR passage.bank <> {_BANK}
        )
    """,  # noqa: S608  # the inserted text is constants
    "two current values": """
        SELECT node.id FROM mem_nodes AS node JOIN mem_nodes AS other
            ON other.workspace_id = node.workspace_id AND other.owner_id IS NOT DISTINCT FROM node.owner_id
            AND other.subject = node.subject AND other.attribute = node.attribute AND other.id <> node.id
        WHERE node.workspace_id = %(workspace)s AND node.attribute <> '' AND NOT node.many AND NOT other.many
            AND node.arrival = 'accepted' AND node.valid_to IS NULL AND node.archived_at IS NULL
            AND other.arrival = 'accepted' AND other.valid_to IS NULL AND other.archived_at IS NULL
    """,
    "superseded without an end": """
        SELECT id FROM mem_nodes
        WHERE workspace_id = %(workspace)s AND superseded_by_id IS NOT NULL AND valid_to IS NULL
    """,
    "another passage of user memory": """
        SELECT coalesce(item.id, passage.user_memory_id)
        FROM (SELECT * FROM user_memory WHERE workspace_id = %(workspace)s AND is_active AND content <> '') AS item
        FULL JOIN (
            SELECT * FROM mem_passages WHERE workspace_id = %(workspace)s AND user_memory_id IS NOT NULL
        ) AS passage ON passage.user_memory_id = item.id
        WHERE item.id IS NULL OR passage.id IS NULL OR passage.bank <> item.user_id
    """,
}


@dataclass(frozen=True, slots=True)
class TreeFault:
    """An integrity violation: its kind and the node."""

    kind: str
    node_id: UUID


def tree_faults() -> list[TreeFault]:
    """Return the violations in the current workspace, at most 100 of a kind."""
    values = {"workspace": current_workspace_id(), "trusts": [trust.value for trust in Trust], "most": MOST}
    faults: list[TreeFault] = []
    with connection.cursor() as cursor:
        for kind, statement in _FAULTS.items():
            cursor.execute(f"{statement} LIMIT %(most)s", values)
            faults += [TreeFault(kind, node_id) for (node_id,) in cursor.fetchall()]
    return faults
