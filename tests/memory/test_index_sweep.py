"""The periodic reconciliation of the index: short steps, which continue where the last run ended."""

from __future__ import annotations

from itertools import pairwise
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob
from apps.jobs.services import RescheduleJob, slices
from apps.jobs.services.leases import Lease
from apps.memory.models import MemSweep, Passage
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.index import reconcile
from apps.memory.services.index.reconcile import memory_sweep
from tests.conversations.long_conversations import conversation, say
from tests.memory.test_embedding_batches import Killed, leased
from tests.memory.trees import draft

pytestmark = pytest.mark.django_db
KIND = "memory_sweep"


@pytest.fixture
def lease(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> Lease:
    """The job's lease; its steps look at three rows."""
    monkeypatch.setattr(reconcile, "_ROWS", 3)
    return leased(alice, "", KIND)


def remember_in(actor: Actor, *folders: str, count: int) -> None:
    uris = [f"mem://user/entities/{folder}/note-{number}" for folder in folders for number in range(count)]
    with workspace(actor.workspace_id):
        nodes_create_bulk(actor, drafts=[draft(uri, f"About {uri[19:]}.") for uri in uris])


def forget_index(actor: Actor) -> None:
    with workspace(actor.workspace_id):
        Passage.objects.all().delete()
        DueJob.objects.exclude(kind=KIND).delete()


def indexed(actor: Actor) -> int:
    with workspace(actor.workspace_id):
        return Passage.objects.count()


class Slices:
    """Time slices that end after every step."""

    def __init__(self, *_: object) -> None:
        pass

    def is_over(self) -> bool:
        return True


def test_every_slice_continues_where_the_last_one_ended(
    alice: Actor, lease: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "TimeSlice", Slices)
    remember_in(alice, "acme", "zenith", count=5)
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy.")
    forget_index(alice)
    grown = [0]
    while True:
        try:
            memory_sweep(lease)
            break
        except RescheduleJob:
            grown.append(indexed(alice))
    # No step looks at more rows than it may, and none is looked at again.
    assert all(after - before <= 3 for before, after in pairwise(grown))
    assert grown[-1] == indexed(alice) == 10
    assert len(grown) < 12
    with workspace(alice.workspace_id):
        assert not MemSweep.objects.exists()
    kinds = set(DueJob.objects.filter(workspace_id=alice.workspace_id).values_list("kind", flat=True))
    assert {"memory_messages", "memory_vectors"} <= kinds


def test_a_killed_run_loses_one_step(alice: Actor, lease: Lease, monkeypatch: pytest.MonkeyPatch) -> None:
    remember_in(alice, "acme", count=9)
    forget_index(alice)
    begun: list[str] = []
    read = reconcile._next_rows

    def noted(statement: str, sweep: MemSweep) -> list[tuple[UUID, UUID, str, bool]]:
        begun.append(sweep.after_uri)
        if len(begun) == 4:
            raise Killed
        return read(statement, sweep)

    monkeypatch.setattr(reconcile, "_next_rows", noted)
    with pytest.raises(Killed):
        memory_sweep(lease)
    assert 0 < indexed(alice) < 9
    memory_sweep(lease)
    assert begun[4] == begun[3] != ""
    assert indexed(alice) == 9


def test_what_became_missing_behind_the_sweep_is_found_by_the_next_one(alice: Actor, lease: Lease) -> None:
    remember_in(alice, "acme", count=4)
    memory_sweep(lease)
    forget_index(alice)
    memory_sweep(lease)
    assert indexed(alice) == 4
