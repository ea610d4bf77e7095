"""Passages without an embedding, with the texts to embed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from apps.common.models import ALSO_HERE
from apps.common.tenancy import current_workspace_id
from apps.llm.embedding.base import BATCH
from apps.memory.models import EmbeddingSpace, Passage, SpaceState

BEGINNING = 1_000
"""Characters of the content that are embedded for a memory without an abstract."""
LONGEST = 50_000

# A message is returned with its predecessor in the session, which contributes to its embedding. What tools returned has
# none and is none, so that it does not change the meaning of what people say.
_TEXTS = f"""
SELECT p.id, p.bank, p.wanted_at,
    CASE WHEN p.tool_text <> '' THEN p.tool_text
        WHEN p.message_id IS NOT NULL THEN left(m.content, %(longest)s)
        WHEN p.user_memory_id IS NOT NULL THEN left(item.content, %(beginning)s)
        ELSE coalesce(nullif(n.l0_abstract, ''), left(n.l2_content, %(beginning)s)) END,
    CASE WHEN p.message_id IS NOT NULL AND p.tool_text = '' THEN (
        SELECT left(content, %(longest)s) FROM conversations_message WHERE {ALSO_HERE} AND id = (
            SELECT earlier.message_id FROM mem_passages AS earlier
            WHERE earlier.workspace_id = %(workspace)s AND earlier.bank = p.bank AND earlier.place < p.place
                AND earlier.session = p.session AND earlier.tool_text = ''
            ORDER BY earlier.place DESC LIMIT 1)) END
FROM ({{chosen}}) AS p
LEFT JOIN LATERAL (
    SELECT l0_abstract, l2_content FROM mem_nodes WHERE id = p.node_id AND {ALSO_HERE} LIMIT 1
) AS n ON true
LEFT JOIN LATERAL (
    SELECT content FROM conversations_message WHERE id = p.message_id AND {ALSO_HERE} LIMIT 1
) AS m ON true
LEFT JOIN LATERAL (
    SELECT content FROM user_memory WHERE id = p.user_memory_id AND {ALSO_HERE} LIMIT 1
) AS item ON true
ORDER BY p.{{order}}
"""  # noqa: S608  # the only inserted text is the constant
_WANTED = """
SELECT * FROM mem_passages WHERE workspace_id = %(workspace)s AND wanted_at IS NOT NULL
    AND id <> ALL(%(besides)s::uuid[])
ORDER BY wanted_at LIMIT %(batch)s
"""
_MISSING = """
SELECT * FROM mem_passages AS passage
WHERE workspace_id = %(workspace)s AND id > %(after)s AND id <> ALL(%(besides)s::uuid[]) AND NOT EXISTS (
    SELECT 1 FROM mem_embeddings AS e
    WHERE e.workspace_id = %(workspace)s AND e.passage_id = passage.id AND e.space_id = %(space)s
) ORDER BY id LIMIT %(batch)s
"""
_IS_LARGE = """
SELECT (SELECT count(*) FROM (
        SELECT 1 FROM mem_passages WHERE workspace_id = %(workspace)s AND wanted_at IS NOT NULL LIMIT %(size)s) AS due
    ) >= %(size)s
    OR %(is_building)s AND (SELECT count(*) FROM (
        SELECT 1 FROM mem_passages WHERE workspace_id = %(workspace)s AND id > %(after)s LIMIT %(size)s) AS ahead
    ) >= %(size)s
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A passage to embed. `earlier` is the preceding message; `wanted_at` identifies the request."""

    passage_id: UUID
    bank: UUID
    wanted_at: datetime | None
    text: str
    earlier: str


def wanted_texts(most: int = BATCH, besides: Collection[UUID] = ()) -> list[Waiting]:
    """Return the next pending passages, longest waiting first, without those that others are embedding."""
    return _texts(_WANTED, "wanted_at", {"batch": most, "besides": list(besides)})


def missing_texts(space_id: UUID, after: UUID | None, most: int, besides: Collection[UUID]) -> list[Waiting]:
    """Return the next passages without an embedding in the space by id, without those that others are embedding."""
    values = {"space": space_id, "after": after or UUID(int=0), "batch": most, "besides": list(besides)}
    return _texts(_MISSING, "id", values)


def is_backlog_large(size: int, filled_through: UUID | None, *, is_building: bool) -> bool:
    """Whether so many passages are pending, or are not in the space that is being built."""
    values = {
        "workspace": current_workspace_id(),
        "size": size,
        "after": filled_through or UUID(int=0),
        "is_building": is_building,
    }
    with connection.cursor() as cursor:
        cursor.execute(_IS_LARGE, values)
        (is_large,) = cursor.fetchone()
    return bool(is_large)


def missing_count() -> int:
    """The number of embeddings to make: of pending passages, and of those that the space being built has not reached.

    A passage may need both.
    """
    count = Passage.objects.filter(wanted_at__isnull=False).count()
    building = EmbeddingSpace.objects.filter(state=SpaceState.BUILDING).first()
    if building is not None:
        count += Passage.objects.filter(pk__gt=building.filled_through or UUID(int=0)).count()
    return count


def _texts(chosen: str, order: str, values: dict[str, Any]) -> list[Waiting]:
    known = {"workspace": current_workspace_id(), "longest": LONGEST, "beginning": BEGINNING}
    with connection.cursor() as cursor:
        cursor.execute(_TEXTS.format(chosen=chosen, order=order), known | values)
        rows = cursor.fetchall()
    return [
        Waiting(passage_id, bank, wanted_at, text or "", earlier or "")
        for passage_id, bank, wanted_at, text, earlier in rows
    ]
