"""Metering of every attempt, however it ends, and no open transaction during a call."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import transaction

from apps.accounts.actors import Actor
from apps.common.tenancy import NoWorkspace, workspace
from apps.compaction.summarizers.schema import SummaryAnswer
from apps.engine.tokens.counting import count_text
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import CallReport, MeteredProvider, TransactionOpen, require_no_transaction
from apps.llm.middleware.retry import RetryingProvider
from apps.llm.models import ModelUsage
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import StreamEvent, UsageSource
from apps.llm.providers.offline import OfflineProvider
from apps.llm.providers.openai import OpenAIProvider
from apps.llm.routing.providers import provider_spec
from apps.llm.services.usage_ledger import usage_record
from tests.llm.conftest import IMPATIENT, KEY, events_of, question, run, text_of
from tests.providers import openai_server
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

OPENAI = provider_spec("openai").dialect


@pytest.fixture
def metered(once: AnthropicProvider) -> MeteredProvider:
    return MeteredProvider(once)


def failed_report(metered: MeteredProvider) -> tuple[CallReport, str]:
    seen: list[StreamEvent] = []
    with pytest.raises(ModelError):
        run(metered, events_of(metered, question(), seen))
    (report,) = metered.reports
    return report, text_of(seen)


def test_a_complete_answer_has_the_provider_s_usage(metered: MeteredProvider) -> None:
    run(metered, metered.complete(question()))
    (report,) = metered.reports
    assert (report.outcome, report.provider, report.model) == ("ok", "anthropic", "claude-test")
    assert report.usage.source is UsageSource.REPORTED
    assert report.first_token_ms is not None
    assert report.first_token_ms <= report.latency_ms


def test_the_usage_of_a_cut_answer_is_estimated_from_its_text(metered: MeteredProvider, server: ProviderServer) -> None:
    server.script(Behaviour("cut"))
    report, text = failed_report(metered)
    assert (report.outcome, report.usage.source) == ("cut", UsageSource.ESTIMATED)
    assert report.usage.output_tokens == count_text(text)
    assert report.usage.input_tokens > 0


def test_a_call_rejected_before_the_prompt_was_read_used_nothing(
    metered: MeteredProvider, server: ProviderServer
) -> None:
    server.usual = Behaviour("status", status=401)
    report, _ = failed_report(metered)
    assert (report.outcome, report.usage.input_tokens, report.usage.output_tokens) == ("unauthorized", 0, 0)
    assert report.first_token_ms is None


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour("hang"),
        Behaviour("cut", after=0),
        Behaviour("in_band", after=0, error_type="overloaded_error"),
        Behaviour("page"),
        Behaviour("reset_at_once"),
        Behaviour("status", status=502),
    ],
    ids=lambda behaviour: behaviour.kind,
)
def test_a_prompt_that_may_have_been_read_counts_without_an_answer(behaviour: Behaviour) -> None:
    with openai_server.running_server() as server:
        server.usual = behaviour
        metered = MeteredProvider(OpenAIProvider("openai", KEY, f"{server.url}/v1", IMPATIENT, OPENAI))
        report, text = failed_report(metered)
    assert (text, report.usage.source) == ("", UsageSource.ESTIMATED)
    assert report.usage.input_tokens == question().prompt.total_tokens  # type: ignore[union-attr]  # it is a pack


@pytest.mark.parametrize("status", [400, 404, 413, 429, 529])
def test_a_rejected_call_counts_no_tokens(metered: MeteredProvider, server: ProviderServer, status: int) -> None:
    server.usual = Behaviour("status", status=status)
    assert failed_report(metered)[0].usage.input_tokens == 0


def test_a_call_without_a_connection_counts_no_tokens() -> None:
    metered = MeteredProvider(AnthropicProvider(KEY, "http://127.0.0.1:9", IMPATIENT))
    report, _ = failed_report(metered)
    assert (report.outcome, report.usage.input_tokens) == ("unavailable", 0)


def test_a_call_cancelled_before_its_first_text_counts_its_prompt(
    metered: MeteredProvider, server: ProviderServer
) -> None:
    server.usual = Behaviour("hang")

    async def stop() -> None:
        task = asyncio.create_task(metered.complete(question()))
        while not server.open_streams:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait({task})

    run(metered, stop())
    (report,) = metered.reports
    assert report.outcome == "cancelled"
    assert report.usage.input_tokens > 0


def test_an_endless_answer_is_ended_at_its_limit(metered: MeteredProvider, server: ProviderServer) -> None:
    server.usual = Behaviour(text="word " * 3_000)
    request = replace(question(), max_tokens=50)
    answer = run(metered, metered.complete(request))
    assert answer.stop_reason == "max_tokens"
    assert 0 < len(answer.text) <= 8 * 50
    (report,) = metered.reports
    assert (report.outcome, report.usage.source) == ("max_tokens", UsageSource.ESTIMATED)
    assert report.usage.input_tokens > 0
    with pytest.raises(ModelError, match="longer than allowed"):
        run(metered, metered.complete_structured(request, SummaryAnswer))


def test_every_attempt_has_its_own_report(metered: MeteredProvider, server: ProviderServer) -> None:
    server.script(Behaviour("status", status=529), Behaviour("cut", after=0))
    run(metered, RetryingProvider(metered, IMPATIENT).complete(question()))
    first, second, last = metered.reports
    assert (first.outcome, second.outcome, last.outcome) == ("overloaded", "cut", "ok")
    assert first.usage.input_tokens == 0
    assert second.usage.input_tokens == last.usage.input_tokens > 0


def test_an_abandoned_answer_is_cancelled_and_counted(metered: MeteredProvider) -> None:
    async def cancel_early() -> None:
        async with aclosing(metered.stream(question())) as events:
            async for event in events:
                if text_of([event]):
                    return

    run(metered, cancel_early())
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
    """Return whether this thread's connection is in a transaction; for an event loop the unit of work decides."""
    require_no_transaction()
    with transaction.atomic(), pytest.raises(TransactionOpen):
        require_no_transaction()


def test_the_ledger_has_a_row_per_call_and_no_content(
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


def test_the_ledger_cannot_be_written_outside_a_unit_of_work(metered: MeteredProvider, db: None) -> None:
    run(metered, metered.complete(question()))
    with pytest.raises(NoWorkspace):
        usage_record(reports=metered.reports)
