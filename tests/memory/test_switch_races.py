"""A switch of the model while other workers embed: no passage is without a vector in the new space."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from threading import Event, Thread, current_thread
from uuid import UUID

import pytest
from django.db import connection, connections
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.llm.embedding.model_ids import MINILM
from apps.memory.models import Embedding, EmbeddingBatch, EmbeddingSpace, Passage
from apps.memory.services.index import embedding_job, vector_store
from apps.memory.services.index.embedding_batches import batches_fill_up_to, last_expiry
from config.stack.process import wait_until
from tests.memory.test_embedding_batches import (
    HELPER,
    Recorder,
    begin_filling,
    embedded,
    hold,
    leased,
    recorder,
    run,
)

__all__ = ["recorder"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("ending", ["expired", "released"])
def test_no_passage_is_without_a_vector_when_a_dead_workers_batch_ends_during_the_switch(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    passages = begin_filling(alice, recorder, 6)
    with workspace(alice.workspace_id):
        hold(passages[2:4])

    def end_first(*, besides: str) -> datetime | None:
        change: dict[str, object] = {"passages": []} if ending == "released" else {"expires_at": timezone.now()}
        EmbeddingBatch.objects.filter(key=HELPER).update(**change)
        return last_expiry(besides=besides)

    monkeypatch.setattr(embedding_job, "last_expiry", end_first)
    run(leased(alice))
    with workspace(alice.workspace_id):
        assert EmbeddingSpace.objects.get(state="serving").model == MINILM
    assert sorted(embedded(alice, MINILM)) == passages


def test_a_passage_that_changes_while_a_space_is_filled_beyond_it_gets_a_vector_there(
    alice: Actor, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    passages = begin_filling(alice, recorder, 8)
    main, helper = leased(alice), leased(alice, HELPER)
    with workspace(alice.workspace_id):
        row = Embedding.objects.get(passage_id=passages[1])
        row.pk, row.space = uuid7(), EmbeddingSpace.objects.get(state="building")
        row.save()
    has_deleted = Event()

    def embed_changed() -> None:
        try:
            run(helper)
        finally:
            connections.close_all()

    work = Thread(target=embed_changed)

    def change(texts: Sequence[str]) -> None:
        if current_thread() is not work and not work.ident:
            with workspace(alice.workspace_id):
                Passage.objects.filter(pk=passages[1]).update(wanted_at=timezone.now())
            work.start()
            has_deleted.wait(20)

    def when_main_has_stored_or_waits(before: UUID) -> None:
        has_deleted.set()
        building = EmbeddingSpace.objects.filter(state="building", filled_through__isnull=False)
        wait_until(lambda: is_waiting_for_lock() or building.exists(), 20)
        batches_fill_up_to(before)

    recorder.before = change
    monkeypatch.setattr(vector_store, "batches_fill_up_to", when_main_has_stored_or_waits)
    run(main)
    work.join(20)
    run(leased(alice))
    with workspace(alice.workspace_id):
        assert EmbeddingSpace.objects.get(state="serving").model == MINILM
    assert sorted(embedded(alice, MINILM)) == passages


def is_waiting_for_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])
