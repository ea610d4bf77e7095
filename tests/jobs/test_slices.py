"""Long upkeep stores each of its steps, and makes room for others between two of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import IdempotencyKey
from apps.common.tenancy import workspace
from apps.jobs.services import LeaseLost, RescheduleJob, slices
from apps.jobs.services.leases import Lease
from apps.jobs.services.progress import run_has_progressed
from apps.jobs.services.slices import run_in_slices
from tests.memory.test_embedding_batches import leased

pytestmark = pytest.mark.django_db


@pytest.fixture
def lease(alice: Actor) -> Lease:
    return leased(alice, "", "idempotency_prune")


def stored_by(actor: Actor) -> list[str]:
    with workspace(actor.workspace_id):
        return list(IdempotencyKey.objects.order_by("key").values_list("key", flat=True))


def steps(actor: Actor) -> Iterator[bool]:
    """Store a row in each of three steps; the fourth one fails."""
    for number in range(3):
        IdempotencyKey.objects.create(user_id=actor.user_id, key=str(number), request_digest="")
        yield True
    raise OSError


def test_a_run_that_fails_keeps_the_steps_before(alice: Actor, lease: Lease) -> None:
    step = steps(alice)
    with pytest.raises(OSError):
        run_in_slices(lease, lambda: next(step))
    assert stored_by(alice) == ["0", "1", "2"]


def test_a_step_without_work_is_no_progress(lease: Lease) -> None:
    run_in_slices(lease, lambda: 0)
    assert not run_has_progressed(lease)
    remaining = [1, 0]
    run_in_slices(lease, lambda: remaining.pop(0))
    assert run_has_progressed(lease)


def test_a_run_ends_between_two_steps_when_its_time_is_over(
    alice: Actor, lease: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "RUN_S", -1)
    step = steps(alice)
    with pytest.raises(RescheduleJob):
        run_in_slices(lease, lambda: next(step))
    assert stored_by(alice) == ["0"]


def test_a_run_that_lost_its_lease_stores_nothing(alice: Actor, lease: Lease) -> None:
    leased(alice, "", "idempotency_prune")
    with pytest.raises(LeaseLost):
        run_in_slices(lease, lambda: next(steps(alice)))
    assert stored_by(alice) == []
