"""Billed answers survive a short database outage."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.summarizers.model import summarize_with_model
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import RollingSummary
from apps.llm.models import ModelUsage, RejectedAnswer
from config.stack.postgres import APPLICATION
from tests.llm.conftest import account_of, said
from tests.llm.spending import of_day, of_ledger
from tests.processes import eventually
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour
from tests.stack_fixtures import Connection

pytestmark = pytest.mark.django_db(transaction=True)

_END_ALL = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s"
MESSAGES = [said(number, f"Message {number} talks about the invoices at some length. " * 20) for number in range(20)]


def test_an_answer_is_recorded_after_a_lost_database_connection(
    configured: ProviderServer, alice: Actor, superuser_connection: Connection
) -> None:
    configured.script(Behaviour("wrong_schema"), Behaviour(piece_s=0.02))
    account = account_of(alice)
    assert connection.connection is not None

    def end_all() -> None:
        assert eventually(lambda: len(configured.requests) == 2)
        superuser_connection.execute(_END_ALL, [APPLICATION])

    ending = threading.Thread(target=end_all)
    ending.start()
    summary = summarize_with_model(RollingSummary(), MESSAGES, Level.LIGHT, Policy(), account=account)
    ending.join(10)
    assert summary.notes.summary.requirements
    with workspace(alice.workspace_id):
        assert [row.outcome for row in ModelUsage.objects.all()] == ["ok", "ok"]
        assert RejectedAnswer.objects.count() == 1
    assert of_day(alice) == of_ledger(alice)
