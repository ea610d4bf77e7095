"""The embedding job: embeds new and changed passages, then fills an embedding space that is being built.

Texts are embedded with no transaction open, and stored if the passage is unchanged. One run processes a few batches
and leaves the rest to the next. A complete new space starts to serve queries in one transaction; the old one is emptied
after a grace period, since running queries may still read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.common.fault_injection import fault_point
from apps.common.ids import uuid7s
from apps.common.tenancy import current_workspace_id, workspace
from apps.jobs.services import Lease, RescheduleJob, TimeSlice, job_request_within, lease_fence
from apps.llm.embedding.base import Embedder
from apps.llm.embedding.registry import default_embedder_name, embedder_named
from apps.llm.errors import ModelError
from apps.memory.models import EmbeddingSpace, SpaceState
from apps.memory.selectors.search.embedding_backlog import Waiting, missing_texts, wanted_texts
from apps.memory.selectors.search.embedding_spaces import vector_text
from apps.memory.services.index.embed_batch import vectors_of
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

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

LockedPassages = Mapping[UUID, tuple[UUID, datetime | None]]
"""The bank of each passage, and the `wanted_at` that its embedding answers."""

KIND, KEY = "memory_vectors", "vectors"
_RUN_S = 10
_SOON_S, _LATEST_S = 1, 30
# After these an immediate retry would fail again; later the limits may have been raised.
_REFUSALS = frozenset({"recall_only", "ceiling", "no_price", "resting"})
_RETRY_S = 3_000
# A writer of a memory locks its passage and then requests this job, whose row is locked here: never wait for writers.
_LOCK = """
SELECT id, bank, wanted_at FROM mem_passages WHERE workspace_id = %(workspace)s AND id = ANY(%(passages)s::uuid[])
ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
"""
_DONE = """
UPDATE mem_passages SET wanted_at = NULL WHERE workspace_id = %(workspace)s AND id = ANY(%(passages)s::uuid[])
"""
_STORE = """
INSERT INTO mem_embeddings (id, workspace_id, bank, space_id, passage_id, vector)
SELECT vectors.id, %(workspace)s, vectors.bank, %(space)s, vectors.passage_id, vectors.vector::halfvec
FROM unnest(%(ids)s::uuid[], %(passages)s::uuid[], %(banks)s::uuid[], %(vectors)s::text[])
    AS vectors (id, passage_id, bank, vector)
ON CONFLICT (workspace_id, passage_id, space_id) DO UPDATE SET vector = EXCLUDED.vector, bank = EXCLUDED.bank
"""
_FORGET_OLD = """
DELETE FROM mem_embeddings WHERE workspace_id = %(workspace)s AND passage_id = ANY(%(passages)s::uuid[])
    AND space_id = %(space)s
"""
_FORGET = """
DELETE FROM mem_embeddings WHERE workspace_id = %(workspace)s AND passage_id = ANY(%(passages)s::uuid[])
    AND space_id <> %(space)s
"""


def embedding_schedule_if_due(workspace_id: UUID) -> None:
    """Schedule the job in the transaction that makes it necessary."""
    job_request_within(_SOON_S, _LATEST_S, workspace_id=workspace_id, kind=KIND, key=KEY)


def vectors_run(lease: Lease) -> None:
    """Embed passages for a limited time; raise `RescheduleJob` if work remains."""
    time_slice = TimeSlice(lease, _RUN_S)
    with _writing(lease):
        _spaces_make()
    try:
        while _step(lease):
            if time_slice.is_over():
                raise RescheduleJob(0)
    except ModelError as error:
        rest_s = _rest_after(error, lease)
        if rest_s is None:
            raise
        raise RescheduleJob(rest_s) from None
    with workspace(lease.workspace_id):
        rest_s = space_rest_s()
    if rest_s is not None:
        raise RescheduleJob(rest_s)


def _rest_after(error: ModelError, lease: Lease) -> float | None:
    """Return the seconds until a retry if the error is no failed attempt, else None.

    That is a refusal by our own limits, or an error of the serving model while the next model is backing off."""
    if error.code in _REFUSALS:
        return error.retry_after or _RETRY_S
    with workspace(lease.workspace_id):
        return building_rest_s()


def _step(lease: Lease) -> bool:
    """Run one step and return whether there was work: new passages first, then the space being built, then cleanup.

    A failing serving model does not block its successor."""
    try:
        worked = _embed_wanted(lease)
    except ModelError:
        if not _fill(lease):
            raise
        return True
    return worked or _fill(lease) or _empty(lease)


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
    with workspace(lease.workspace_id):
        waiting = wanted_texts()
        space = EmbeddingSpace.objects.get(state=SpaceState.SERVING)
    if not waiting:
        return False
    vectors = vectors_of(_embedder(space, lease), waiting)
    fault_point("vectors.before_write")
    with _writing(lease):
        locked = _lock_passages(waiting)
        if not locked:
            raise RescheduleJob(_SOON_S)
        chosen = _unchanged(waiting, locked)
        _store(space.id, vectors, chosen)
        _done(chosen)
        _fill_again(space.id, [one.passage_id for one in chosen])
    return True


def _fill(lease: Lease) -> bool:
    """Embed a batch of passages missing in the space being built; switch queries to it once none is missing."""
    with workspace(lease.workspace_id):
        space = EmbeddingSpace.objects.filter(state=SpaceState.BUILDING).first()
        if space is None or (space.retry_at and space.retry_at > timezone.now()):
            return False
        missing = missing_texts(space.id, space.filled_through)
    try:
        vectors = vectors_of(_embedder(space, lease), missing)
    except ModelError as error:
        if error.code in _REFUSALS:
            raise
        with _writing(lease):
            if failed := _still_building(space):
                space_fail(failed, error)
        return True
    fault_point("vectors.before_fill")
    with _writing(lease):
        current = _still_building(space)
        if current is None:
            return True
        if missing:
            locked = _lock_passages(missing)
            reached = list(takewhile(lambda one: one.passage_id in locked, missing))
            if not reached:
                raise RescheduleJob(_SOON_S)
            _store(space.id, vectors, _unchanged(reached, locked))
            space_fill(current, reached[-1].passage_id)
        else:
            space_switch(current)
    return True


def _still_building(space: EmbeddingSpace) -> EmbeddingSpace | None:
    """The current row of the space, unless another was chosen concurrently; locked with the spaces it may replace."""
    return next(
        (row for row in embedding_spaces_lock() if row.pk == space.pk and row.state == SpaceState.BUILDING), None
    )


def _empty(lease: Lease) -> bool:
    with _writing(lease):
        return space_empty()


@contextmanager
def _writing(lease: Lease) -> Iterator[None]:
    """Open a unit of work that has locked the job."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        yield


def _embedder(space: EmbeddingSpace, lease: Lease) -> Embedder:
    return embedder_named(space.model, workspace_id=lease.workspace_id)


def _lock_passages(waiting: Sequence[Waiting]) -> LockedPassages:
    """Lock the passages that still exist and that no other transaction is writing, until the unit of work ends."""
    values = {"workspace": current_workspace_id(), "passages": [one.passage_id for one in waiting]}
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, values)
        return {row_id: (bank, wanted_at) for row_id, bank, wanted_at in cursor.fetchall()}


def _unchanged(waiting: Sequence[Waiting], locked: LockedPassages) -> list[Waiting]:
    """The locked passages whose text is unchanged, in whatever bank they are now."""
    return [
        replace(one, bank=locked[one.passage_id][0])
        for one in waiting
        if one.passage_id in locked and locked[one.passage_id][1] == one.wanted_at
    ]


def _store(space_id: UUID, vectors: Mapping[UUID, Vector], chosen: Sequence[Waiting]) -> None:
    """Store the embeddings; a passage without one loses its former one."""
    embedded = [one for one in chosen if one.passage_id in vectors and vectors[one.passage_id].any()]
    without = {one.passage_id for one in chosen} - {one.passage_id for one in embedded}
    values = {
        "workspace": current_workspace_id(),
        "space": space_id,
        "ids": uuid7s(len(embedded)),
        "passages": [one.passage_id for one in embedded],
        "banks": [one.bank for one in embedded],
        "vectors": [vector_text(vectors[one.passage_id]) for one in embedded],
    }
    with connection.cursor() as cursor:
        cursor.execute(_STORE, values)
        if without:
            cursor.execute(_FORGET_OLD, {**values, "passages": list(without)})


def _done(chosen: Sequence[Waiting]) -> None:
    """Clear the pending flag of these passages."""
    values = {"workspace": current_workspace_id(), "passages": [one.passage_id for one in chosen]}
    with connection.cursor() as cursor:
        cursor.execute(_DONE, values)


def _fill_again(space_id: UUID, passage_ids: Sequence[UUID]) -> None:
    """Delete a changed passage's embeddings in every other space, where it is then missing again."""
    if not passage_ids:
        return
    before = UUID(int=min(passage_ids).int - 1)
    EmbeddingSpace.objects.filter(state=SpaceState.BUILDING, filled_through__gt=before).update(filled_through=before)
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, {"workspace": current_workspace_id(), "passages": list(passage_ids), "space": space_id})
