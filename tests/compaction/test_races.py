"""Concurrent runs store one summary, and messages that arrive during a run stay live."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from uuid import UUID

import pytest
from django.db import connections

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services import pipeline
from apps.compaction.services.request import compaction_request
from apps.compaction.services.scheduling import KIND
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import RollingSummary
from apps.jobs.models import DueJob
from apps.jobs.services import Lease, LeaseLost, RescheduleJob, claim_named, lease_take
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import check_invariants, context_of, run_due_jobs, runs_of
from tests.conversations.long_conversations import history, long_talk, say

ROUNDS = 5


@pytest.fixture
def during(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], None]], None]]:
    """Run a callback during summarization: after the snapshot and before the write."""
    original = pipeline.summarized

    def install(action: Callable[[], None]) -> None:
        def summarized(*args: object) -> RollingSummary:
            action()
            return original(*args)  # type: ignore[arg-type]  # passed through

        monkeypatch.setattr(pipeline, "summarized", summarized)

    yield install


def lease_for(actor: Actor, conversation_id: UUID) -> Lease:
    with workspace(actor.workspace_id):
        compaction_request(actor, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())
    claim = claim_named(workspace_id=actor.workspace_id, kind=KIND, key=str(conversation_id))
    assert claim is not None
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease is not None
    return lease


def takeover(lease: Lease) -> Lease:
    """Claim the job for another worker, as if the first one's lease had expired."""
    DueJob.objects.update(lease_until=None)
    claim = claim_named(workspace_id=lease.workspace_id, kind=lease.kind, key=lease.key)
    assert claim is not None
    successor = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert successor is not None and successor.token != lease.token
    return successor


@pytest.mark.django_db
def test_a_message_that_arrives_during_a_run_stays_live(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    during(lambda: say(alice, conversation_id, "One more thing.") and None)
    pipeline.compaction_run(lease_for(alice, conversation_id))
    assert [row.compacted_in for row in history(alice, conversation_id)] == [1] * 10 + [None] * 21
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_a_message_excluded_during_a_run_restarts_it(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    removed = history(alice, conversation_id)[3].id

    def exclude() -> None:
        with workspace(alice.workspace_id):
            messages_set_excluded(alice, conversation_id=conversation_id, message_ids=[removed], excluded=True)

    during(exclude)
    lease = lease_for(alice, conversation_id)
    with pytest.raises(RescheduleJob):
        pipeline.compaction_run(lease)
    assert all(row.compacted_in is None for row in history(alice, conversation_id))
    pipeline.compaction_run(lease)
    assert history(alice, conversation_id)[3].compacted_in is None
    assert str(removed) not in str(context_of(alice, conversation_id).rolling_summary)
    assert [run.state for run in runs_of(alice, conversation_id)] == ["succeeded"]
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_a_worker_that_lost_its_lease_writes_nothing(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    expired = lease_for(alice, conversation_id)
    during(lambda: takeover(expired) and None)
    with pytest.raises(LeaseLost):
        pipeline.compaction_run(expired)
    assert all(row.compacted_in is None for row in history(alice, conversation_id))
    during(lambda: None)
    DueJob.objects.update(lease_until=None)
    run_due_jobs()
    assert [run.state for run in runs_of(alice, conversation_id)] == ["succeeded"]
    check_invariants(alice, conversation_id)


@pytest.mark.django_db(transaction=True)
def test_two_concurrent_runs_store_one_summary(alice: Actor, during: Callable[[Callable[[], None]], None]) -> None:
    for _ in range(ROUNDS):
        conversation_id = long_talk(alice, messages=30, tokens=50)
        first = lease_for(alice, conversation_id)
        second = takeover(first)
        barrier = threading.Barrier(2, timeout=10)
        during(barrier.wait)  # type: ignore[arg-type]  # its return value is not used
        outcomes = in_parallel(lambda: run(first), lambda: run(second))  # noqa: B023  # awaited below
        assert sorted(outcomes) == ["lost", "wrote"]
        assert context_of(alice, conversation_id).version == 1
        check_invariants(alice, conversation_id)


def run(lease: Lease) -> str:
    try:
        pipeline.compaction_run(lease)
    except (LeaseLost, RescheduleJob):
        return "lost"
    return "wrote"


def in_parallel(*actions: Callable[[], str]) -> list[str]:
    outcomes: list[str] = []

    def perform(action: Callable[[], str]) -> None:
        try:
            outcomes.append(action())
        finally:
            connections.close_all()

    threads = [threading.Thread(target=perform, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return outcomes


@pytest.mark.django_db
def test_a_failure_after_losing_the_lease_changes_nothing(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    expired = lease_for(alice, conversation_id)

    def lose_and_fail() -> None:
        successor = takeover(expired)
        during(lambda: None)
        pipeline.compaction_run(successor)
        raise RuntimeError("the model hung up")

    during(lose_and_fail)
    with pytest.raises(LeaseLost):
        pipeline.compaction_run(expired)
    (run_row,) = runs_of(alice, conversation_id)
    assert (run_row.state, run_row.version, run_row.error_code) == ("succeeded", 1, "")
    check_invariants(alice, conversation_id)
