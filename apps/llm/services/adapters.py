"""Adapters of the model providers: one per key and address, with SDKs imported ahead of the first call."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings

from apps.llm.providers.anthropic import AnthropicProvider, sdk_load
from apps.llm.providers.base import Provider
from apps.llm.providers.claude_cli import ClaudeCliProvider
from apps.llm.providers.offline import OfflineProvider
from apps.llm.providers.openai import OpenAIProvider
from apps.llm.providers.openai import sdk_load as openai_load
from apps.llm.routing.providers import Adapter, ProviderSpec, provider_specs
from apps.llm.selectors.provider_availability import installation_key
from apps.llm.timeouts import ModelTimes

_ADAPTER_LIMIT = 128


def providers_load() -> None:
    """Import the SDKs of providers that have a key, so that the first call does not wait for the import."""
    adapters = {spec.adapter for spec in provider_specs() if spec.takes_key and installation_key(spec.id)[1]}
    if Adapter.ANTHROPIC in adapters:
        sdk_load()
    if Adapter.OPENAI in adapters:
        openai_load()


@lru_cache(maxsize=_ADAPTER_LIMIT)
def adapter_for(spec: ProviderSpec, key: str, address: str, times: ModelTimes) -> Provider:
    """The adapter shared by all calls with the same key and address, so that connections are reused."""
    match spec.adapter:
        case Adapter.OFFLINE:
            return OfflineProvider()
        case Adapter.CLAUDE_CLI:
            return ClaudeCliProvider(settings.CLAUDE_COMMAND, times, settings.CLAUDE_ACCOUNT)
        case Adapter.ANTHROPIC:
            return AnthropicProvider(key, address, times, name=spec.id)
        case Adapter.OPENAI:
            return OpenAIProvider(spec.id, key, f"{address}{spec.api_path}", times, spec.dialect)
