"""Model usage and cost by day, purpose and model, and the budget status."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace, WorkspacePolicy
from apps.common.tenancy import workspace
from apps.llm.models import ModelUsage, SpendDay
from tests.people import client_of, key_client_of, person

pytestmark = pytest.mark.django_db


def used(actor: Actor, *, days_ago: int = 0, **fields: Any) -> None:
    whole: dict[str, Any] = {
        "purpose": "chat",
        "provider": "anthropic",
        "model": "claude-sonnet-5-5",
        "input_tokens": 100,
        "output_tokens": 10,
        "cache_read_tokens": 1_000,
        "cache_write_tokens": 50,
        "source": "reported",
        "cost_micros": 600,
        "latency_ms": 900,
        "outcome": "ok",
        **fields,
    }
    with workspace(actor.workspace_id):
        row = ModelUsage.objects.create(**whole)
        ModelUsage.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(days=days_ago))


def policy(actor: Actor, **overrides: Any) -> None:
    with workspace(actor.workspace_id):
        WorkspacePolicy.objects.update_or_create(defaults={"overrides": overrides})


def spent(actor: Actor, tokens: int, cost_micros: int = 0) -> None:
    with workspace(actor.workspace_id):
        SpendDay.objects.create(day=datetime.now(UTC).date(), tokens=tokens, cost_micros=cost_micros)


def usage(actor: Actor, **query: Any) -> dict[str, Any]:
    answer = client_of(actor).get("/api/usage", query)
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_every_day_is_listed_including_days_without_calls(alice: Actor) -> None:
    used(alice)
    used(alice, outcome="cut", source="estimated")
    used(alice, days_ago=2, purpose="compaction", model="claude-haiku-5-5", cost_micros=5)
    used(alice, days_ago=2, purpose="embedding", provider="openai", model="text-embedding-test", cost_micros=1)
    used(alice, days_ago=40)
    body = usage(alice, days=3)
    assert [(day["calls"], day["failed"], day["tokens"]) for day in body["days"]] == [
        (2, 0, 2_320),
        (0, 0, 0),
        (2, 1, 2_320),
    ]
    today = body["days"][-1]
    assert today == {
        "day": body["today"]["day"],
        "input_tokens": 200,
        "output_tokens": 20,
        "cache_read_tokens": 2_000,
        "cache_write_tokens": 100,
        "tokens": 2_320,
        "cost_micros": 1_200,
        "calls": 2,
        "failed": 1,
    }
    assert [(one["purpose"], one["calls"]) for one in body["by_purpose"]] == [
        ("chat", 2),
        ("compaction", 1),
        ("embedding", 1),
    ]
    first, second, _ = body["by_model"]
    assert (first["provider"], first["model"], first["estimated_calls"]) == ("anthropic", "claude-sonnet-5-5", 1)
    assert (second["model"], second["cost_micros"]) == ("claude-haiku-5-5", 5)
    assert len(usage(alice)["days"]) == 30


def test_calls_without_a_known_price_are_counted_separately(alice: Actor) -> None:
    used(alice, provider="compatible", model="house-llm", cost_micros=None)
    used(alice)
    body = usage(alice)
    assert body["unpriced_calls"] == 1
    assert body["days"][-1]["cost_micros"] == 600
    assert {one["model"]: one["unpriced_calls"] for one in body["by_model"]} == {"claude-sonnet-5-5": 0, "house-llm": 1}
    assert body["prices_as_of"] >= "2026-11-21"


def test_replies_without_a_model_do_not_count_as_usage(alice: Actor) -> None:
    used(alice, provider="offline", model="offline", cost_micros=0)
    body = usage(alice)
    assert (body["by_model"], body["by_purpose"], body["days"][-1]["calls"]) == ([], [], 0)


def test_calls_of_another_workspace_are_not_included(alice: Actor, charlie: Actor) -> None:
    used(charlie)
    spent(charlie, 5)
    body = usage(alice)
    assert body["by_model"] == []
    assert body["today"]["tokens"] == 0


@pytest.mark.parametrize(
    ("role", "status"),
    [("owner", 200), ("admin", 200), ("curator", 200), ("auditor", 200), ("member", 403), ("viewer", 403)],
)
def test_only_roles_with_the_permission_see_the_usage(acme: Workspace, role: str, status: int) -> None:
    dora = person("Dora", acme, Role(role))
    assert client_of(dora).get("/api/usage").status_code == status
    assert key_client_of(dora, "read").get("/api/usage").status_code == status


@pytest.mark.parametrize("days", ["0", "93", "-1", "x", "1.5"])
def test_an_invalid_number_of_days_is_rejected_with_a_pointer(alice: Actor, days: str) -> None:
    answer = client_of(alice).get("/api/usage", {"days": days})
    assert answer.status_code == 400
    assert "days" in answer.json()["errors"][0]["pointer"]


def test_an_unknown_parameter_is_rejected(alice: Actor) -> None:
    assert client_of(alice).get("/api/usage", {"day": "3"}).status_code == 400


@pytest.mark.parametrize(
    ("thousands", "state"), [(799, "open"), (800, "warning"), (900, "background_stopped"), (1_000, "stopped")]
)
def test_today_contains_the_budget_state(alice: Actor, bob: Actor, thousands: int, state: str) -> None:
    policy(alice, daily_token_ceiling=1_000_000, daily_cost_ceiling_cents=100)
    spent(alice, thousands * 1_000, cost_micros=7)
    today = usage(alice)["today"]
    assert (today["state"], today["tokens"], today["cost_micros"]) == (state, thousands * 1_000, 7)
    assert (today["token_ceiling"], today["cost_ceiling_micros"]) == (1_000_000, 1_000_000)
    assert today["without_model"] == ("ceiling" if thousands >= 900 else "")
    assert (today["warning_percent"], today["background_percent"]) == (80, 90)
    assert bool(today["detail"]) == (state != "open")
    assert "T00:00:00" in today["resets_at"]
    me = client_of(bob).get("/api/me").json()
    assert me["spending"] == {name: today[name] for name in ("state", "detail", "without_model", "resets_at")}


def test_a_cost_ceiling_alone_stops_calls(alice: Actor) -> None:
    policy(alice, daily_cost_ceiling_cents=1)
    spent(alice, 1, cost_micros=10_000)
    assert usage(alice)["today"]["state"] == "stopped"


def test_no_model_mode_is_visible_to_every_member(alice: Actor, bob: Actor) -> None:
    policy(alice, model_calls_enabled=False)
    assert usage(alice)["today"]["state"] == "recall_only"
    spending = client_of(bob).get("/api/me").json()["spending"]
    assert (spending["state"], bool(spending["detail"])) == ("recall_only", True)


def test_the_installation_s_ceiling_applies_to_every_workspace(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, daily_token_ceiling=10)
    spent(alice, 10)
    assert usage(alice)["today"]["state"] == "stopped"


def test_the_overview_makes_the_same_queries_for_any_number_of_days(alice: Actor) -> None:
    for days_ago in range(20):
        used(alice, days_ago=days_ago, model=f"model-{days_ago}")
    client = client_of(alice)
    client.get("/api/usage")
    counts = []
    for days in (1, 30):
        with CaptureQueriesContext(connection) as reads:
            assert client.get("/api/usage", {"days": days}).status_code == 200
        counts.append(sum("llm_" in read["sql"] for read in reads))
    assert counts == [2, 2]


def test_the_current_user_costs_no_extra_query_without_a_ceiling(alice: Actor) -> None:
    client = client_of(alice)
    with CaptureQueriesContext(connection) as reads:
        client.get("/api/me")
    assert not any("llm_spendday" in read["sql"] for read in reads)
