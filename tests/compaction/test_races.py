"""Two runs at once give the result of one, and what is said during a run is not covered by it."""

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
from apps.turns.services.messages import messages_leave_out
from tests.compaction.work import check_invariants, context_of, runs_of, work_off
from tests.conversations.talk import history, long_talk, say

ROUNDS = 5


@pytest.fixture
def during(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], None]], None]]:
    """Does something while a run summarises: after its snapshot, before it writes."""
    real = pipeline.summarised

    def install(act: Callable[[], None]) -> None:
        def summarised(*args: object) -> RollingSummary:
            act()
            return real(*args)  # type: ignore[arg-type]  # handed through

        monkeypatch.setattr(pipeline, "summarised", summarised)

    yield install


def lease_for(actor: Actor, talk: UUID) -> Lease:
    with workspace(actor.workspace_id):
        compaction_request(actor, conversation_id=talk, level=Level.LIGHT, policy=Policy())
    claim = claim_named(workspace_id=actor.workspace_id, kind=KIND, key=str(talk))
    assert claim is not None
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease is not None
    return lease


def takeover(lease: Lease) -> Lease:
    """Another worker takes the job, as if the first had been silent for too long."""
    DueJob.objects.update(lease_until=None)
    claim = claim_named(workspace_id=lease.workspace_id, kind=lease.kind, key=lease.key)
    assert claim is not None
    other = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert other is not None and other.token != lease.token
    return other


@pytest.mark.django_db
def test_a_message_that_arrives_during_a_run_stays_live(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    during(lambda: say(alice, talk, "One more thing.") and None)
    pipeline.compaction_run(lease_for(alice, talk))
    assert [row.compacted_in for row in history(alice, talk)] == [1] * 10 + [None] * 21
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_a_message_that_is_left_out_during_a_run_makes_it_begin_again(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    removed = history(alice, talk)[3].id

    def leave_out() -> None:
        with workspace(alice.workspace_id):
            messages_leave_out(alice, conversation_id=talk, message_ids=[removed], excluded=True)

    during(leave_out)
    lease = lease_for(alice, talk)
    with pytest.raises(RescheduleJob):
        pipeline.compaction_run(lease)
    assert all(row.compacted_in is None for row in history(alice, talk))
    pipeline.compaction_run(lease)
    assert history(alice, talk)[3].compacted_in is None
    assert str(removed) not in str(context_of(alice, talk).rolling_summary)
    assert [run.state for run in runs_of(alice, talk)] == ["succeeded"]
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_a_worker_that_was_thought_dead_writes_nothing(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    zombie = lease_for(alice, talk)
    during(lambda: takeover(zombie) and None)
    with pytest.raises(LeaseLost):
        pipeline.compaction_run(zombie)
    assert all(row.compacted_in is None for row in history(alice, talk))
    during(lambda: None)
    DueJob.objects.update(lease_until=None)
    work_off()
    assert [run.state for run in runs_of(alice, talk)] == ["succeeded"]
    check_invariants(alice, talk)


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_store_one_summary(alice: Actor, during: Callable[[Callable[[], None]], None]) -> None:
    for _ in range(ROUNDS):
        talk = long_talk(alice, messages=30, tokens=50)
        first = lease_for(alice, talk)
        second = takeover(first)
        meeting = threading.Barrier(2, timeout=10)
        during(meeting.wait)  # type: ignore[arg-type]  # its number is of no interest
        outcomes = at_once(lambda: run(first), lambda: run(second))  # noqa: B023  # awaited below
        assert sorted(outcomes) == ["lost", "wrote"]
        assert context_of(alice, talk).version == 1
        check_invariants(alice, talk)


def run(lease: Lease) -> str:
    try:
        pipeline.compaction_run(lease)
    except (LeaseLost, RescheduleJob):
        return "lost"
    return "wrote"


def at_once(*acts: Callable[[], str]) -> list[str]:
    outcomes: list[str] = []

    def perform(act: Callable[[], str]) -> None:
        try:
            outcomes.append(act())
        finally:
            connections.close_all()

    threads = [threading.Thread(target=perform, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return outcomes


@pytest.mark.django_db
def test_the_failure_of_a_worker_that_was_thought_dead_changes_nothing(
    alice: Actor, during: Callable[[Callable[[], None]], None]
) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    zombie = lease_for(alice, talk)

    def lose_and_fail() -> None:
        other = takeover(zombie)
        during(lambda: None)
        pipeline.compaction_run(other)
        raise RuntimeError("the model hung up")

    during(lose_and_fail)
    with pytest.raises(LeaseLost):
        pipeline.compaction_run(zombie)
    (only,) = runs_of(alice, talk)
    assert (only.state, only.version, only.error_code) == ("succeeded", 1, "")
    check_invariants(alice, talk)
