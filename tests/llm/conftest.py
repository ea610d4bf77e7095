"""Fixtures: a provider server per test, and providers with short timeouts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import aclosing
from typing import Any, TypeVar

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.messages.message import Message, Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import ContextPack, PackSources
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.tokens.estimate import estimate_message
from apps.llm.middleware.retry import RetryingProvider
from apps.llm.providers.anthropic import AnthropicProvider, sdk_load
from apps.llm.providers.base import ModelRequest, Provider, Purpose, StreamEvent, TextDelta
from apps.llm.services.background_call import CallAccount
from apps.llm.services.registry import provider_for
from apps.llm.timeouts import ModelTimes
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.environment import set_provider_variables

T = TypeVar("T")

KEY = "sk-ant-test-0123456789-never-in-a-log"
IMPATIENT = ModelTimes(
    # As long as a busy machine may take for an answer that comes.
    connect_s=2,
    first_byte_s=1.2,
    idle_s=1.2,
    total_s=6,
    chat_total_s=6,
    attempts=3,
    retry_first_s=0.01,
    longest_wait_s=0.2,
)


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    # Short timeouts must not include the first import of the SDK.
    sdk_load()
    with running_server() as running:
        yield running


@pytest.fixture
def once(server: ProviderServer) -> AnthropicProvider:
    """A provider without retries."""
    return AnthropicProvider(KEY, server.url, IMPATIENT)


@pytest.fixture
def provider(once: AnthropicProvider) -> Provider:
    """A provider with retries, as in production."""
    return RetryingProvider(once, IMPATIENT)


@pytest.fixture
def configured(server: ProviderServer, settings: Settings) -> ProviderServer:
    """An installation whose environment names the server and a key."""
    set_provider_variables(settings, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=server.url)
    settings.MODEL_TIMES = IMPATIENT
    return server


def said(number: int, text: str, role: Role = Role.USER) -> Message:
    return Message(f"id-{number}", number, role, text, estimate_message(text))


def pack_of(*messages: Message, summary: RollingSummary | None = None, **sources: Any) -> ContextPack:
    whole: dict[str, Any] = {"system_prompt": "Be brief.", "user_memory": (), "pins": (), **sources}
    return build_pack(PackSources(summary=summary or RollingSummary(), newest=messages, **whole), 12_000, Policy())


def question(text: str = "What did we decide?") -> ModelRequest:
    return ModelRequest(Purpose.CHAT, "claude-test", pack_of(said(0, text)), max_tokens=500)


async def events_of(
    provider: Provider, request: ModelRequest, into: list[StreamEvent] | None = None
) -> list[StreamEvent]:
    """All events of a stream; on an error, `into` has those before it."""
    seen = into if into is not None else []
    async with aclosing(provider.stream(request)) as events:
        async for event in events:
            seen.append(event)
    return seen


def text_of(events: list[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def run(provider: Provider, work: Coroutine[Any, Any, T]) -> T:
    """`run_blocking` with a timeout, so that a test cannot hang."""

    async def whole() -> T:
        try:
            return await asyncio.wait_for(work, 60)
        finally:
            await provider.aclose()

    return asyncio.run(whole())


def account_of(actor: Actor, policy: Policy | None = None) -> CallAccount:
    """An account for background calls; the actor's id serves as the conversation id."""
    with workspace(actor.workspace_id):
        chosen = provider_for(Purpose.COMPACTION, policy or Policy())
    return CallAccount(chosen, actor.workspace_id, actor.user_id)
