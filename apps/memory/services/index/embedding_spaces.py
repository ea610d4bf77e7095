"""Replacement of an embedding space: the new one is filled next to the old one, activated, and the old one emptied."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import structlog
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import current_workspace_id
from apps.jobs.models import OperationState
from apps.jobs.records import OperationView
from apps.jobs.selectors import operation_get
from apps.jobs.selectors.operations import unfinished_operations
from apps.jobs.services import operation_fail, operation_progress, operation_start, operation_succeed
from apps.jobs.services.timing import times
from apps.llm.embedding.model_ids import current_name, dimension_of
from apps.llm.embedding.registry import default_embedder_name
from apps.llm.errors import FAILURES, ModelError
from apps.memory.models import Embedding, EmbeddingSpace, SpaceState

OPERATION = "embeddings"
GRACE_S = 60.0
"""Seconds for which a retired space is retained, since running queries may still read it."""
AGAIN_S = 6 * 3_600.0
"""How long an abandoned space is retained, and how long the installation does not start it again."""
REPLACED = ("replaced", "Another model was chosen meanwhile.")
CANCELLED = ("cancelled", "The present model was chosen again.")
_EMPTY_BATCH = 5_000
_NOTE_EVERY_S = 2.0
_ERROR_LENGTH = 500
_WELL = {"failures": 0, "error_code": "", "error": "", "retry_at": None}
"""Failure fields of a space without failures."""
_log = structlog.get_logger("continuity.memory")
_EMPTY = """
DELETE FROM mem_embeddings WHERE id IN (
    SELECT id FROM mem_embeddings WHERE workspace_id = %s AND space_id = %s LIMIT %s FOR UPDATE SKIP LOCKED
)
"""
_SHARE = """
SELECT count(*) FILTER (WHERE id <= %(through)s), count(*) FROM mem_passages WHERE workspace_id = %(workspace)s
"""


def embedding_spaces_lock() -> list[EmbeddingSpace]:
    """Lock all spaces of the workspace against changes; after a wait, the rows are current.

    The caller has locked the row of the embedding job, by its lease or by requesting it: that row exists when no
    space does, and the other order of locks could deadlock.
    """
    rows = EmbeddingSpace.objects.select_for_update(no_key=True).order_by("id")
    list(rows)
    return list(rows.all())


def wanted_model(serving: EmbeddingSpace) -> str:
    """Return the model that should serve: the installation's, or what the workspace chose or its successor."""
    return current_name(serving.model) if serving.chosen else default_embedder_name()


def space_begin(
    model: str, *, state: SpaceState, chosen: bool = False, operation_id: UUID | None = None
) -> EmbeddingSpace:
    """Create a space for a model; the job finds out whether the model is available."""
    return EmbeddingSpace.objects.create(
        model=model,
        dimension=dimension_of(model),
        state=state,
        since=timezone.now(),
        chosen=chosen,
        operation=operation_id,
    )


def space_begin_again(space: EmbeddingSpace, *, chosen: bool = False, operation_id: UUID | None = None) -> None:
    """Resume an abandoned space. Its embeddings are valid: a changed passage loses them in every space."""
    space.state, space.since, space.filled_through = SpaceState.BUILDING, timezone.now(), None
    space.chosen, space.operation = chosen, operation_id
    _save_well(space, "state", "since", "filled_through", "chosen", "operation")


def space_retire(space: EmbeddingSpace, code: str, detail: str) -> None:
    """Retire the space: it neither serves queries nor grows; its operation gets the reason."""
    if space.state == SpaceState.BUILDING and space.operation:
        operation_fail(operation_id=space.operation, error={"code": code, "detail": detail})
    space.state, space.since, space.retry_at = SpaceState.RETIRED, timezone.now(), None
    space.save(update_fields=["state", "since", "retry_at"])


def space_fail(space: EmbeddingSpace, error: ModelError) -> None:
    """Record a failure of its model. Schedule a retry, or abandon the space if a retry would be refused or after too
    many failures in a row."""
    space.failures += 1
    rest_s = times().retry_delay_s(space.failures) if FAILURES[error.code].later else None
    event = "vectors_given_up" if rest_s is None else "vectors_put_off"
    _log.warning(event, model=space.model, chosen=space.chosen, error=error.code, failures=space.failures)
    if rest_s is None:
        space_retire(space, error.code, error.detail)
    space.error_code, space.error = error.code, error.detail[:_ERROR_LENGTH]
    space.retry_at = timezone.now() + timedelta(seconds=AGAIN_S if rest_s is None else rest_s)
    space.save(update_fields=["failures", "error_code", "error", "retry_at"])


def space_fill(space: EmbeddingSpace, through: UUID | None) -> None:
    """Record that the space is filled up to that passage at least, and reset its failures."""
    space.filled_through = max((one for one in (space.filled_through, through) if one), default=None)
    _save_well(space, "filled_through")
    _note_progress(space)


def space_choose(actor: Actor, space: EmbeddingSpace) -> OperationView | None:
    """Mark the space as chosen by the workspace; return its operation if it is being built, created if missing."""
    if space.state == SpaceState.BUILDING and space.operation is None:
        space.operation = operation_start(actor, kind=OPERATION, subject=space.model).id
    space.chosen = True
    space.save(update_fields=["chosen", "operation"])
    return operation_get(actor, space.operation) if space.operation and space.state == SpaceState.BUILDING else None


def space_switch(space: EmbeddingSpace) -> None:
    """Make a complete space serve queries from this transaction's commit on, and retire the former one."""
    for serving in EmbeddingSpace.objects.filter(state=SpaceState.SERVING):
        space_retire(serving, *REPLACED)
    space.state, space.since = SpaceState.SERVING, timezone.now()
    _save_well(space, "state", "since")
    if space.operation:
        operation_succeed(operation_id=space.operation, result={"model": space.model})


def _save_well(space: EmbeddingSpace, *names: str) -> None:
    """Save these fields and clear the failure fields."""
    for name, value in _WELL.items():
        setattr(space, name, value)
    space.save(update_fields=[*names, *_WELL])


def _note_progress(space: EmbeddingSpace) -> None:
    """Report progress to the operation of the change, not with every batch: it counts all passages."""
    if space.operation is None:
        return
    just_noted = Q(state=OperationState.RUNNING, updated_at__gt=timezone.now() - timedelta(seconds=_NOTE_EVERY_S))
    if not unfinished_operations().filter(pk=space.operation).exclude(just_noted).exists():
        return
    with connection.cursor() as cursor:
        cursor.execute(_SHARE, {"through": space.filled_through, "workspace": current_workspace_id()})
        done, every = cursor.fetchone()
    share = 100 * done // every if every else 0
    operation_progress(operation_id=space.operation, stage="embedding", progress=min(share, 99))


def space_empty() -> bool:
    """Delete a batch of retired embeddings; return whether there were any."""
    now = timezone.now()
    over = Q(retry_at=None, since__lt=now - timedelta(seconds=GRACE_S)) | Q(retry_at__lte=now)
    space = EmbeddingSpace.objects.filter(over, state=SpaceState.RETIRED).first()
    if space is None:
        return False
    with connection.cursor() as cursor:
        cursor.execute(_EMPTY, [current_workspace_id(), space.id, _EMPTY_BATCH])
        emptied: bool = cursor.rowcount > 0
    # Skip those that another transaction is moving.
    if not Embedding.objects.filter(space=space).exists():
        space.delete()
        return True
    return emptied


def building_rest_s() -> float | None:
    """Seconds until the model of the next space is retried; None if none failed."""
    space = EmbeddingSpace.objects.filter(state=SpaceState.BUILDING, retry_at__isnull=False).first()
    if space is None or space.retry_at is None:
        return None
    return max(1.0, (space.retry_at - timezone.now()).total_seconds())


def space_rest_s() -> float | None:
    """Seconds until there is work again: until a failed model is retried, or the next retired
    space can be emptied. An abandoned one waits so long that it is checked periodically."""
    retired = EmbeddingSpace.objects.filter(state=SpaceState.RETIRED, retry_at=None).order_by("since").first()
    rests = [building_rest_s()]
    if retired is not None:
        rests.append(max(1.0, GRACE_S - (timezone.now() - retired.since).total_seconds() + 1))
    return min((rest_s for rest_s in rests if rest_s is not None), default=None)
