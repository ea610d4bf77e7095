"""Runs over several conversations of a person at once."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.extraction.services.request import extraction_request
from apps.jobs.models import DueJob
from apps.jobs.services import claim_due, run_job
from tests.api.callers import at_once
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import texts_of

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 6
FACTS = [
    "I use the night bus.",
    "I prefer short answers.",
    "We decided to move the launch.",
    "Our lawyer is Luisa Campos.",
    "The leak turned out to be a loose washer.",
    "Standups are on Mondays.",
]


def talk(actor: Actor, facts: list[str]) -> UUID:
    conversation_id = conversation(actor)
    say(actor, conversation_id, *facts, role="user")
    return conversation_id


def run_jobs_one_by_one() -> None:
    """Leave every other job to another worker."""
    while claims := claim_due(1):
        run_job(claims[0].job_id, claims[0].token)


def test_two_runs_that_find_facts_in_another_order_do_not_wait_for_each_other(alice: Actor) -> None:
    for number in range(ROUNDS):
        facts = [f"{fact[:-1]}, number {number}." for fact in FACTS]
        talks = [talk(alice, facts), talk(alice, facts[::-1])]
        with workspace(alice.workspace_id):
            for conversation_id in talks:
                extraction_request(alice, conversation_id=conversation_id, policy=Policy())
        at_once(run_jobs_one_by_one, times=2)
        assert not DueJob.objects.filter(kind="extraction").exists()
    assert len(texts_of(alice)) == len(set(texts_of(alice))) == ROUNDS * len(FACTS)
