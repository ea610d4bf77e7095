"""Periodic reconciliation of the index with memories and messages that were stored without it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import connection

from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.jobs.services import Lease, RescheduleJob, lease_fence
from apps.memory.models import EmbeddingSpace, MemNode, Passage, SpaceState, UserMemory
from apps.memory.services.index.embedding_job import embedding_schedule_if_due
from apps.memory.services.index.embedding_spaces import wanted_model
from apps.memory.services.index.passages import (
    INDEXED,
    messages_index_schedule,
    node_passages_sync,
    user_memory_passages_sync,
)

_BATCH = 500
_NODES = f"""
SELECT n.id FROM mem_nodes AS n
WHERE n.workspace_id = %(workspace)s AND {INDEXED} AND NOT EXISTS (
    SELECT 1 FROM mem_passages AS passage WHERE passage.workspace_id = %(workspace)s AND passage.node_id = n.id
) LIMIT %(batch)s
"""  # noqa: S608  # the only inserted text is the constant
_USER_MEMORY = """
SELECT item.id FROM user_memory AS item
WHERE item.workspace_id = %(workspace)s AND item.is_active AND item.content <> '' AND NOT EXISTS (
    SELECT 1 FROM mem_passages AS passage
    WHERE passage.workspace_id = %(workspace)s AND passage.user_memory_id = item.id
) LIMIT %(batch)s
"""
_CONVERSATIONS = """
SELECT conversation.id FROM conversations_conversation AS conversation
WHERE conversation.workspace_id = %(workspace)s AND conversation.id > %(after)s AND EXISTS (
    SELECT 1 FROM conversations_message AS m
    WHERE m.workspace_id = %(workspace)s AND m.conversation_id = conversation.id AND m."index" > coalesce((
        SELECT max(place) FROM mem_passages AS passage
        WHERE passage.workspace_id = %(workspace)s AND passage.bank = conversation.id), -1)
        AND NOT m.excluded AND m.status IN ('complete', 'partial')
        AND (m.content <> '' OR m.parts @> '[{"kind": "tool_result"}]')
) ORDER BY conversation.id LIMIT %(batch)s
"""


def memory_sweep(lease: Lease) -> None:
    """Index or schedule everything that is missing from the index; raise `RescheduleJob` if there is more."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        more = _nodes(lease.workspace_id) | _user_memory(lease.workspace_id)
        _vectors(lease.workspace_id)
    after: UUID | None = UUID(int=0)
    while after is not None:
        with workspace(lease.workspace_id):
            lease_fence(lease)
            after = _conversations(lease.workspace_id, after)
    if more:
        raise RescheduleJob(0)


def _nodes(workspace_id: UUID) -> bool:
    ids = _ids(_NODES, {"workspace": workspace_id, "batch": _BATCH})
    # Lock the nodes so that none is archived between this read and the write.
    nodes = MemNode.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("uri", "id")
    node_passages_sync(list(nodes))
    return len(ids) == _BATCH


def _user_memory(workspace_id: UUID) -> bool:
    ids = _ids(_USER_MEMORY, {"workspace": workspace_id, "batch": _BATCH})
    # Lock the items so that none is deactivated between this read and the write.
    items = UserMemory.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("id")
    user_memory_passages_sync([item.id for item in items])
    return len(ids) == _BATCH


def _conversations(workspace_id: UUID, after: UUID) -> UUID | None:
    ids = _ids(_CONVERSATIONS, {"workspace": workspace_id, "batch": _BATCH, "after": after})
    for conversation in Conversation.objects.filter(pk__in=ids):
        messages_index_schedule(conversation)
    return ids[-1] if len(ids) == _BATCH else None


def _vectors(workspace_id: UUID) -> None:
    """Schedule the embedding job if passages are pending, a space is retired, or another model should serve."""
    spaces = list(EmbeddingSpace.objects.all())
    follows = any(row.state == SpaceState.SERVING and row.model != wanted_model(row) for row in spaces)
    retired = any(row.state == SpaceState.RETIRED for row in spaces)
    if follows or retired or Passage.objects.filter(wanted_at__isnull=False).exists():
        embedding_schedule_if_due(workspace_id)


def _ids(statement: str, values: dict[str, Any]) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [row_id for (row_id,) in cursor.fetchall()]
