"""Conversations that grow fold themselves, at the thresholds of the policy."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.jobs.models import DueJob
from tests.compaction.work import at_once, check_invariants, context_of, runs_of, work_off
from tests.conversations.talk import conversation, history, long_talk, row_of, say


@pytest.mark.django_db
def test_a_short_conversation_is_left_alone(alice: Actor) -> None:
    talk = long_talk(alice, messages=9, tokens=2_000)
    assert not DueJob.objects.filter(kind="compaction").exists()
    say(alice, talk, "the tenth message")
    assert DueJob.objects.filter(kind="compaction", key=str(talk)).exists()


@pytest.mark.django_db
def test_what_cannot_be_folded_makes_nothing_due(alice: Actor) -> None:
    talk = long_talk(alice, messages=8, tokens=250)
    say(alice, talk, *["x" * 8_000 for _ in range(4)])
    assert row_of(alice, talk).live_tokens >= 8_000
    assert not DueJob.objects.filter(kind="compaction").exists()


@pytest.mark.django_db
def test_a_job_waits_five_seconds_after_the_last_message_and_thirty_at_most(alice: Actor) -> None:
    talk = long_talk(alice, messages=30)
    first = DueJob.objects.get(kind="compaction")
    assert timedelta(seconds=4) < first.due_at - timezone.now() <= timedelta(seconds=5)
    assert timedelta(seconds=29) < first.deadline_at - timezone.now() <= timedelta(seconds=30)
    say(alice, talk, "one more")
    second = DueJob.objects.get(kind="compaction")
    assert second.due_at > first.due_at
    assert second.deadline_at == first.deadline_at
    assert second.generation == first.generation + 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("messages", "level", "most_live"), [(30, "light", 6_800), (60, "deep", 5_600), (90, "aggressive", 4_800)]
)
def test_the_level_follows_the_live_tokens(
    alice: Actor, settings: Settings, messages: int, level: str, most_live: int
) -> None:
    at_once(settings)
    talk = long_talk(alice, messages=messages)
    work_off()
    (run,) = runs_of(alice, talk)
    assert (run.state, run.level, run.trigger) == ("succeeded", level, "auto")
    assert row_of(alice, talk).live_tokens <= most_live
    assert context_of(alice, talk).version == 1
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_the_newest_four_and_the_newest_of_the_user_stay(alice: Actor, settings: Settings) -> None:
    at_once(settings)
    talk = conversation(alice)
    say(alice, talk, "Please run the whole agent loop.", role="user")
    say(alice, talk, *["step " * 400 for _ in range(60)], role="assistant")
    work_off()
    states = [row.compacted_in for row in history(alice, talk)]
    assert states[0] is None
    assert states[-4:] == [None] * 4
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_a_backlog_is_folded_slice_after_slice(alice: Actor, settings: Settings) -> None:
    at_once(settings)
    talk = long_talk(alice, messages=300)
    work_off()
    runs = runs_of(alice, talk)
    assert len(runs) >= 3
    assert all(run.state == "succeeded" for run in runs)
    assert row_of(alice, talk).live_tokens < 8_000
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_twelve_enormous_messages_end_folded(alice: Actor, settings: Settings) -> None:
    at_once(settings)
    talk = conversation(alice)
    say(alice, talk, *[f"Part {place}. " + "word " * 7_000 for place in range(12)])
    work_off()
    assert row_of(alice, talk).live_count <= 5
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_switched_off_nothing_is_summarised(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, auto_compact=False)
    long_talk(alice, messages=60)
    assert not DueJob.objects.filter(kind="compaction").exists()
