"""The embedding job: embeds new and changed passages, then fills an embedding space that is being built.

Passages are embedded batch by batch, each with no transaction open, and stored if they are unchanged. One run takes a
few seconds and leaves the rest to the next. The main job of a workspace has helpers while its backlog is large. It
alone makes a complete new space serve queries, in one transaction; the old one is emptied after a grace period, since
running queries may still read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from time import monotonic
from typing import TYPE_CHECKING, NoReturn
from uuid import UUID

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.common.fault_injection import fault_point
from apps.common.tenancy import workspace
from apps.jobs.services import Lease, RescheduleJob, TimeSlice, job_progress, job_request_within, lease_fence
from apps.llm.embedding.registry import default_embedder_name, embedder_named
from apps.llm.errors import ModelError
from apps.memory.models import EmbeddingSpace, SpaceState
from apps.memory.selectors.search.embedding_backlog import is_backlog_large, missing_count, missing_texts, wanted_texts
from apps.memory.services.index.embed_batch import vectors_of
from apps.memory.services.index.embedding_batches import (
    Batch,
    batch_claim,
    batch_finish,
    batch_is_divisible,
    batch_release,
    batches_end,
    last_expiry,
)
from apps.memory.services.index.embedding_spaces import (
    building_rest_s,
    embedding_spaces_lock,
    space_begin,
    space_begin_again,
    space_empty,
    space_fail,
    space_fill,
    space_rest_s,
    space_switch,
    wanted_model,
)
from apps.memory.services.index.vector_store import (
    passages_done,
    passages_fill_again,
    passages_lock,
    passages_unchanged,
    vectors_store,
)

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

KIND, KEY = "memory_vectors", "vectors"
LARGE_BACKLOG = 1_000
"""Pending passages with which the main job gets helpers."""
_RUN_S = 10
_SOON_S, _LATEST_S = 1, 30
# After these an immediate retry would fail again; later the limits may have been raised.
_REFUSALS = frozenset({"recall_only", "ceiling", "no_price", "resting"})
_RETRY_S = 3_000


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of a batch, and the time they took."""

    vectors: Mapping[UUID, Vector]
    seconds: float


def embedding_schedule_if_due(workspace_id: UUID) -> None:
    """Schedule the main job in the transaction that makes it necessary."""
    _request(workspace_id, KEY)


def vectors_run(lease: Lease) -> None:
    """Embed passages for a limited time; raise `RescheduleJob` if work remains."""
    time_slice = TimeSlice(lease, _RUN_S)
    if _is_main(lease):
        _begin(lease)
    try:
        while _step(lease):
            if time_slice.is_over():
                raise RescheduleJob(0)
    except ModelError as error:
        if _is_main(lease):
            _rest_after(error, lease)
        # The main job meets the same error, and reports it.
        _leave_to_main(lease)
    except SoftTimeLimitExceeded:
        _retry_in_halves(lease)
        raise
    else:
        _end(lease)


def _is_main(lease: Lease) -> bool:
    return lease.key == KEY


def _request(workspace_id: UUID, key: str) -> None:
    job_request_within(_SOON_S, _LATEST_S, workspace_id=workspace_id, kind=KIND, key=key)


def _begin(lease: Lease) -> None:
    """Create the spaces that are missing, and request helpers for a large backlog.

    A workspace never has all slots, so with more helpers some would only wait."""
    with _writing(lease):
        _spaces_make()
        building = _space(SpaceState.BUILDING)
        through = building.filled_through if building else None
        if is_backlog_large(LARGE_BACKLOG, through, is_building=building is not None):
            for number in range(2, settings.WORKER_SLOTS):
                _request(lease.workspace_id, f"{KEY}-{number}")


def _rest_after(error: ModelError, lease: Lease) -> NoReturn:
    """Raise `RescheduleJob` if the error is no failed attempt, else the error.

    That is a refusal by our own limits, or an error of the serving model while the next model is backing off."""
    if error.code in _REFUSALS:
        raise RescheduleJob(error.retry_after or _RETRY_S) from None
    with workspace(lease.workspace_id):
        rest_s = building_rest_s()
    if rest_s is None:
        raise error
    raise RescheduleJob(rest_s) from None


def _retry_in_halves(lease: Lease) -> None:
    """Raise `RescheduleJob` if a batch that took too long can be divided, which is no failed attempt."""
    if not connection.in_atomic_block:
        # A run canceled during a query leaves an unusable connection.
        connection.close()
    with workspace(lease.workspace_id):
        is_divisible = batch_is_divisible(lease)
    if is_divisible:
        raise RescheduleJob(0) from None


def _end(lease: Lease) -> None:
    """Forget the batches after the last one; wait for other workers, models and retired spaces."""
    with _writing(lease):
        batches_end(lease)
    if not _is_main(lease):
        return _leave_to_main(lease)
    with workspace(lease.workspace_id):
        rests = [rest_s for rest_s in (space_rest_s(), others_rest_s(lease)) if rest_s is not None]
    if rests:
        raise RescheduleJob(min(rests))


def _leave_to_main(lease: Lease) -> None:
    # In a unit of its own: the main job locks its row before those of helpers.
    with workspace(lease.workspace_id):
        embedding_schedule_if_due(lease.workspace_id)


def _step(lease: Lease) -> bool:
    """Run one step and return whether there was work: new passages first, then the space being built, then cleanup.

    A failing serving model does not block its successor."""
    try:
        worked = _embed_wanted(lease)
    except ModelError:
        if not _fill(lease):
            raise
        return True
    return worked or _fill(lease) or (_is_main(lease) and _empty(lease))


def spaces_present() -> list[EmbeddingSpace]:
    """Lock all spaces of the workspace; one of them serves queries, at first the installation's."""
    present = embedding_spaces_lock()
    if all(row.state != SpaceState.SERVING for row in present):
        present.append(space_begin(default_embedder_name(), state=SpaceState.SERVING))
    return present


def _spaces_make() -> None:
    """Begin to replace the serving model where another one should serve; not immediately if that was abandoned."""
    present = spaces_present()
    serving = next(row for row in present if row.state == SpaceState.SERVING)
    wanted = wanted_model(serving)
    if wanted == serving.model or any(row.state == SpaceState.BUILDING for row in present):
        return
    own = space_of_model(wanted, present)
    if own is None:
        space_begin(wanted, state=SpaceState.BUILDING, chosen=serving.chosen)
    elif own.state == SpaceState.RETIRED and own.retry_at and own.retry_at <= timezone.now():
        space_begin_again(own, chosen=serving.chosen)


def space_of_model(model: str, present: Sequence[EmbeddingSpace]) -> EmbeddingSpace | None:
    return next((row for row in present if row.model == model), None)


def _embed_wanted(lease: Lease) -> bool:
    """Embed a batch of pending passages for the serving space; return whether there were any."""
    with _writing(lease):
        space = _space(SpaceState.SERVING)
        batch = batch_claim(lease, space, wanted_texts) if space else None
    if space is None or batch is None:
        return False
    made = _embedded(lease, space, batch)
    fault_point("vectors.before_write")
    _wanted_store(lease, space, batch, made)
    return True


def _wanted_store(lease: Lease, space: EmbeddingSpace, batch: Batch, made: Embedded) -> None:
    with _storing(lease, batch):
        # So that no other worker fills a space beyond the passages that are then missing there again.
        embedding_spaces_lock()
        locked = passages_lock(batch.waiting)
        chosen = passages_unchanged(batch.waiting, locked)
        vectors_store(space.id, made.vectors, chosen)
        passages_done(chosen)
        passages_fill_again(space.id, [one.passage_id for one in chosen])
        batch_finish(batch, seconds=made.seconds)
    if not locked:
        raise RescheduleJob(_SOON_S)


def _fill(lease: Lease) -> bool:
    """Embed a batch of passages missing in the space being built; switch queries to it once none is missing."""
    with _writing(lease):
        space = _space(SpaceState.BUILDING)
        if space is None or (space.retry_at and space.retry_at > timezone.now()):
            return False
        batch = batch_claim(lease, space, partial(missing_texts, space.id, space.filled_through))
        if batch is None:
            return _is_main(lease) and _switch(lease, space)
    if made := _embedded_to_fill(lease, space, batch):
        fault_point("vectors.before_fill")
        _fill_store(lease, space, batch, made)
    return True


def _embedded_to_fill(lease: Lease, space: EmbeddingSpace, batch: Batch) -> Embedded | None:
    """Embed the batch; a failure of the model is recorded with the space."""
    try:
        return _embedded(lease, space, batch)
    except ModelError as error:
        if error.code in _REFUSALS:
            raise
        with _writing(lease):
            if failed := _still_building(space):
                space_fail(failed, error)
        return None


def _fill_store(lease: Lease, space: EmbeddingSpace, batch: Batch, made: Embedded) -> None:
    """Store the batch up to the first passage that another transaction is writing."""
    with _storing(lease, batch):
        current = _still_building(space)
        locked = passages_lock(batch.waiting)
        reached = list(takewhile(lambda one: one.passage_id in locked, batch.waiting))
        through = batch_finish(batch, seconds=made.seconds)
        if current and through and reached:
            vectors_store(space.id, made.vectors, passages_unchanged(reached, locked))
            space_fill(current, min(through, reached[-1].passage_id))
    if current and not reached:
        raise RescheduleJob(_SOON_S)


def _switch(lease: Lease, space: EmbeddingSpace) -> bool:
    """Switch queries to a complete space, unless other workers are still embedding."""
    if last_expiry(besides=lease.key):
        return False
    # A batch that ended after the claim, without being stored, has left its passages.
    if not missing_texts(space.id, space.filled_through, 1, ()):
        space_switch(space)
    return True


def others_rest_s(lease: Lease) -> float | None:
    """Seconds until no other worker of the workspace can be embedding; each of them requests the job at its end."""
    until = last_expiry(besides=lease.key)
    return None if until is None else max(1.0, (until - timezone.now()).total_seconds())


def _still_building(space: EmbeddingSpace) -> EmbeddingSpace | None:
    """The current row of the space, unless another was chosen concurrently; locked with the spaces it may replace."""
    row = _space(SpaceState.BUILDING)
    return row if row and row.pk == space.pk else None


def _space(state: SpaceState) -> EmbeddingSpace | None:
    """Lock all spaces, and return the one in that state."""
    return next((row for row in embedding_spaces_lock() if row.state == state), None)


def _empty(lease: Lease) -> bool:
    with _writing(lease):
        return space_empty()


@contextmanager
def _writing(lease: Lease) -> Iterator[None]:
    """Open a unit of work that has locked the job."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        yield


@contextmanager
def _storing(lease: Lease, batch: Batch) -> Iterator[None]:
    """Open a unit of work that stores a batch; the main job reports how many embeddings are missing then."""
    with workspace(lease.workspace_id):
        size = len(batch.waiting)
        job_progress(lease, done=size, waiting=max(0, missing_count() - size) if _is_main(lease) else None)
        yield


def _embedded(lease: Lease, space: EmbeddingSpace, batch: Batch) -> Embedded:
    """Embed the batch. If a provider did not embed several texts in time, that is no failure: their half follows."""
    began = monotonic()
    try:
        vectors = vectors_of(embedder_named(space.model, workspace_id=lease.workspace_id), batch.waiting)
    except ModelError as error:
        if error.code == "timeout" and len(batch.waiting) > 1:
            raise RescheduleJob(0) from None
        with _writing(lease):
            batch_release(batch)
        raise
    return Embedded(vectors, monotonic() - began)
