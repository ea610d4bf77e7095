"""Helpers for budget tests: small calls, the paying workspace, and the day's row and ledger sums."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.llm.budget.rules import Spent
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import CallReport
from apps.llm.models import ModelUsage, SpendDay
from apps.llm.providers.anthropic import AnthropicProvider
from apps.llm.providers.base import ModelRequest, Prompt, Provider, Purpose
from apps.llm.runtime.sync_bridge import run_blocking
from apps.llm.services.provider_stack import Payer, chained
from apps.llm.services.usage_ledger import usage_record
from apps.llm.timeouts import ModelTimes
from tests.llm.conftest import IMPATIENT

MODEL = "claude-haiku-5-5"
ONCE = replace(IMPATIENT, attempts=1, total_s=10, chat_total_s=10, first_byte_s=5, idle_s=5)
PATIENT = replace(ONCE, total_s=120, chat_total_s=120, first_byte_s=120, idle_s=120)
ANSWER_TOKENS = 60


def small(purpose: Purpose = Purpose.COMPACTION, model: str = MODEL) -> ModelRequest:
    return ModelRequest(purpose, model, Prompt("Be brief.", "word " * 80), max_tokens=ANSWER_TOKENS)


def chain(
    adapter: AnthropicProvider, actor: Actor, policy: Policy, times: ModelTimes = ONCE
) -> tuple[Provider, list[CallReport]]:
    return chained(adapter, Payer(actor.workspace_id, policy), times)


def call(
    adapter: AnthropicProvider,
    actor: Actor,
    policy: Policy,
    request: ModelRequest | None = None,
    times: ModelTimes = ONCE,
) -> str:
    """Complete as a worker does, record the usage, and return `ok` or the error's code."""
    request = request or small()
    provider, reports = chain(adapter, actor, policy, times)
    try:
        run_blocking(provider, provider.complete(request))
    except ModelError as error:
        return error.code
    finally:
        record(actor, reports)
    return "ok"


def record(actor: Actor, reports: list[CallReport], conversation_id: UUID | None = None) -> None:
    with workspace(actor.workspace_id):
        usage_record(reports=reports, conversation_id=conversation_id)


def of_day(actor: Actor) -> Spent | None:
    with workspace(actor.workspace_id):
        row = SpendDay.objects.first()
    return Spent(row.tokens, row.cost_micros) if row else None


def of_ledger(actor: Actor) -> Spent:
    with workspace(actor.workspace_id):
        rows = list(ModelUsage.objects.exclude(provider="offline"))
    return Spent(sum(map(tokens_of, rows)), sum(row.cost_micros or 0 for row in rows))


def tokens_of(row: ModelUsage) -> int:
    return row.input_tokens + row.output_tokens + row.cache_read_tokens + row.cache_write_tokens


def adapter_of(url: str, times: ModelTimes = ONCE) -> AnthropicProvider:
    return AnthropicProvider("sk-ant-test", url, times)
