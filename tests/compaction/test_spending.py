"""Fallback to the engine when no model may be called; the run records the reason."""

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
from apps.compaction.services.summarizer import summarizer_for
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import FIELDS
from apps.jobs.models import DueJob
from apps.llm.errors import ModelError
from apps.llm.middleware.circuit_breaker import FAILURES_IN_A_ROW
from apps.llm.models import ModelSettings, ModelUsage, SpendDay
from apps.llm.providers.anthropic import sdk_load
from apps.llm.runtime.sync_bridge import run_blocking
from tests.compaction.runs import check_invariants, compact, context_of, run_due_jobs, runs_of
from tests.compaction.segments import run_segment_job, segments
from tests.conversations.long_conversations import conversation, long_talk, say
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
    """The budget state, and why the next summary is written without a model."""
    spending = client_of(actor).get("/api/me").json()["spending"]
    return spending["state"], spending["without_model"]


def assert_fallback(actor: Actor, conversation_id: UUID, reason: str) -> CompactionRun:
    """Assert that the only run succeeded on its first attempt and that every API names the fallback reason."""
    (run,) = runs_of(actor, conversation_id)
    assert (run.state, run.model, run.fallback_reason, run.error_code) == ("succeeded", "offline", reason, "")
    assert context_of(actor, conversation_id).version == 1
    check_invariants(actor, conversation_id)
    client = client_of(actor)
    assert (
        client.get(f"/api/conversations/{conversation_id}/compactions").json()["data"][0]["fallback_reason"] == reason
    )
    assert client.get(f"/api/conversations/{conversation_id}/live").json()["compaction"]["fallback_reason"] == reason
    return run


def test_the_engine_compacts_in_no_model_mode(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, model_calls_enabled=False)
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    assert_fallback(alice, conversation_id, "recall_only")
    assert not provider.requests


def test_no_model_is_called_once_the_background_share_is_spent(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, daily_token_ceiling=100_000)
    spend(alice, 90_000)
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    assert_fallback(alice, conversation_id, "ceiling")
    assert not provider.requests
    assert spending_of(alice) == ("background_stopped", "ceiling")


def test_a_small_budget_ceiling_still_allows_a_summary_by_the_model(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, daily_token_ceiling=10_000)
    assert spending_of(alice) == ("open", "")
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.fallback_reason) == ("succeeded", "")
    assert [request.body["max_tokens"] for request in provider.requests] == [3_000]


def test_a_call_that_would_exceed_the_budget_is_reported_before_any_spending(
    alice: Actor, provider: ProviderServer
) -> None:
    policy(alice, daily_token_ceiling=9_000)
    assert spending_of(alice) == ("background_stopped", "ceiling")
    policy(alice, daily_token_ceiling=8_500)
    assert spending_of(alice) == ("stopped", "ceiling")
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    assert_fallback(alice, conversation_id, "ceiling")
    assert not provider.requests


def test_a_model_without_a_known_price_is_reported_everywhere(alice: Actor, provider: ProviderServer) -> None:
    policy(alice, daily_cost_ceiling_cents=100)
    assert spending_of(alice) == ("open", "")
    choose(alice, compaction="claude-unheard-of")
    assert spending_of(alice) == ("background_stopped", "no_price")
    assert "price of the model" in client_of(alice).get("/api/usage").json()["today"]["detail"]
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    assert_fallback(alice, conversation_id, "no_price")
    assert not provider.requests
    choose(alice, chat="claude-unheard-of")
    assert spending_of(alice) == ("no_price", "")
    chosen = client_of(alice).get("/api/models").json()["chosen"]
    assert {one["purpose"]: one["refused"] for one in chosen if one["refused"]} == {"chat": "no_price"}


def test_spending_does_not_change_a_conversation_s_live_state(alice: Actor, provider: ProviderServer) -> None:
    """Spending emits no event, and the state must equal the sum of the events."""
    policy(alice, daily_token_ceiling=100_000)
    conversation_id = long_talk(alice, messages=30, tokens=200)
    client = client_of(alice)
    before = client.get(f"/api/conversations/{conversation_id}/live").json()
    spend(alice, 95_000)
    assert client.get(f"/api/conversations/{conversation_id}/live").json() == before


def test_the_cost_of_a_run_includes_all_attempts(alice: Actor, provider: ProviderServer) -> None:
    provider.script(Behaviour("cut"))
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    (run,) = runs_of(alice, conversation_id)
    assert run.state == "failed"
    first_cost = run.cost
    DueJob.objects.filter(kind="compaction").update(due_at=timezone.now())
    run_due_jobs()
    (run,) = runs_of(alice, conversation_id)
    with workspace(alice.workspace_id):
        micros = [row.cost_micros or 0 for row in ModelUsage.objects.filter(conversation_id=conversation_id)]
    assert (run.state, len(micros)) == ("succeeded", 2)
    assert run.cost == Decimal(sum(micros)) / 1_000_000 > first_cost > 0


def test_the_engine_takes_over_if_the_reservation_fails_during_the_run(alice: Actor, provider: ProviderServer) -> None:
    """Some budget is left, but less than the call may use."""
    policy(alice, daily_token_ceiling=100_000)
    spend(alice, 81_000)
    with workspace(alice.workspace_id):
        assert summarizer_for(attempt=1, live_tokens=0, policy=Policy(daily_token_ceiling=100_000)).chosen is not None
    conversation_id = long_talk(alice, messages=30, tokens=400)
    compact(alice, conversation_id)
    assert_fallback(alice, conversation_id, "ceiling")
    assert not provider.requests
    with workspace(alice.workspace_id):
        assert not ModelUsage.objects.exists()
        assert SpendDay.objects.get().tokens == 81_000


def test_the_engine_takes_over_while_the_circuit_is_open(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour("status", status=529, error_type="overloaded_error")
    model = account_of(alice).chosen.provider
    for _ in range(FAILURES_IN_A_ROW):
        with pytest.raises(ModelError, match="overloaded"):
            run_blocking(model, model.complete(small()))
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    assert_fallback(alice, conversation_id, "resting")
    assert len(provider.requests) == FAILURES_IN_A_ROW


def test_within_the_budget_the_model_writes_and_the_run_has_no_fallback_reason(
    alice: Actor, provider: ProviderServer
) -> None:
    policy(alice, daily_token_ceiling=100_000)
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.fallback_reason) == ("succeeded", "")
    assert run.model != "offline"
    with workspace(alice.workspace_id):
        row = ModelUsage.objects.get()
        assert SpendDay.objects.get().tokens == row.input_tokens + row.output_tokens > 0


def test_failed_and_backlog_are_fallback_reasons_too(alice: Actor, provider: ProviderServer) -> None:
    with workspace(alice.workspace_id):
        assert summarizer_for(attempt=3, live_tokens=0, policy=Policy()).fallback_reason == "failed"
        assert summarizer_for(attempt=1, live_tokens=100_000, policy=Policy()).fallback_reason == "backlog"


@pytest.mark.parametrize("spent", [90_000, 87_000])
def test_segment_texts_are_postponed_for_an_hour_without_using_up_an_attempt(
    alice: Actor, provider: ProviderServer, spent: int
) -> None:
    """Both when the check fails in advance and when the call is refused. The limit may be higher by then."""
    policy(alice, daily_token_ceiling=100_000, min_compaction_tokens=1, **SHORT)
    spend(alice, spent)
    conversation_id = conversation(alice)
    say(alice, conversation_id, *WORDS)
    run_segment_job(alice, conversation_id)
    (row,) = segments(alice, conversation_id)
    assert row.text and row.model == "offline"
    assert row.tries_left == MODEL_TRIES
    job = DueJob.objects.get(kind="segments", key=str(conversation_id))
    assert timedelta(0) < job.due_at - datetime.now(UTC) <= timedelta(hours=1)
    assert (job.attempts, job.last_error) == (0, "")
    assert not provider.requests
    policy(alice, daily_token_ceiling=200_000)
    DueJob.objects.update(due_at=timezone.now())
    run_due_jobs()
    assert segments(alice, conversation_id)[0].model != "offline"
