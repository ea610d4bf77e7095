"""Turns at the daily budget ceiling, and in a workspace in no-model mode."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.common.tenancy import workspace
from apps.llm.models import ModelUsage, SpendDay
from tests.compaction.runs import check_invariants
from tests.conversations.long_conversations import conversation, history
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT
from tests.turns.streams import Talker, ended, events, reply_of, told

pytestmark = pytest.mark.django_db(transaction=True)


def policy(actor: Actor, **overrides: Any) -> None:
    with workspace(actor.workspace_id):
        WorkspacePolicy.objects.update_or_create(defaults={"overrides": overrides})


def spend(actor: Actor, tokens: int) -> None:
    with workspace(actor.workspace_id):
        SpendDay.objects.update_or_create(day=datetime.now(UTC).date(), defaults={"tokens": tokens})


def spent(actor: Actor) -> int:
    with workspace(actor.workspace_id):
        return SpendDay.objects.get().tokens


def test_at_the_budget_ceiling_the_message_is_stored_and_can_be_answered_later(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    policy(alice, daily_token_ceiling=100_000)
    spend(alice, 99_000)
    talk = conversation(alice)
    stream = list(events(talker.turn(talk, "What did we decide?")))
    finished = stream[-1][1]["reply"]
    assert (finished["status"], finished["error_code"]) == ("failed", "ceiling")
    assert "00:00 UTC" in finished["detail"]
    assert history(alice, talk)[0].content == "What did we decide?"
    assert not provider.requests
    assert spent(alice) == 99_000
    assert talker.ask("GET", f"/conversations/{talk}/context")[0] == 200
    policy(alice, daily_token_ceiling=200_000)
    list(events(talker.open("POST", f"/conversations/{talk}/turns/retry")))
    assert ended(alice, talk) == ("complete", "")
    check_invariants(alice, talk)


def test_below_the_ceiling_the_reservation_is_settled_with_the_reply(alice: Actor, talker: Talker) -> None:
    policy(alice, daily_token_ceiling=100_000)
    talk = conversation(alice)
    assert told(list(events(talker.turn(talk, "Hello")))) == DEFAULT_TEXT
    with workspace(alice.workspace_id):
        row = ModelUsage.objects.get()
    assert spent(alice) == row.input_tokens + row.output_tokens + row.cache_read_tokens + row.cache_write_tokens
    assert row.cost_micros is not None


def test_a_workspace_that_only_recalls_answers_from_what_it_knows(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    policy(alice, model_calls_enabled=False)
    talk = conversation(alice, system_prompt="Be short.")
    stream = list(events(talker.turn(talk, "We decided to use PostgreSQL.")))
    assert stream[-1][1]["reply"]["status"] == "complete"
    assert told(stream) == reply_of(alice, talk).content != DEFAULT_TEXT
    assert not provider.requests
    with workspace(alice.workspace_id):
        row = ModelUsage.objects.get()
        assert not SpendDay.objects.exists()
    assert (row.provider, row.model) == ("offline", "offline")
    assert talker.ask("GET", f"/conversations/{talk}/context")[0] == 200
    assert talker.ask("GET", "/me")[1]["spending"]["state"] == "recall_only"
