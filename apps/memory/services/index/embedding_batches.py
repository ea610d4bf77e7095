"""Batches of passages by which several workers of a workspace share its backlog.

A worker claims a batch in a short unit of work, embeds it with none open, and finishes it in the unit that stores its
vectors. Claims take turns by the lock of the embedding spaces, which the caller holds. Batches get the size that takes
about a second; one that was not finished, because it took too long or its worker was killed, is followed by a half.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.functions import Least
from django.utils import timezone

from apps.jobs.services import Lease
from apps.jobs.services.timing import times
from apps.llm.embedding.base import BATCH
from apps.llm.embedding.registry import is_local
from apps.memory.models import EmbeddingBatch, EmbeddingSpace, SpaceState
from apps.memory.selectors.search.embedding_backlog import Waiting

FIRST, LARGEST = 16, 256
_TARGET_S = 1.0

Read = Callable[[int, Collection[UUID]], list[Waiting]]
"""Reads so many passages of a backlog, without certain ones."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A claimed batch. It fills a space up to `fills_through`, before the first passage that others are embedding."""

    id: UUID
    waiting: Sequence[Waiting]
    fills_through: UUID | None


def longest_run() -> timedelta:
    """The time after which a run has ended or lost its lease."""
    return timedelta(seconds=times().hard_limit_s + times().lease_s)


def batch_claim(lease: Lease, space: EmbeddingSpace, read: Read) -> Batch | None:
    """Claim the next batch for the job; return None if nothing is left that others are not embedding.

    The batch that the job left unfinished is over: it holds the job's lease.
    """
    now = timezone.now()
    row = EmbeddingBatch.objects.filter(key=lease.key).first() or EmbeddingBatch(key=lease.key, size=FIRST)
    taken = sorted(passage_id for other in live_batches(besides=lease.key) for passage_id in other.passages)
    size = min(_next_size(row), LARGEST if is_local(space.model) else min(BATCH, LARGEST))
    waiting = read(size, taken)
    if not waiting:
        return None
    if row.expires_at is None or row.expires_at < now:
        row.began_at, row.done = now, 0
    row.size, row.passages = size, [one.passage_id for one in waiting]
    row.fills_through = _before(taken, waiting, space) if space.state == SpaceState.BUILDING else None
    row.expires_at = now + longest_run()
    row.save()
    return Batch(row.id, waiting, row.fills_through)


def batch_finish(batch: Batch, *, seconds: float) -> UUID | None:
    """Finish the batch in the unit that stores its vectors; return how far it fills the space by now."""
    row = EmbeddingBatch.objects.select_for_update(no_key=True).get(pk=batch.id)
    count = len(batch.waiting)
    if count == row.size:
        row.size = max(1, min(2 * count, int(count * _TARGET_S / seconds), LARGEST))
    row.passages, row.done = [], row.done + count
    row.save(update_fields=["passages", "done", "size"])
    return row.fills_through


def batch_release(batch: Batch) -> None:
    """Give up a batch for a reason that is not its size."""
    EmbeddingBatch.objects.filter(pk=batch.id).update(passages=[])


def batch_is_divisible(lease: Lease) -> bool:
    """Whether the job's unfinished batch can be tried again in halves."""
    row = EmbeddingBatch.objects.filter(key=lease.key).first()
    return row is not None and len(row.passages) > 1


def batches_end(lease: Lease) -> None:
    """Forget the job's batches, after its last one."""
    EmbeddingBatch.objects.filter(key=lease.key).delete()


def live_batches(*, besides: str) -> QuerySet[EmbeddingBatch]:
    """The batches that other jobs are embedding."""
    return EmbeddingBatch.objects.filter(expires_at__gt=timezone.now(), passages__len__gt=0).exclude(key=besides)


def last_expiry(*, besides: str) -> datetime | None:
    """When the last of the other jobs' batches is over at the latest."""
    return live_batches(besides=besides).order_by("-expires_at").values_list("expires_at", flat=True).first()


def batches_fill_up_to(before: UUID) -> None:
    """Let no batch that fills a space count as filling it beyond this passage, whose embedding there was deleted."""
    rows = EmbeddingBatch.objects.filter(fills_through__gt=before)
    rows.update(fills_through=Least(F("fills_through"), before))


def _next_size(row: EmbeddingBatch) -> int:
    return max(len(row.passages) // 2, 1) if row.passages else row.size


def _before(taken: Sequence[UUID], waiting: Sequence[Waiting], space: EmbeddingSpace) -> UUID:
    """Return the last passage of the batch, or the one before the first that others are embedding."""
    after = space.filled_through or UUID(int=0)
    first = next((passage_id for passage_id in taken if passage_id > after), None)
    last = waiting[-1].passage_id
    return last if first is None or first > last else UUID(int=first.int - 1)
