"""How the vectors of one model take the place of another's: built beside them, served at once, the old ones emptied."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.common.tenancy import current_workspace_id
from apps.jobs.services import operation_fail, operation_progress, operation_succeed
from apps.llm.embedding.choosing import embedder_named
from apps.memory.models import EmbeddingSpace, SpaceState

OPERATION = "embeddings"
GRACE_S = 60.0
"""So long the vectors of a space stay that serves no more: a query may have begun in it."""
_EMPTY_BATCH = 5_000
_EMPTY = """
DELETE FROM mem_embeddings WHERE id IN (
    SELECT id FROM mem_embeddings WHERE workspace_id = %s AND space_id = %s LIMIT %s
)
"""
_SHARE = """
SELECT count(*) FILTER (WHERE id <= %(through)s), count(*) FROM mem_passages WHERE workspace_id = %(workspace)s
"""


def space_begin(
    model: str, *, state: SpaceState, chosen: bool = False, operation_id: UUID | None = None
) -> EmbeddingSpace:
    """A space for the vectors of a model, which must be to be had here. Raises `ModelError`."""
    embedder = embedder_named(model, workspace_id=current_workspace_id())
    return EmbeddingSpace.objects.create(
        model=model,
        dimension=embedder.dimension,
        state=state,
        since=timezone.now(),
        chosen=chosen,
        operation=operation_id,
    )


def space_retire(
    space: EmbeddingSpace, code: str = "replaced", detail: str = "Another model was chosen meanwhile."
) -> None:
    """It neither answers nor grows any more; who waited for it is told why."""
    if space.state == SpaceState.BUILDING and space.operation:
        operation_fail(operation_id=space.operation, error={"code": code, "detail": detail})
    space.state, space.since = SpaceState.RETIRED, timezone.now()
    space.save(update_fields=["state", "since"])


def space_switch(space: EmbeddingSpace) -> None:
    """It is complete: queries go by it from this transaction's end on."""
    for serving in EmbeddingSpace.objects.filter(state=SpaceState.SERVING):
        space_retire(serving)
    space.state, space.since = SpaceState.SERVING, timezone.now()
    space.save(update_fields=["state", "since"])
    if space.operation:
        operation_succeed(operation_id=space.operation, result={"model": space.model})


def space_note_progress(space: EmbeddingSpace) -> None:
    """Say how far the space is that somebody waits for."""
    if not space.operation:
        return
    with connection.cursor() as cursor:
        cursor.execute(_SHARE, {"through": space.filled_through, "workspace": current_workspace_id()})
        done, every = cursor.fetchone()
    share = 100 * done // every if every else 0
    operation_progress(operation_id=space.operation, stage="embedding", progress=min(share, 99))


def space_empty() -> bool:
    """Delete a batch of what no query can need any more; whether there was something to do."""
    before = timezone.now() - timedelta(seconds=GRACE_S)
    space = EmbeddingSpace.objects.filter(state=SpaceState.RETIRED, since__lt=before).first()
    if space is None:
        return False
    with connection.cursor() as cursor:
        cursor.execute(_EMPTY, [current_workspace_id(), space.id, _EMPTY_BATCH])
        if cursor.rowcount < _EMPTY_BATCH:
            space.delete()
    return True


def space_rest_s() -> float | None:
    """How long until the next retired space may be emptied; nothing where there is none."""
    first = EmbeddingSpace.objects.filter(state=SpaceState.RETIRED).order_by("since").first()
    if first is None:
        return None
    return max(1.0, GRACE_S - (timezone.now() - first.since).total_seconds() + 1)
