"""Default models and context windows, by provider and name."""

from __future__ import annotations

from apps.llm.providers.base import Purpose
from apps.llm.routing.providers import provider_spec, provider_specs

_STRONG = frozenset({Purpose.CHAT, Purpose.MERGE})
_UNKNOWN_WINDOW = 32_000


def default_model(backend: str, purpose: Purpose) -> str:
    """The provider's default model for a purpose, or an empty string."""
    spec = provider_spec(backend)
    return spec.strong_model if purpose in _STRONG else spec.quick_model


def known_models(backend: str) -> tuple[str, ...]:
    """The models in the provider's specification, without duplicates."""
    spec = provider_spec(backend)
    return tuple(dict.fromkeys(name for name in (spec.strong_model, spec.quick_model) if name))


def window_of(backend: str, model: str) -> int:
    """The context window of a model in tokens, answer included.

    >>> window_of("openrouter", "anthropic/claude-sonnet-5.5"), window_of("compatible", "own")
    (200000, 32000)
    """
    if fixed := provider_spec(backend).window_tokens:
        return fixed
    name = model.rpartition("/")[2]
    families = (family for spec in provider_specs() for family in spec.windows)
    return next((window for beginning, window in families if name.startswith(beginning)), _UNKNOWN_WINDOW)
