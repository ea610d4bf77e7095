"""Segments that several processes create at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.segments import segments_schedule_if_due
from apps.conversations.models import Conversation
from apps.engine.policy import Policy
from apps.jobs.models import DueJob
from apps.jobs.services import claim_due, run_job
from tests.compaction.segments import for_pack, run_segment_job, segments
from tests.conversations.long_conversations import huge_talk


@pytest.mark.django_db(transaction=True)
def test_concurrent_runs_give_the_result_of_one(alice: Actor) -> None:
    once, twice = huge_talk(alice, 700), huge_talk(alice, 700)
    run_segment_job(alice, once)

    def read(_: int) -> None:
        try:
            for_pack(alice, twice, before=700)
        finally:
            connections.close_all()

    def run(_: int) -> None:
        try:
            for claim in claim_due(10):
                run_job(claim.job_id, claim.token)
        finally:
            connections.close_all()

    with workspace(alice.workspace_id):
        segments_schedule_if_due(conversation=Conversation.objects.get(pk=twice), policy=Policy())
    DueJob.objects.filter(kind="segments").update(due_at=timezone.now())
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: run(n) if n % 2 else read(n), range(8)))
    run_segment_job(alice, twice)
    for level in (1, 2, 3):
        assert [(row.first_index, row.last_index, row.text) for row in segments(alice, twice, level)] == [
            (row.first_index, row.last_index, row.text) for row in segments(alice, once, level)
        ]
