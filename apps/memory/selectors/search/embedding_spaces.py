"""Reads of a workspace's embedding spaces: the serving one, and the progress of the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.utils import timezone

from apps.common.tenancy import current_workspace_id
from apps.memory.models import EmbeddingBatch, EmbeddingSpace, SpaceState
from apps.memory.records.search import AbandonedModel, SpaceProgress, SpaceRecord

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

MOST_COUNTED = 100_000
_SERVING = "SELECT id, model, dimension, state, chosen FROM mem_spaces WHERE workspace_id = %s AND state = 'serving'"
_COUNTS = """
SELECT (SELECT count(*) FROM (
        SELECT 1 FROM mem_passages WHERE workspace_id = %(workspace)s LIMIT %(most)s) AS every),
    (SELECT count(*) FROM (
        SELECT 1 FROM mem_passages WHERE workspace_id = %(workspace)s AND wanted_at IS NOT NULL LIMIT %(most)s) AS due),
    (SELECT count(*) FROM (
        SELECT 1 FROM mem_passages WHERE workspace_id = %(workspace)s AND id <= %(through)s LIMIT %(most)s) AS done)
"""


def serving_space() -> SpaceRecord | None:
    """Return the space that serves queries."""
    with connection.cursor() as cursor:
        cursor.execute(_SERVING, [current_workspace_id()])
        row = cursor.fetchone()
    return SpaceRecord(*row) if row else None


def space_progress() -> SpaceProgress:
    """Return the progress of the spaces, with counts up to a limit."""
    building = EmbeddingSpace.objects.filter(state=SpaceState.BUILDING).first()
    values = {
        "workspace": current_workspace_id(),
        "most": MOST_COUNTED,
        "through": building.filled_through if building else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, values)
        passages, waiting, built = cursor.fetchone()
    coming = space_record(building) if building else None
    return SpaceProgress(serving_space(), coming, _given_up(), passages, waiting, built, _per_minute())


def _per_minute() -> int | None:
    """The passages that the workers embed in a minute together, since each of them began."""
    now = timezone.now()
    rows = EmbeddingBatch.objects.filter(expires_at__gt=now, done__gt=0, began_at__lt=now)
    rates = [60 * row.done / (now - row.began_at).total_seconds() for row in rows]
    return round(sum(rates)) if rates else None


def _given_up() -> AbandonedModel | None:
    kept = EmbeddingSpace.objects.filter(state=SpaceState.RETIRED, retry_at__isnull=False)
    row = kept.order_by("-since").first()
    if row is None or row.retry_at is None:
        return None
    return AbandonedModel(row.model, row.error_code, row.error, row.chosen, row.since, row.retry_at)


def vector_text(vector: Vector) -> str:
    """Format a vector as a pgvector literal at full precision."""
    return f"[{','.join([f'{value:.9g}' for value in vector.tolist()])}]"


def space_record(row: EmbeddingSpace) -> SpaceRecord:
    return SpaceRecord(row.id, row.model, row.dimension, row.state, row.chosen)
