"""Segment texts by a configured model: it rewrites new segments, and the engine's texts remain when it fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services import segment_model_job
from apps.compaction.services.segments import MODEL_TRIES
from apps.compaction.summarizers.segments import segment_with_model
from apps.engine.policy import Policy
from apps.jobs.models import DueJob
from apps.llm.models import ModelUsage
from tests.compaction.runs import run_due_jobs
from tests.compaction.segments import for_pack, run_segment_job, segment_job_row, segments, set_excluded
from tests.conversations.long_conversations import conversation, huge_talk, say
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = ["We agreed on Redis."] * 20
BY_MODEL = "They talked about 20 things."


@pytest.fixture
def provider(provider: ProviderServer) -> ProviderServer:
    cache.clear()
    provider.scripts_stretches = True
    return provider


def outcomes(actor: Actor) -> list[str]:
    with workspace(actor.workspace_id):
        return list(ModelUsage.objects.filter(purpose="compaction").order_by("id").values_list("outcome", flat=True))


def run_retries() -> None:
    DueJob.objects.filter(kind="segments").update(due_at=timezone.now())
    run_due_jobs()


def test_the_model_rewrites_the_text_of_a_new_segment(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS)
    run_segment_job(alice, conversation_id)
    (row,) = segments(alice, conversation_id)
    assert row.text.startswith(BY_MODEL)
    assert row.model not in ("", "offline")
    assert outcomes(alice) == ["ok"]
    run_segment_job(alice, conversation_id)
    assert outcomes(alice) == ["ok"]


def test_the_next_level_is_written_from_the_model_s_texts(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS * 5)
    run_segment_job(alice, conversation_id)
    (parent,) = segments(alice, conversation_id, 2)
    assert parent.text.startswith("They talked about 5 things.\n- They talked about 20 things.")
    assert len(outcomes(alice)) == 6


def test_the_model_rewrites_a_text_written_for_a_pack(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = huge_talk(alice, 40)
    assert BY_MODEL not in str(for_pack(alice, conversation_id, before=40))
    run_retries()
    assert [row.text.startswith(BY_MODEL) for row in segments(alice, conversation_id)] == [True, True]


def test_the_texts_of_a_backlog_stay_the_engine_s(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = huge_talk(alice, 400)
    run_segment_job(alice, conversation_id)
    assert {row.model for level in (1, 2) for row in segments(alice, conversation_id, level)} == {"offline"}
    assert not provider.requests


def test_only_the_newest_segments_are_sent_to_the_model(
    alice: Actor, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_model_job, "_FOR_MODEL", 3)
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS * 7)
    run_segment_job(alice, conversation_id)
    assert [row.model == "offline" for row in segments(alice, conversation_id)] == [True] * 4 + [False] * 3
    assert segments(alice, conversation_id, 2)[0].model == "offline"


def test_the_engine_s_text_remains_when_the_model_fails_three_times(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour("cut")
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS)
    run_segment_job(alice, conversation_id)
    job = segment_job_row(conversation_id)
    assert job is not None and (job.attempts, job.last_error) == (1, "ModelError: cut")
    assert "Redis" in segments(alice, conversation_id)[0].text
    for _ in range(MODEL_TRIES):
        run_retries()
    assert outcomes(alice) == ["cut"] * MODEL_TRIES
    assert segment_job_row(conversation_id) is None
    (row,) = segments(alice, conversation_id)
    assert (row.model, row.tries_left) == ("offline", 0)
    assert "Redis" in row.text


def test_a_model_that_refuses_is_not_called_again(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour("refusal")
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS)
    run_segment_job(alice, conversation_id)
    run_retries()
    assert outcomes(alice) == ["refused"]
    assert segments(alice, conversation_id)[0].model == "offline"


def test_a_message_excluded_while_the_model_writes_is_not_summarized(
    alice: Actor, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, "The mascot is a zebra.", *WORDS)
    original, pending_actions = segment_with_model, [lambda: set_excluded(alice, conversation_id, 0)]

    def slow(*args: Any, **kwargs: Any) -> tuple[str, str]:
        text = original(*args, **kwargs)
        if pending_actions:
            pending_actions.pop()()
        return text

    monkeypatch.setattr(segment_model_job, "segment_with_model", slow)
    run_segment_job(alice, conversation_id)
    assert segments(alice, conversation_id)[0].text == ""
    run_retries()
    assert segments(alice, conversation_id)[0].text.startswith("They talked about 19 things.")


def test_including_a_message_again_reuses_the_cached_answer(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS)
    run_segment_job(alice, conversation_id)
    before = segments(alice, conversation_id)[0].text
    set_excluded(alice, conversation_id, 3)
    run_retries()
    set_excluded(alice, conversation_id, 3, excluded=False)
    run_retries()
    assert segments(alice, conversation_id)[0].text == before
    assert len(outcomes(alice)) == 2


def test_no_model_is_called_without_automatic_compaction(
    alice: Actor, provider: ProviderServer, settings: Settings
) -> None:
    settings.CONTINUITY_POLICY = replace(Policy(), auto_compact=False)
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS)
    run_segment_job(alice, conversation_id)
    assert segments(alice, conversation_id)[0].model == "offline"
    assert not provider.requests
