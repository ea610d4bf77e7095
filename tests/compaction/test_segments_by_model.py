"""Where a model is configured it writes the texts of new segments anew; when it fails the engine's own stand."""

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
from tests.compaction.segments import for_pack, job_of, leave_out, run_the_job, segments
from tests.compaction.work import work_off
from tests.conversations.talk import conversation, huge_talk, say
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


def try_again() -> None:
    DueJob.objects.filter(kind="segments").update(due_at=timezone.now())
    work_off()


def test_the_model_writes_the_text_of_a_new_segment_anew(alice: Actor, provider: ProviderServer) -> None:
    talk = conversation(alice)
    say(alice, talk, *WORDS)
    run_the_job(alice, talk)
    (row,) = segments(alice, talk)
    assert row.text.startswith(BY_MODEL)
    assert row.model not in ("", "offline")
    assert outcomes(alice) == ["ok"]
    run_the_job(alice, talk)
    assert outcomes(alice) == ["ok"]


def test_the_next_level_is_made_of_the_model_s_texts(alice: Actor, provider: ProviderServer) -> None:
    talk = conversation(alice)
    say(alice, talk, *WORDS * 5)
    run_the_job(alice, talk)
    (parent,) = segments(alice, talk, 2)
    assert parent.text.startswith("They talked about 5 things.\n- They talked about 20 things.")
    assert len(outcomes(alice)) == 6


def test_a_text_made_for_a_pack_is_written_anew_too(alice: Actor, provider: ProviderServer) -> None:
    talk = huge_talk(alice, 40)
    assert BY_MODEL not in str(for_pack(alice, talk, before=40))
    try_again()
    assert [row.text.startswith(BY_MODEL) for row in segments(alice, talk)] == [True, True]


def test_a_backlog_stays_as_the_engine_tells_it(alice: Actor, provider: ProviderServer) -> None:
    talk = huge_talk(alice, 400)
    run_the_job(alice, talk)
    assert {row.model for level in (1, 2) for row in segments(alice, talk, level)} == {"offline"}
    assert not provider.requests


def test_the_model_is_asked_for_the_newest_segments_only(
    alice: Actor, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_model_job, "_FOR_MODEL", 3)
    talk = conversation(alice)
    say(alice, talk, *WORDS * 7)
    run_the_job(alice, talk)
    assert [row.model == "offline" for row in segments(alice, talk)] == [True] * 4 + [False] * 3
    assert segments(alice, talk, 2)[0].model == "offline"


def test_when_the_model_fails_the_engine_s_text_stands_and_after_three_tries_it_stays(
    alice: Actor, provider: ProviderServer
) -> None:
    provider.usual = Behaviour("cut")
    talk = conversation(alice)
    say(alice, talk, *WORDS)
    run_the_job(alice, talk)
    job = job_of(talk)
    assert job is not None and (job.attempts, job.last_error) == (1, "ModelError: cut")
    assert "Redis" in segments(alice, talk)[0].text
    for _ in range(MODEL_TRIES):
        try_again()
    assert outcomes(alice) == ["cut"] * MODEL_TRIES
    assert job_of(talk) is None
    (row,) = segments(alice, talk)
    assert (row.model, row.tries_left) == ("offline", 0)
    assert "Redis" in row.text


def test_a_model_that_declines_is_not_asked_again(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour("refusal")
    talk = conversation(alice)
    say(alice, talk, *WORDS)
    run_the_job(alice, talk)
    try_again()
    assert outcomes(alice) == ["refused"]
    assert segments(alice, talk)[0].model == "offline"


def test_what_is_left_out_while_the_model_writes_is_not_told(
    alice: Actor, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = conversation(alice)
    say(alice, talk, "The password is zebra.", *WORDS)
    write, meanwhile = segment_with_model, [lambda: leave_out(alice, talk, 0)]

    def slow(*asked: Any, **how: Any) -> tuple[str, str]:
        text = write(*asked, **how)
        if meanwhile:
            meanwhile.pop()()
        return text

    monkeypatch.setattr(segment_model_job, "segment_with_model", slow)
    run_the_job(alice, talk)
    assert segments(alice, talk)[0].text == ""
    try_again()
    assert segments(alice, talk)[0].text.startswith("They talked about 19 things.")


def test_who_takes_a_message_in_again_soon_pays_nothing(alice: Actor, provider: ProviderServer) -> None:
    talk = conversation(alice)
    say(alice, talk, *WORDS)
    run_the_job(alice, talk)
    before = segments(alice, talk)[0].text
    leave_out(alice, talk, 3)
    try_again()
    leave_out(alice, talk, 3, excluded=False)
    try_again()
    assert segments(alice, talk)[0].text == before
    assert len(outcomes(alice)) == 2


def test_without_automatic_compaction_no_model_is_asked(
    alice: Actor, provider: ProviderServer, settings: Settings
) -> None:
    settings.CONTINUITY_POLICY = replace(Policy(), auto_compact=False)
    talk = conversation(alice)
    say(alice, talk, *WORDS)
    run_the_job(alice, talk)
    assert segments(alice, talk)[0].model == "offline"
    assert not provider.requests
