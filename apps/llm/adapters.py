"""Adapters of the model providers: created once for each key and address, loaded before the first call."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings

from apps.llm.backends import Backend
from apps.llm.catalogue import DIALECTS
from apps.llm.providers.anthropic import AnthropicProvider, sdk_load
from apps.llm.providers.base import Provider
from apps.llm.providers.claude_cli import ClaudeCliProvider
from apps.llm.providers.offline import OfflineProvider
from apps.llm.providers.openai import OpenAIProvider
from apps.llm.providers.openai import sdk_load as openai_load
from apps.llm.selectors.surroundings import installation_key
from apps.llm.times import ModelTimes

_MOST_ADAPTERS = 128


def providers_load() -> None:
    """Import what the first call would wait a second for; nothing where no model is configured."""
    if installation_key(Backend.ANTHROPIC)[1]:
        sdk_load()
    if any(installation_key(backend)[1] for backend in (Backend.GEMINI, Backend.OPENROUTER, Backend.OPENAI)):
        openai_load()


@lru_cache(maxsize=_MOST_ADAPTERS)
def adapter_for(backend: Backend, key: str, address: str, times: ModelTimes) -> Provider:
    """One for all calls with the same key, so that connections are used again."""
    match backend:
        case Backend.OFFLINE:
            return OfflineProvider()
        case Backend.CLAUDE_CLI:
            return ClaudeCliProvider(settings.CLAUDE_COMMAND, times, settings.CLAUDE_ACCOUNT)
        case Backend.ANTHROPIC:
            return AnthropicProvider(key, address, times)
        case Backend.OLLAMA:
            address = f"{address}/v1"
    return OpenAIProvider(backend.value, key, address, times, DIALECTS[backend])
