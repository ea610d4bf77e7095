"""Periodic reconciliation of the index with what was stored without it, or by an earlier version.

It goes through the workspace in short steps. Each is a unit of work that also stores how far it came, so that the next
run continues one that ended early, for whatever reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from django.db import connection

from apps.common.tenancy import current_workspace_id, use_index_order
from apps.conversations.models import Conversation
from apps.jobs.services import Lease
from apps.jobs.services.slices import run_in_slices
from apps.memory.models import EmbeddingSpace, MemNode, MemSweep, Passage, SpaceState, SweepStep, UserMemory
from apps.memory.selectors.search.banks import INDEXED
from apps.memory.services.index.embedding_job import embedding_schedule_if_due
from apps.memory.services.index.embedding_spaces import wanted_model
from apps.memory.services.index.passages import (
    messages_index_schedule,
    node_passages_sync,
    user_memory_passages_sync,
)
from apps.memory.services.index.words import words_renew

_ROWS = 1_000
"""Rows that a step looks at."""
_ANALYZED = 200
"""Passages whose words a step renews."""
_FIRST = UUID(int=0)

# Every statement returns the next rows: id, the two parts of the place, and whether the row is missing from the index.
# Memories are read in the order of an index that begins with the workspace; every leaf has a parent.
_NODES = f"""
SELECT id, parent_id, uri, {INDEXED} AND NOT EXISTS (
    SELECT FROM mem_passages AS passage WHERE passage.workspace_id = %(workspace)s AND passage.node_id = n.id
) FROM mem_nodes AS n
WHERE workspace_id = %(workspace)s AND (parent_id, uri) > (%(after)s, %(after_uri)s)
ORDER BY parent_id, uri LIMIT %(rows)s
"""  # noqa: S608  # the only inserted text is the constant
_USER_MEMORY = """
SELECT id, id, '', is_active AND content <> '' AND NOT EXISTS (
    SELECT FROM mem_passages AS passage
    WHERE passage.workspace_id = %(workspace)s AND passage.user_memory_id = item.id
) FROM user_memory AS item
WHERE workspace_id = %(workspace)s AND id > %(after)s
ORDER BY id LIMIT %(rows)s
"""
_CONVERSATIONS = """
SELECT id, id, '', EXISTS (
    SELECT FROM conversations_message AS m
    WHERE m.workspace_id = %(workspace)s AND m.conversation_id = conversation.id AND m."index" > coalesce((
        SELECT max(place) FROM mem_passages AS passage
        WHERE passage.workspace_id = %(workspace)s AND passage.bank = conversation.id), -1)
        AND NOT m.excluded AND m.status IN ('complete', 'partial')
        AND (m.content <> '' OR m.parts @> '[{"kind": "tool_result"}]')
) FROM conversations_conversation AS conversation
WHERE workspace_id = %(workspace)s AND id > %(after)s
ORDER BY id LIMIT %(rows)s
"""


def memory_sweep(lease: Lease) -> None:
    """Index or schedule everything that is missing from the index; raise `RescheduleJob` if there is more."""
    run_in_slices(lease, _step)


def _step() -> bool:
    """Go one step further; return whether there are more."""
    if words_renew(_ANALYZED):
        return True
    sweep = MemSweep.objects.first() or MemSweep(step=_ORDER[0], after=_FIRST)
    part = _PARTS[SweepStep(sweep.step)]
    with part.plans():
        rows = _next_rows(part.statement, sweep)
    part.add([row_id for row_id, _, _, is_missing in rows if is_missing])
    if len(rows) == _ROWS:
        _, sweep.after, sweep.after_uri, _ = rows[-1]
    else:
        sweep.step, sweep.after, sweep.after_uri = _after(sweep.step), _FIRST, ""
    if sweep.step:
        sweep.save()
        return True
    MemSweep.objects.all().delete()
    _vectors(current_workspace_id())
    return False


def _after(step: str) -> str:
    """Return the step that follows; empty after the last one."""
    following = [*_ORDER, ""]
    return following[following.index(SweepStep(step)) + 1]


def _next_rows(statement: str, sweep: MemSweep) -> list[tuple[UUID, UUID, str, bool]]:
    values = {
        "workspace": current_workspace_id(),
        "after": sweep.after,
        "after_uri": sweep.after_uri,
        "rows": _ROWS,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [(row_id, after, after_uri, is_missing) for row_id, after, after_uri, is_missing in cursor.fetchall()]


def _add_nodes(ids: Sequence[UUID]) -> None:
    # Lock the nodes so that none is archived between the read and this write.
    nodes = MemNode.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("uri", "id")
    node_passages_sync(list(nodes) if ids else [])


def _add_user_memory(ids: Sequence[UUID]) -> None:
    # Lock the items so that none is deactivated between the read and this write.
    items = UserMemory.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("id")
    if ids:
        user_memory_passages_sync([item.id for item in items])


def _add_conversations(ids: Sequence[UUID]) -> None:
    for conversation in Conversation.objects.filter(pk__in=ids):
        messages_index_schedule(conversation)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the workspace: how to read it, and what to do with the rows that are missing from the index."""

    statement: str
    add: Callable[[Sequence[UUID]], None]
    plans: Callable[[], AbstractContextManager[None]] = nullcontext


_PARTS: Mapping[SweepStep, _Part] = MappingProxyType(
    {
        SweepStep.NODES: _Part(_NODES, _add_nodes, use_index_order),
        SweepStep.USER_MEMORY: _Part(_USER_MEMORY, _add_user_memory),
        SweepStep.CONVERSATIONS: _Part(_CONVERSATIONS, _add_conversations),
    }
)
_ORDER = tuple(_PARTS)


def _vectors(workspace_id: UUID) -> None:
    """Schedule the embedding job if passages are pending, a space is retired, or another model should serve."""
    spaces = list(EmbeddingSpace.objects.all())
    follows = any(row.state == SpaceState.SERVING and row.model != wanted_model(row) for row in spaces)
    retired = any(row.state == SpaceState.RETIRED for row in spaces)
    if follows or retired or Passage.objects.filter(wanted_at__isnull=False).exists():
        embedding_schedule_if_due(workspace_id)
