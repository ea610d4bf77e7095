"""Banks: the passages that share one reader.

Superseded memories have banks of their own, for reads of the past, and so have proposed ones, which no search reads.
"""

from __future__ import annotations

from hashlib import md5
from uuid import UUID

INDEXED = (
    "node_type = 'leaf' AND archived_at IS NULL AND (l2_content <> '' OR l0_abstract <> '')"
    # The messages of an archived conversation are found themselves, and what tools returned stays out of packs.
    " AND uri !~ '^mem://sessions/[0-9a-f-]{36}/(summary|observations)$'"
)
"""Whether a node has a passage, in SQL."""
NODE_BANK = """CASE WHEN {node}.arrival = 'proposed'
        THEN md5('proposed ' || coalesce({node}.owner_id, {node}.workspace_id))::uuid
    WHEN {node}.superseded_by_id IS NULL THEN coalesce({node}.owner_id, {node}.workspace_id)
    ELSE md5('superseded ' || coalesce({node}.owner_id, {node}.workspace_id))::uuid END"""
"""The bank of a node's passage in SQL; `history_bank` is the same for superseded ones in Python."""


def history_bank(bank: UUID) -> UUID:
    """The bank of the superseded memories of a person or a workspace."""
    return UUID(md5(f"superseded {bank}".encode(), usedforsecurity=False).hexdigest())
