"""Replies of a conversation that used private sources, by what was stored with them."""

from __future__ import annotations

from uuid import UUID

from apps.common.reads import fetch_rows

MOST_COUNTED = 1_000
# A memory that was deleted since counts as private: nobody can say any more whose it was.
_COUNT = """
SELECT count(*) FROM (
    SELECT FROM context_useditems AS used
    WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND EXISTS (
        SELECT FROM jsonb_array_elements(used.items) AS item
        WHERE item ? 'conversation_id' OR item ->> 'kind' = 'memory' AND NOT EXISTS (
            SELECT FROM mem_nodes AS node
            WHERE node.workspace_id = %(workspace)s AND node.id = (item ->> 'id')::uuid AND node.owner_id IS NULL
        )
    )
    LIMIT %(most)s
) AS private
"""


def private_reply_count(conversation_id: UUID) -> int:
    """Count the replies that used private memories or other conversations, up to `MOST_COUNTED`.

    Only what was retrieved for a reply is stored with it, so a reply that used nothing but the profile is not counted.
    """
    ((count,),) = fetch_rows(_COUNT, conversation=conversation_id, most=MOST_COUNTED)
    return int(count)
