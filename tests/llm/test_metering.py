"""What a call took is known however it ends, and no transaction stays open while a model thinks."""

from __future__ import annotations

from contextlib import aclosing
from uuid import uuid4

import pytest
from django.db import transaction

from apps.accounts.actors import Actor
from apps.common.tenancy import NoWorkspace, workspace
from apps.engine.tokens import count_text
from apps.llm.errors import ModelError
from apps.llm.models import ModelUsage
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import StreamEvent, UsageSource
from apps.llm.providers.metered import CallReport, MeteredProvider, TransactionOpen, require_no_transaction
from apps.llm.providers.offline import OfflineProvider
from apps.llm.providers.retrying import RetryingProvider
from apps.llm.services import usage_record
from tests.llm.conftest import IMPATIENT, events_of, question, run, text_of
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour


@pytest.fixture
def metered(once: AnthropicProvider) -> MeteredProvider:
    return MeteredProvider(once)


def failed_report(metered: MeteredProvider) -> tuple[CallReport, str]:
    seen: list[StreamEvent] = []
    with pytest.raises(ModelError):
        run(metered, events_of(metered, question(), seen))
    (report,) = metered.reports
    return report, text_of(seen)


def test_a_whole_answer_is_reported_as_the_provider_told_it(metered: MeteredProvider) -> None:
    run(metered, metered.complete(question()))
    (report,) = metered.reports
    assert (report.outcome, report.provider, report.model) == ("ok", "anthropic", "claude-test")
    assert report.usage.source is UsageSource.REPORTED
    assert report.first_token_ms is not None
    assert report.first_token_ms <= report.latency_ms


def test_a_cut_answer_is_estimated_from_what_was_said(metered: MeteredProvider, server: ProviderServer) -> None:
    server.script(Behaviour("cut"))
    report, text = failed_report(metered)
    assert (report.outcome, report.usage.source) == ("cut", UsageSource.ESTIMATED)
    assert report.usage.output_tokens == count_text(text)
    assert report.usage.input_tokens > 0


def test_a_call_that_was_refused_at_the_door_took_nothing(metered: MeteredProvider, server: ProviderServer) -> None:
    server.usual = Behaviour("status", status=401)
    report, _ = failed_report(metered)
    assert (report.outcome, report.usage.input_tokens, report.usage.output_tokens) == ("unauthorized", 0, 0)
    assert report.first_token_ms is None


def test_every_attempt_has_a_report_of_its_own(metered: MeteredProvider, server: ProviderServer) -> None:
    server.script(Behaviour("status", status=529), Behaviour("cut", after=0))
    run(metered, RetryingProvider(metered, IMPATIENT).complete(question()))
    first, second, last = metered.reports
    assert (first.outcome, second.outcome, last.outcome) == ("overloaded", "cut", "ok")
    assert first.usage.input_tokens == 0
    assert second.usage.input_tokens == last.usage.input_tokens > 0


def test_an_answer_that_nobody_waits_for_is_cancelled_and_still_counted(metered: MeteredProvider) -> None:
    async def look_away() -> None:
        async with aclosing(metered.stream(question())) as events:
            async for event in events:
                if text_of([event]):
                    return

    run(metered, look_away())
    (report,) = metered.reports
    assert report.outcome == "cancelled"
    assert report.usage.output_tokens > 0


def test_no_model_is_called_inside_a_unit_of_work(alice: Actor) -> None:
    metered = MeteredProvider(OfflineProvider())
    with workspace(alice.workspace_id), pytest.raises(TransactionOpen):
        run(metered, metered.complete(question()))
    run(metered, metered.complete(question()))


@pytest.mark.django_db
def test_no_model_is_called_inside_any_other_transaction() -> None:
    """Asked of the connection of this thread: an event loop has another, where the unit of work itself tells."""
    require_no_transaction()
    with transaction.atomic(), pytest.raises(TransactionOpen):
        require_no_transaction()


def test_the_ledger_keeps_a_row_per_call_and_nothing_that_was_said(
    metered: MeteredProvider, server: ProviderServer, alice: Actor, charlie: Actor
) -> None:
    server.script(Behaviour(), Behaviour("cut"))
    run(metered, metered.complete(question()))
    with pytest.raises(ModelError):
        run(metered, metered.complete(question()))
    conversation = uuid4()
    with workspace(alice.workspace_id):
        usage_record(reports=metered.reports, conversation_id=conversation)
        rows = list(ModelUsage.objects.order_by("id").values())
    assert [(row["outcome"], row["source"]) for row in rows] == [("ok", "reported"), ("cut", "estimated")]
    assert {row["conversation_id"] for row in rows} == {conversation}
    assert "decide" not in str(rows)
    with workspace(charlie.workspace_id):
        assert not ModelUsage.objects.exists()


def test_the_ledger_is_shut_outside_a_unit(metered: MeteredProvider, db: None) -> None:
    run(metered, metered.complete(question()))
    with pytest.raises(NoWorkspace):
        usage_record(reports=metered.reports)
