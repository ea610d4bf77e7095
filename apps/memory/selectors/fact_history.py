"""The history of a fact: the memories that a memory superseded, directly or not, and the one that superseded it."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.models import ALSO_HERE
from apps.common.reads import fetch_rows
from apps.memory.records.tree import FactValue, NodeRecord
from apps.memory.selectors.nodes import visible_nodes

MOST_VALUES = 100
_EARLIER = f"""
WITH RECURSIVE earlier AS (
    SELECT id, 1 AS depth FROM mem_nodes WHERE workspace_id = %(workspace)s AND superseded_by_id = %(node)s
    UNION
    SELECT node.id, depth + 1 FROM earlier JOIN mem_nodes AS node
        ON node.superseded_by_id = earlier.id AND node.workspace_id = %(workspace)s
    WHERE depth < {MOST_VALUES}
)
SELECT node.id, node.uri, node.l0_abstract, node.value, node.valid_from, node.valid_to
FROM earlier CROSS JOIN LATERAL (
    SELECT * FROM mem_nodes WHERE id = earlier.id AND {ALSO_HERE} AND archived_at IS NULL LIMIT 1
) AS node
WHERE node.owner_id = %(person)s OR node.owner_id IS NULL
ORDER BY node.valid_to DESC, node.id DESC LIMIT {MOST_VALUES}
"""  # noqa: S608  # the inserted text is constants


def earlier_values(actor: Actor, node_id: UUID) -> list[FactValue]:
    """Return what held before a memory, newest first."""
    return [FactValue(*row) for row in fetch_rows(_EARLIER, node=node_id, person=actor.person_id)]


def later_value(actor: Actor, node: NodeRecord) -> FactValue | None:
    """Return what superseded a memory."""
    if node.superseded_by is None:
        return None
    row = visible_nodes(actor).filter(pk=node.superseded_by).first()
    if row is None:
        return None
    return FactValue(row.id, row.uri, row.l0_abstract, row.value, row.valid_from, row.valid_to)
