"""Change of a workspace's embedding model."""

from __future__ import annotations

from apps.accounts.actors import Actor, require
from apps.accounts.permissions import Permission
from apps.common.errors import Conflict
from apps.jobs.records import OperationView
from apps.jobs.services import operation_start
from apps.llm.embedding.registry import embedder_named
from apps.memory.models import EmbeddingSpace, SpaceState
from apps.memory.services.index.embedding_job import embedding_schedule_if_due, space_of_model, spaces_present
from apps.memory.services.index.embedding_spaces import (
    CANCELLED,
    OPERATION,
    REPLACED,
    space_begin,
    space_begin_again,
    space_choose,
    space_retire,
)


def space_change(actor: Actor, model: str) -> OperationView | None:
    """Choose the workspace's embedding model: return the operation of the change, or
    None if it is the current one. A pending change to another model is abandoned.

    Queries use the current embeddings until the new ones are complete, at first the installation's. A model that
    fails permanently is abandoned, and the current one stays. Raises `ModelError` for an unavailable model.
    """
    require(actor, Permission.MANAGE_MODELS)
    embedder_named(model, workspace_id=actor.workspace_id)
    # First, to lock the row of the job: changes are serialized.
    embedding_schedule_if_due(actor.workspace_id)
    present = spaces_present()
    own = space_of_model(model, present)
    if own is not None and own.state == SpaceState.RETIRED and own.retry_at is None:
        detail = "The previous embeddings of this model are still being deleted. Try again in a minute."
        raise Conflict(detail, code="busy")
    stays = own is not None and own.state == SpaceState.SERVING
    for row in present:
        if row.state == SpaceState.BUILDING and row is not own:
            space_retire(row, *(CANCELLED if stays else REPLACED))
    if own is None or own.state == SpaceState.RETIRED:
        return _change_begin(actor, model, own)
    return space_choose(actor, own)


def _change_begin(actor: Actor, model: str, given_up: EmbeddingSpace | None) -> OperationView:
    operation = operation_start(actor, kind=OPERATION, subject=model)
    if given_up:
        space_begin_again(given_up, chosen=True, operation_id=operation.id)
    else:
        space_begin(model, state=SpaceState.BUILDING, chosen=True, operation_id=operation.id)
    return operation
