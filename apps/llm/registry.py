"""Which model serves which purpose. The environment decides; with no key in it, the offline provider answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.conf import settings

from apps.llm.providers.anthropic import OFFICIAL_URL, AnthropicProvider
from apps.llm.providers.base import Purpose
from apps.llm.providers.metered import MeteredProvider
from apps.llm.providers.offline import OFFLINE_MODEL, OfflineProvider
from apps.llm.times import ModelTimes

_WINDOW_TOKENS = 200_000


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """`configured` is false where no model is: then the provider is the offline one. `window_tokens` is what the model
    takes in all, its answer included."""

    provider: MeteredProvider
    model: str
    configured: bool
    window_tokens: int = _WINDOW_TOKENS


def provider_for(purpose: Purpose) -> ChosenModel:
    """Provider and model for one piece of work; its provider's reports are of this piece alone."""
    key = settings.ANTHROPIC_API_KEY.get_secret_value()
    if not key:
        return ChosenModel(MeteredProvider(OfflineProvider()), OFFLINE_MODEL, configured=False)
    provider = _anthropic(key, settings.ANTHROPIC_BASE_URL or OFFICIAL_URL, settings.MODEL_TIMES)
    return ChosenModel(MeteredProvider(provider), settings.MODELS[purpose], configured=True)


@cache
def _anthropic(key: str, base_url: str, times: ModelTimes) -> AnthropicProvider:
    """One for all calls with the same key, so that connections are used again."""
    return AnthropicProvider(key, base_url, times)
