"""Runs over several conversations of a person at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event
from uuid import UUID

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.extraction.services import batches
from apps.extraction.services.plan import Plan, plan_of
from apps.extraction.services.request import extraction_request
from apps.extraction.services.snapshot import Snapshot
from apps.jobs.models import DueJob
from apps.jobs.services import claim_due, run_job
from tests.api.callers import at_once
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import candidates_of, make_due, position_of, texts_of
from tests.extraction.test_switches import switch_conversation
from tests.processes import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("every_sentence")]

ROUNDS = 6
FACTS = [
    "I use the night bus.",
    "I prefer short answers.",
    "We decided to move the launch.",
    "I play chess on a wooden board.",
    "The leak turned out to be a loose washer.",
    "Standups are on Mondays.",
]


def talk(actor: Actor, facts: list[str]) -> UUID:
    conversation_id = conversation(actor)
    say(actor, conversation_id, *facts, role="user")
    return conversation_id


def pause(*conversation_ids: UUID) -> None:
    """Let conversations pause, so that their automatic runs are due."""
    DueJob.objects.filter(kind="extraction", key__in=map(str, conversation_ids)).update(due_at=timezone.now())


def side_by_side(*acts: Callable[[], None]) -> None:
    """Run different actions concurrently."""
    left = iter(acts)

    def act() -> None:
        next(left)()

    at_once(act, times=len(acts))


def run_jobs_one_by_one() -> None:
    """Leave every other job to another worker."""
    while claims := claim_due(1):
        run_job(claims[0].job_id, claims[0].token)


def nothing_is_due() -> bool:
    """Run what a slow machine left for later."""
    run_jobs_one_by_one()
    return not DueJob.objects.filter(kind="extraction").exists()


@pytest.mark.slow("it reads in many rounds")
def test_two_runs_that_find_facts_in_another_order_do_not_wait_for_each_other(alice: Actor) -> None:
    for number in range(ROUNDS):
        facts = [f"{fact[:-1]}, number {number}." for fact in FACTS]
        talks = [talk(alice, facts), talk(alice, facts[::-1])]
        with workspace(alice.workspace_id):
            for conversation_id in talks:
                extraction_request(alice, conversation_id=conversation_id, policy=Policy())
        at_once(run_jobs_one_by_one, times=2)
        assert eventually(nothing_is_due, 120)
    assert len(texts_of(alice)) == len(set(texts_of(alice))) == ROUNDS * len(FACTS)


@pytest.mark.slow("it reads several conversations")
def test_automatic_runs_over_several_conversations_store_each_fact_once(alice: Actor) -> None:
    for number in range(ROUNDS):
        facts = [f"{fact[:-1]}, number {number}." for fact in FACTS]
        pause(talk(alice, facts), talk(alice, facts[::-1]))
        at_once(run_jobs_one_by_one, times=2)
        assert not DueJob.objects.filter(kind="extraction").exists()
    assert len(texts_of(alice)) == len(set(texts_of(alice))) == ROUNDS * len(FACTS)


def test_a_run_that_lost_its_lease_stores_nothing_that_another_stored(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation_id = talk(alice, FACTS)
    others: list[int] = []

    def let_another_run(snapshot: Snapshot, *, attempt: int) -> Plan:
        if not others:
            others.append(DueJob.objects.filter(kind="extraction").update(lease_until=timezone.now()))
            pause(conversation_id)
            at_once(run_jobs_one_by_one, times=1)
        return plan_of(snapshot, attempt=attempt)

    monkeypatch.setattr(batches, "plan_of", let_another_run)
    pause(conversation_id)
    run_jobs_one_by_one()
    assert len(candidates_of(alice, conversation_id)) == len(FACTS)
    assert position_of(alice, conversation_id).next_index == len(FACTS)


def test_messages_arrive_while_runs_work_and_each_is_read_once(alice: Actor) -> None:
    conversation_id = talk(alice, FACTS[:1])
    done = Event()

    def write() -> None:
        try:
            for number in range(15):
                say(alice, conversation_id, f"We decided to use tool number {number}.", role="user")
        finally:
            done.set()

    def read() -> None:
        while not done.wait(0.02):
            pause(conversation_id)
            run_jobs_one_by_one()

    side_by_side(write, read)
    make_due()
    assert len(texts_of(alice)) == len(candidates_of(alice, conversation_id)) == 16


def test_switching_off_while_runs_work_leaves_nothing_that_was_said_afterwards(alice: Actor) -> None:
    for number in range(ROUNDS):
        conversation_id = talk(alice, [f"We decided to use tool number {number}."] * 3)
        pause(conversation_id)
        side_by_side(partial(switch_conversation, alice, conversation_id, False), run_jobs_one_by_one)
        say(alice, conversation_id, f"I prefer secret number {number}.", role="user")
        switch_conversation(alice, conversation_id, True)
        make_due()
    assert not [text for text in texts_of(alice) if "secret" in text]
