"""Batches of the embedding job: what is stored survives, several workers share a workspace, slow ones get smaller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Barrier, Thread, current_thread
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np
import pytest
from billiard.exceptions import SoftTimeLimitExceeded
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob
from apps.jobs.services import RescheduleJob, job_request
from apps.jobs.services.leases import Lease
from apps.llm.embedding.base import SymmetricEmbedder
from apps.llm.embedding.model_ids import MINILM
from apps.llm.errors import ModelError
from apps.memory.models import Embedding, EmbeddingBatch, EmbeddingSpace, Passage
from apps.memory.selectors.search.embedding_spaces import space_progress
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.index import embedding_batches, embedding_job, space_changes
from apps.memory.services.index.embedding_batches import Batch, batch_finish, longest_run
from apps.memory.services.index.embedding_job import KEY, KIND, vectors_run
from apps.memory.services.index.space_changes import space_change
from tests.memory.test_embedding_job import lease_of
from tests.memory.trees import draft

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

pytestmark = pytest.mark.django_db(transaction=True)

HELPER = f"{KEY}-2"


class Killed(BaseException):
    """The end of a worker: nothing handles it."""


@dataclass
class Recorder(SymmetricEmbedder):
    """Embeds at once, and records every batch and who asked for it; `before` is called with each batch."""

    name: str = ""
    dimension: int = 256
    is_local: bool = True
    batches: list[tuple[str, list[str]]] = field(default_factory=list)
    before: Callable[[Sequence[str]], object] = len

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.batches.append((current_thread().name, list(texts)))
        self.before(texts)
        return [np.eye(1, self.dimension, len(text) % self.dimension, dtype=np.float32)[0] for text in texts]

    @property
    def sizes(self) -> list[int]:
        return [len(texts) for _, texts in self.batches]

    def counts(self) -> Counter[str]:
        return Counter(text for _, texts in self.batches for text in texts)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """The only embedder; batches have four passages at first and at most."""
    recorder = Recorder()
    for module in (embedding_job, space_changes):
        monkeypatch.setattr(module, "embedder_named", lambda name, **_: recorder)
    monkeypatch.setattr(embedding_batches, "FIRST", 4)
    monkeypatch.setattr(embedding_batches, "LARGEST", 4)
    return recorder


def remember_many(actor: Actor, count: int, first: int = 0) -> None:
    numbers = range(first, first + count)
    drafts = [draft(f"mem://user/events/note-{number}", f"Note {number:04}.") for number in numbers]
    with workspace(actor.workspace_id):
        nodes_create_bulk(actor, drafts=drafts)


def leased(actor: Actor, key: str = KEY, kind: str = KIND) -> Lease:
    """Take the job's lease, also after its last run."""
    now = timezone.now()
    with workspace(actor.workspace_id):
        job_request(workspace_id=actor.workspace_id, kind=kind, key=key, due_at=now, deadline_at=now)
    job = DueJob.objects.filter(workspace_id=actor.workspace_id, kind=kind, key=key)
    job.update(lease_token=None, lease_until=None)
    return lease_of(actor, key, kind)


def begin_filling(actor: Actor, recorder: Recorder, count: int) -> list[UUID]:
    """Store memories with embeddings, choose another model, and return the passages, which it has not embedded."""
    remember_many(actor, count)
    run(leased(actor))
    with workspace(actor.workspace_id):
        space_change(actor, MINILM)
        recorder.batches.clear()
        return list(Passage.objects.order_by("id").values_list("id", flat=True))


def pending(actor: Actor) -> int:
    with workspace(actor.workspace_id):
        return Passage.objects.filter(wanted_at__isnull=False).count()


def embedded(actor: Actor, model: str = "") -> list[UUID]:
    with workspace(actor.workspace_id):
        rows = Embedding.objects.filter(space__model=model) if model else Embedding.objects.all()
        return list(rows.values_list("passage_id", flat=True))


def killed_at(number: int) -> Callable[[str], None]:
    """A fault point that ends the worker when it is passed for the n-th time."""
    passed: list[str] = []

    def fault_point(name: str) -> None:
        passed.append(name)
        if len(passed) == number:
            raise Killed(name)

    return fault_point


def run(lease: Lease) -> None:
    """Run the job's slices until it needs none at once."""
    while True:
        try:
            return vectors_run(lease)
        except RescheduleJob as later:
            if later.seconds:
                return


def run_together(leases: Sequence[Lease], recorder: Recorder) -> None:
    """Run the workers in threads; each has its first batch in hand before one of them embeds."""
    barrier, met = Barrier(len(leases)), set[str]()

    def meet(texts: Sequence[str]) -> None:
        if current_thread().name not in met:
            met.add(current_thread().name)
            barrier.wait(60)

    def work(lease: Lease) -> None:
        try:
            run(lease)
        finally:
            connections.close_all()

    recorder.before = meet
    threads = [Thread(target=work, args=[lease], name=lease.key) for lease in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


@pytest.mark.parametrize("building", [False, True])
def test_a_killed_worker_loses_only_the_batch_in_hand(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch, building: bool
) -> None:
    remember_many(alice, 14)
    if building:
        run(leased(alice))
        with workspace(alice.workspace_id):
            space_change(alice, MINILM)
        recorder.batches.clear()
    stored = len(embedded(alice))
    lease = leased(alice)
    monkeypatch.setattr(embedding_job, "fault_point", killed_at(3))
    with pytest.raises(Killed):
        vectors_run(lease)
    assert len(embedded(alice)) - stored == 8
    monkeypatch.setattr(embedding_job, "fault_point", len)
    run(lease)
    assert (pending(alice), len(embedded(alice)) - stored) == (0, 14)
    # What was killed is tried again by halves, since it may have been too much.
    assert recorder.sizes == [4, 4, 4, 2, 4]
    assert sorted(recorder.counts().values()) == [1] * 10 + [2] * 4


@pytest.mark.parametrize("building", [False, True])
def test_two_workers_share_a_workspace_and_embed_no_text_twice(
    alice: Actor, recorder: Recorder, building: bool
) -> None:
    # The main job creates the spaces before it has helpers.
    run(leased(alice))
    remember_many(alice, 30)
    if building:
        run(leased(alice))
        with workspace(alice.workspace_id):
            space_change(alice, MINILM)
        recorder.batches.clear()
    run_together([leased(alice), leased(alice, HELPER)], recorder)
    assert recorder.counts() == Counter({f"Note {number:04}.": 1 for number in range(30)})
    assert {worker for worker, _ in recorder.batches} == {KEY, HELPER}
    assert pending(alice) == 0
    with workspace(alice.workspace_id):
        assert DueJob.objects.filter(workspace_id=alice.workspace_id, kind=KIND, key=KEY).exists()
    # The main job alone lets a complete space serve.
    run(leased(alice))
    with workspace(alice.workspace_id):
        serving = EmbeddingSpace.objects.get(state="serving")
        assert serving.model == (MINILM if building else "wordllama-256")
    assert len(embedded(alice, serving.model)) == 30


TOO_LONG = [SoftTimeLimitExceeded(), ModelError("timeout")]
"""How the job's own limit and a provider's end a batch."""


def too_slow_for(most: int, error: Exception) -> Callable[[Sequence[str]], None]:
    def check(texts: Sequence[str]) -> None:
        if len(texts) > most:
            raise error

    return check


@pytest.mark.parametrize("key", [KEY, HELPER])
@pytest.mark.parametrize("error", TOO_LONG, ids=repr)
def test_a_batch_that_takes_too_long_is_tried_in_halves_and_grows_again(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch, error: Exception, key: str
) -> None:
    run(leased(alice))
    monkeypatch.setattr(embedding_batches, "FIRST", 16)
    monkeypatch.setattr(embedding_batches, "LARGEST", 16)
    remember_many(alice, 40)
    recorder.before = too_slow_for(4, error)
    lease = leased(alice, key)
    for _ in range(2):
        with pytest.raises(RescheduleJob):
            vectors_run(lease)
    # The machine is quick again after the first batch that is small enough.
    monkeypatch.setattr(embedding_job, "fault_point", lambda _: setattr(recorder, "before", len))
    run(lease)
    assert recorder.sizes == [16, 8, 4, 8, 16, 12]
    assert pending(alice) == 0


@pytest.mark.parametrize("error", TOO_LONG, ids=repr)
def test_a_batch_for_another_model_that_takes_too_long_is_tried_in_halves(
    alice: Actor, recorder: Recorder, error: Exception
) -> None:
    begin_filling(alice, recorder, 8)
    recorder.before = too_slow_for(1, error)
    run(leased(alice))
    assert recorder.sizes[:3] == [4, 2, 1]
    assert len(embedded(alice, MINILM)) == 8
    with workspace(alice.workspace_id):
        assert EmbeddingSpace.objects.get(model=MINILM).failures == 0


@pytest.mark.parametrize("error", TOO_LONG, ids=repr)
def test_a_single_text_that_takes_too_long_is_a_failure(alice: Actor, recorder: Recorder, error: Exception) -> None:
    remember_many(alice, 1)
    recorder.before = too_slow_for(0, error)
    with pytest.raises(type(error)):
        vectors_run(leased(alice))


def test_a_helper_whose_model_fails_goes_on_with_the_size_that_it_had(alice: Actor, recorder: Recorder) -> None:
    run(leased(alice))
    remember_many(alice, 12)
    recorder.before = too_slow_for(1, ModelError("timeout"))
    with pytest.raises(RescheduleJob):
        vectors_run(leased(alice, HELPER))
    recorder.before = too_slow_for(0, ModelError("overloaded"))
    vectors_run(leased(alice, HELPER))
    recorder.before = len
    vectors_run(leased(alice, HELPER))
    assert recorder.sizes[:3] == [4, 2, 2]
    assert pending(alice) == 0


def test_slow_batches_get_smaller_before_they_take_too_long(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 1_000, 2))
    monkeypatch.setattr("apps.memory.services.index.embedding_job.monotonic", lambda: next(clock))
    remember_many(alice, 10)
    run(leased(alice))
    assert recorder.sizes == [4, 2, 1, 1, 1, 1]


@pytest.mark.parametrize("slots", [1, 2, 3, 5])
def test_a_large_backlog_gets_helpers_for_all_slots_but_one(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch, settings: Settings, slots: int
) -> None:
    settings.WORKER_SLOTS = slots
    monkeypatch.setattr(embedding_job, "LARGE_BACKLOG", 5)
    remember_many(alice, 4)
    run(leased(alice))
    jobs = DueJob.objects.filter(workspace_id=alice.workspace_id, kind=KIND).exclude(key=KEY)
    assert not jobs.exists()
    remember_many(alice, 10, first=4)
    run(leased(alice))
    assert [job.key for job in jobs.order_by("key")] == [f"{KEY}-{number}" for number in range(2, slots)]


def test_what_a_dead_worker_held_is_free_for_others_after_a_while(alice: Actor, recorder: Recorder) -> None:
    remember_many(alice, 6)
    lease = leased(alice)
    run(lease)
    with workspace(alice.workspace_id):
        Passage.objects.update(wanted_at=timezone.now())
        held = list(Passage.objects.order_by("id").values_list("id", flat=True)[:4])
        hold(held)
    with pytest.raises(RescheduleJob) as rest:
        vectors_run(lease)
    assert pending(alice) == 4
    assert 0 < rest.value.seconds <= longest_run().total_seconds()
    with workspace(alice.workspace_id):
        EmbeddingBatch.objects.update(expires_at=timezone.now())
    vectors_run(lease)
    assert pending(alice) == 0


def hold(passages: Sequence[UUID]) -> None:
    """Claim these passages for a helper."""
    now = timezone.now()
    EmbeddingBatch.objects.create(
        key=HELPER, passages=passages, size=len(passages), began_at=now, expires_at=now + longest_run()
    )


def test_the_rate_is_shown_while_a_backlog_is_embedded(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates: list[int | None] = []

    def look(_: object) -> None:
        with workspace(alice.workspace_id):
            rates.append(space_progress().per_minute)

    remember_many(alice, 12)
    monkeypatch.setattr(embedding_job, "fault_point", look)
    run(leased(alice))
    look(None)
    # Nothing is stored yet, then two batches of four, then nothing is embedded any more.
    assert (rates[0], rates[-1]) == (None, None)
    assert all(rate is not None and rate > 0 for rate in rates[1:-1])
    assert len(rates) == 4


@pytest.mark.parametrize("building", [False, True])
def test_what_is_left_is_shown_until_the_last_batch(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch, building: bool
) -> None:
    if building:
        begin_filling(alice, recorder, 10)
    else:
        remember_many(alice, 10)
    lease, left = leased(alice), list[int | None]()
    job = DueJob.objects.filter(workspace_id=alice.workspace_id, kind=KIND, key=KEY)

    def note(batch: Batch, *, seconds: float) -> UUID | None:
        left.append(job.get().waiting)
        return batch_finish(batch, seconds=seconds)

    monkeypatch.setattr(embedding_job, "batch_finish", note)
    run(lease)
    assert left == [6, 2, 0]
