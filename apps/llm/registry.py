"""Which model serves which purpose. The environment decides; with no key in it, the offline provider answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.conf import settings

from apps.llm.providers.anthropic import OFFICIAL_URL, AnthropicProvider, sdk_load
from apps.llm.providers.base import DEFAULT_MAX_TOKENS, Provider, Purpose
from apps.llm.providers.metered import CallReport, MeteredProvider
from apps.llm.providers.offline import OFFLINE_MODEL, OfflineProvider
from apps.llm.providers.retrying import RetryingProvider
from apps.llm.times import ModelTimes

_WINDOW_TOKENS = 200_000


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """`configured` is false where no model is: then the provider is the offline one. `window_tokens` is what the model
    takes in all, its answer included. `reports` grows by one with every attempt at an answer."""

    provider: Provider
    model: str
    configured: bool
    reports: list[CallReport]
    window_tokens: int = _WINDOW_TOKENS

    @property
    def pack_room(self) -> int:
        """The tokens that a pack may take beside the answer."""
        return self.window_tokens - DEFAULT_MAX_TOKENS


def provider_for(purpose: Purpose) -> ChosenModel:
    """Provider and model for one piece of work; the reports are of this piece alone."""
    key = settings.ANTHROPIC_API_KEY.get_secret_value()
    if not key:
        offline = MeteredProvider(OfflineProvider())
        return ChosenModel(offline, OFFLINE_MODEL, configured=False, reports=offline.reports)
    times = settings.MODEL_TIMES
    metered = MeteredProvider(_anthropic(key, settings.ANTHROPIC_BASE_URL or OFFICIAL_URL, times))
    provider = RetryingProvider(metered, times)
    return ChosenModel(provider, settings.MODELS[purpose], configured=True, reports=metered.reports)


def providers_load() -> None:
    """Import what the first call would wait a second for; nothing where no model is configured."""
    if settings.ANTHROPIC_API_KEY.get_secret_value():
        sdk_load()


@cache
def _anthropic(key: str, base_url: str, times: ModelTimes) -> AnthropicProvider:
    """One for all calls with the same key, so that connections are used again."""
    return AnthropicProvider(key, base_url, times)
