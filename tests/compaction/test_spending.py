"""Where no model may be asked the engine writes the summary in the same run, and the run says why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import cache
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun
from apps.compaction.services.segments import MODEL_TRIES
from apps.compaction.services.summarizer import summariser_for
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import FIELDS
from apps.jobs.models import DueJob
from apps.llm.errors import ModelError
from apps.llm.middleware.circuit_breaker import FAILURES_IN_A_ROW
from apps.llm.models import ModelSettings, ModelUsage, SpendDay
from apps.llm.providers.anthropic import sdk_load
from apps.llm.runtime.sync_bridge import run_blocking
from tests.compaction.segments import run_the_job, segments
from tests.compaction.work import check_invariants, compact, context_of, runs_of, work_off
from tests.conversations.talk import conversation, long_talk, say
from tests.llm.conftest import account_of
from tests.llm.spending import small
from tests.people import client_of
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = ["We agreed on Redis."] * 20
SHORT = {f"max_{field}": 1 for field in FIELDS}


@pytest.fixture
def provider(provider: ProviderServer) -> ProviderServer:
    sdk_load()
    cache.clear()
    provider.scripts_stretches = True
    return provider


def policy(actor: Actor, **overrides: Any) -> None:
    with workspace(actor.workspace_id):
        WorkspacePolicy.objects.update_or_create(defaults={"overrides": overrides})


def spend(actor: Actor, tokens: int) -> None:
    with workspace(actor.workspace_id):
        SpendDay.objects.create(day=datetime.now(UTC).date(), tokens=tokens)


def choose(actor: Actor, **models: str) -> None:
    with workspace(actor.workspace_id):
        ModelSettings.objects.update_or_create(defaults={"by_purpose": models})


def spending_of(actor: Actor) -> tuple[str, str]:
    """How it stands, and why the next summary is made without a model."""
    spending = client_of(actor).get("/api/me").json()["spending"]
    return spending["state"], spending["without_model"]


def fell_back(actor: Actor, talk: UUID, reason: str) -> CompactionRun:
    """The one run, which succeeded at the first try, and says so wherever somebody looks."""
    (run,) = runs_of(actor, talk)
    assert (run.state, run.model, run.fell_back, run.error_code) == ("succeeded", "offline", reason, "")
    assert context_of(actor, talk).version == 1
    check_invariants(actor, talk)
    client = client_of(actor)
    assert client.get(f"/api/conversations/{talk}/compactions").json()["data"][0]["fell_back"] == reason
    assert client.get(f"/api/conversations/{talk}/live").json()["compaction"]["fell_back"] == reason
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
    assert spending_of(alice) == ("background_stopped", "ceiling")


def test_with_a_small_ceiling_the_model_summarises_and_nothing_is_stopped(
    alice: Actor, provider: ProviderServer
) -> None:
    policy(alice, daily_token_ceiling=10_000)
    assert spending_of(alice) == ("open", "")
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    (run,) = runs_of(alice, talk)
    assert (run.state, run.fell_back) == ("succeeded", "")
    assert [request.body["max_tokens"] for request in provider.requests] == [3_000]


def test_what_would_be_refused_is_told_before_anything_was_spent(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, daily_token_ceiling=9_000)
    assert spending_of(alice) == ("background_stopped", "ceiling")
    policy(alice, daily_token_ceiling=8_500)
    assert spending_of(alice) == ("stopped", "ceiling")
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    fell_back(alice, talk, "ceiling")
    assert not provider.requests


def test_a_model_that_nobody_knows_the_price_of_is_told_wherever_somebody_looks(
    alice: Actor, provider: ProviderServer
) -> None:
    policy(alice, daily_cost_ceiling_cents=100)
    assert spending_of(alice) == ("open", "")
    choose(alice, compaction="claude-unheard-of")
    assert spending_of(alice) == ("background_stopped", "no_price")
    assert "price of the model" in client_of(alice).get("/api/usage").json()["today"]["detail"]
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    fell_back(alice, talk, "no_price")
    assert not provider.requests
    choose(alice, chat="claude-unheard-of")
    assert spending_of(alice) == ("no_price", "")
    chosen = client_of(alice).get("/api/models").json()["chosen"]
    assert {one["purpose"]: one["refused"] for one in chosen if one["refused"]} == {"chat": "no_price"}


def test_what_was_spent_changes_nothing_of_a_conversation_s_live_state(alice: Actor, provider: ProviderServer) -> None:
    """There is no event of it, and the state must be what the events make of it."""
    policy(alice, daily_token_ceiling=100_000)
    talk = long_talk(alice, messages=30, tokens=200)
    client = client_of(alice)
    before = client.get(f"/api/conversations/{talk}/live").json()
    spend(alice, 95_000)
    assert client.get(f"/api/conversations/{talk}/live").json() == before


def test_a_run_costs_what_all_of_its_attempts_did(alice: Actor, provider: ProviderServer) -> None:
    provider.script(Behaviour("cut"))
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    (run,) = runs_of(alice, talk)
    assert run.state == "failed"
    first = run.cost
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    work_off()
    (run,) = runs_of(alice, talk)
    with workspace(alice.workspace_id):
        micros = [row.cost_micros or 0 for row in ModelUsage.objects.filter(conversation_id=talk)]
    assert (run.state, len(micros)) == ("succeeded", 2)
    assert run.cost == Decimal(sum(micros)) / 1_000_000 > first > 0


def test_a_model_that_is_refused_in_the_middle_leaves_the_run_to_the_engine(
    alice: Actor, provider: ProviderServer
) -> None:
    """There is something left, but less than the call may take."""
    policy(alice, daily_token_ceiling=100_000)
    spend(alice, 81_000)
    with workspace(alice.workspace_id):
        assert summariser_for(attempt=1, live_tokens=0, policy=Policy(daily_token_ceiling=100_000)).chosen is not None
    talk = long_talk(alice, messages=30, tokens=400)
    compact(alice, talk)
    fell_back(alice, talk, "ceiling")
    assert not provider.requests
    with workspace(alice.workspace_id):
        assert not ModelUsage.objects.exists()
        assert SpendDay.objects.get().tokens == 81_000


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


@pytest.mark.parametrize("spent", [90_000, 87_000])
def test_texts_of_segments_wait_an_hour_and_lose_no_try(alice: Actor, provider: ProviderServer, spent: int) -> None:
    """Whether that is known before, or the call is refused. By then the limit may be a higher one."""
    policy(alice, daily_token_ceiling=100_000, min_compaction_tokens=1, **SHORT)
    spend(alice, spent)
    talk = conversation(alice)
    say(alice, talk, *WORDS)
    run_the_job(alice, talk)
    (row,) = segments(alice, talk)
    assert row.text and row.model == "offline"
    assert row.tries_left == MODEL_TRIES
    job = DueJob.objects.get(kind="segments", key=str(talk))
    assert timedelta(0) < job.due_at - datetime.now(UTC) <= timedelta(hours=1)
    assert (job.attempts, job.last_error) == (0, "")
    assert not provider.requests
    policy(alice, daily_token_ceiling=200_000)
    DueJob.objects.update(due_at=timezone.now())
    work_off()
    assert segments(alice, talk)[0].model != "offline"
