"""Automatic compaction of growing conversations at the policy's thresholds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.jobs.models import DueJob
from tests.compaction.runs import check_invariants, context_of, run_due_jobs, runs_of, without_debounce
from tests.conversations.long_conversations import conversation, history, long_talk, row_of, say


@pytest.mark.django_db
def test_a_short_conversation_schedules_no_compaction(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=9, tokens=2_000)
    assert not DueJob.objects.filter(kind="compaction").exists()
    say(alice, conversation_id, "the tenth message")
    assert DueJob.objects.filter(kind="compaction", key=str(conversation_id)).exists()


@pytest.mark.django_db
def test_messages_that_cannot_be_compacted_schedule_no_compaction(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=8, tokens=250)
    say(alice, conversation_id, *["x" * 8_000 for _ in range(4)])
    assert row_of(alice, conversation_id).live_tokens >= 8_000
    assert not DueJob.objects.filter(kind="compaction").exists()


@pytest.mark.django_db
def test_a_compaction_waits_five_seconds_after_the_last_message_and_thirty_at_most(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=30)
    first = DueJob.objects.get(kind="compaction")
    assert timedelta(seconds=4) < first.due_at - timezone.now() <= timedelta(seconds=5)
    assert timedelta(seconds=29) < first.deadline_at - timezone.now() <= timedelta(seconds=30)
    say(alice, conversation_id, "one more")
    second = DueJob.objects.get(kind="compaction")
    assert second.due_at > first.due_at
    assert second.deadline_at == first.deadline_at
    assert second.generation == first.generation + 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("messages", "level", "max_live"), [(30, "light", 6_800), (60, "deep", 5_600), (90, "aggressive", 4_800)]
)
def test_the_level_follows_the_live_tokens(
    alice: Actor, settings: Settings, messages: int, level: str, max_live: int
) -> None:
    without_debounce(settings)
    conversation_id = long_talk(alice, messages=messages)
    run_due_jobs()
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.level, run.trigger) == ("succeeded", level, "auto")
    assert row_of(alice, conversation_id).live_tokens <= max_live
    assert context_of(alice, conversation_id).version == 1
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_the_newest_four_and_the_last_user_message_stay_live(alice: Actor, settings: Settings) -> None:
    without_debounce(settings)
    conversation_id = conversation(alice)
    say(alice, conversation_id, "Please run the whole agent loop.", role="user")
    say(alice, conversation_id, *["step " * 400 for _ in range(60)], role="assistant")
    run_due_jobs()
    versions = [row.compacted_in for row in history(alice, conversation_id)]
    assert versions[0] is None
    assert versions[-4:] == [None] * 4
    check_invariants(alice, conversation_id)


@pytest.mark.slow("it compacts a long import")
@pytest.mark.django_db
def test_a_backlog_is_compacted_slice_by_slice(alice: Actor, settings: Settings) -> None:
    without_debounce(settings)
    conversation_id = long_talk(alice, messages=300)
    run_due_jobs()
    runs = runs_of(alice, conversation_id)
    assert len(runs) >= 3
    assert all(run.state == "succeeded" for run in runs)
    assert row_of(alice, conversation_id).live_tokens < 8_000
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_twelve_huge_messages_are_compacted(alice: Actor, settings: Settings) -> None:
    without_debounce(settings)
    conversation_id = conversation(alice)
    say(alice, conversation_id, *[f"Part {place}. " + "word " * 7_000 for place in range(12)])
    run_due_jobs()
    assert row_of(alice, conversation_id).live_count <= 5
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_no_compaction_is_scheduled_when_it_is_turned_off(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, auto_compact=False)
    long_talk(alice, messages=60)
    assert not DueJob.objects.filter(kind="compaction").exists()
