"""Where no model may be asked the engine writes the summary in the same run, and the run says why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import cache
from pydantic import SecretStr
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun
from apps.compaction.services.segments import MODEL_TRIES
from apps.compaction.services.summarising import summariser_for
from apps.engine.policy import Policy
from apps.jobs.models import DueJob
from apps.llm.blocking import run_blocking
from apps.llm.errors import ModelError
from apps.llm.models import ModelUsage, SpendDay
from apps.llm.providers.anthropic import sdk_load
from apps.llm.providers.breaking import FAILURES_IN_A_ROW
from tests.compaction.segments import run_the_job, segments
from tests.compaction.work import check_invariants, compact, context_of, runs_of
from tests.conversations.talk import conversation, long_talk, say
from tests.llm.conftest import account_of
from tests.llm.spending import small
from tests.people import client_of
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import Behaviour

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = ["We agreed on Redis."] * 20


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def provider(server: ProviderServer, settings: Settings) -> ProviderServer:
    sdk_load()
    server.reset()
    cache.clear()
    settings.ANTHROPIC_API_KEY = SecretStr("sk-test")
    settings.ANTHROPIC_BASE_URL = server.url
    settings.MODEL_TIMES = replace(settings.MODEL_TIMES, first_byte_s=1, idle_s=1, total_s=5, attempts=1)
    server.scripts_stretches = True
    return server


def policy(actor: Actor, **overrides: Any) -> None:
    with workspace(actor.workspace_id):
        WorkspacePolicy.objects.update_or_create(defaults={"overrides": overrides})


def spend(actor: Actor, tokens: int) -> None:
    with workspace(actor.workspace_id):
        SpendDay.objects.create(day=datetime.now(UTC).date(), tokens=tokens)


def fell_back(actor: Actor, talk: UUID, because: str) -> CompactionRun:
    """The one run, which succeeded at the first try, and says so wherever somebody looks."""
    (run,) = runs_of(actor, talk)
    assert (run.state, run.model, run.fell_back, run.error_code) == ("succeeded", "offline", because, "")
    assert context_of(actor, talk).version == 1
    check_invariants(actor, talk)
    client = client_of(actor)
    assert client.get(f"/api/conversations/{talk}/compactions").json()["data"][0]["fell_back"] == because
    assert client.get(f"/api/conversations/{talk}/live").json()["compaction"]["fell_back"] == because
    return run


def test_a_workspace_that_only_recalls_is_compacted_by_the_engine(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, model_calls_enabled=False)
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    fell_back(alice, talk, "recall_only")
    assert not provider.requests


def test_with_the_background_s_share_used_up_no_model_is_asked(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, daily_token_ceiling=100_000)
    spend(alice, 90_000)
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    fell_back(alice, talk, "ceiling")
    assert not provider.requests
    health = client_of(alice).get(f"/api/conversations/{talk}/live").json()["health"]
    assert health["without_model"] == "ceiling"


def test_a_model_that_is_refused_in_the_middle_leaves_the_run_to_the_engine(
    alice: Actor, provider: ProviderServer
) -> None:
    """There is something left, but less than the call may take."""
    policy(alice, daily_token_ceiling=100_000)
    spend(alice, 89_000)
    with workspace(alice.workspace_id):
        assert summariser_for(attempt=1, live_tokens=0, policy=Policy(daily_token_ceiling=100_000)).chosen is not None
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    fell_back(alice, talk, "ceiling")
    assert not provider.requests
    with workspace(alice.workspace_id):
        assert not ModelUsage.objects.exists()
        assert SpendDay.objects.get().tokens == 89_000


def test_a_resting_provider_leaves_the_run_to_the_engine(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour("status", status=529, error_type="overloaded_error")
    model = account_of(alice).chosen.provider
    for _ in range(FAILURES_IN_A_ROW):
        with pytest.raises(ModelError, match="overloaded"):
            run_blocking(model, model.complete(small()))
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    fell_back(alice, talk, "resting")
    assert len(provider.requests) == FAILURES_IN_A_ROW


def test_with_room_left_the_model_writes_and_the_run_has_no_mark(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, daily_token_ceiling=100_000)
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    (run,) = runs_of(alice, talk)
    assert (run.state, run.fell_back) == ("succeeded", "")
    assert run.model != "offline"
    with workspace(alice.workspace_id):
        row = ModelUsage.objects.get()
        assert SpendDay.objects.get().tokens == row.input_tokens + row.output_tokens > 0


def test_the_other_reasons_have_their_marks_too(alice: Actor, provider: ProviderServer) -> None:
    with workspace(alice.workspace_id):
        assert summariser_for(attempt=3, live_tokens=0, policy=Policy()).fell_back == "failed"
        assert summariser_for(attempt=1, live_tokens=100_000, policy=Policy()).fell_back == "backlog"


@pytest.mark.parametrize("spent", [90_000, 89_900])
def test_texts_of_segments_wait_for_tomorrow_and_lose_no_try(
    alice: Actor, provider: ProviderServer, spent: int
) -> None:
    """Whether that is known before, or the call is refused."""
    policy(alice, daily_token_ceiling=100_000)
    spend(alice, spent)
    talk = conversation(alice)
    say(alice, talk, *WORDS)
    run_the_job(alice, talk)
    (row,) = segments(alice, talk)
    assert row.text and row.model == "offline"
    assert row.tries_left == MODEL_TRIES
    job = DueJob.objects.get(kind="segments", key=str(talk))
    assert job.due_at.date() > datetime.now(UTC).date()
    assert (job.attempts, job.last_error) == (0, "")
    assert not provider.requests
