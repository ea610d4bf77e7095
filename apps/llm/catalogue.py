"""What is known of the backends beforehand: where they are, the models taken where nobody names one, and their windows.

Names and windows are those that the providers document; a window is the smallest of its family.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from apps.llm.backends import Backend
from apps.llm.providers.anthropic import OFFICIAL_URL
from apps.llm.providers.base import Purpose
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.providers.openai import GEMINI_URL, OPENAI_URL, OPENROUTER_URL
from apps.llm.providers.openai_wire import COMPATIBLE, GEMINI, OLLAMA, OPENAI, OPENROUTER, Dialect


@dataclass(frozen=True, slots=True)
class Offer:
    """`strong` is taken where a person reads the answer or memories are joined, `quick` behind the scenes."""

    strong: str
    quick: str
    url: str = ""


OFFERS: Mapping[Backend, Offer] = MappingProxyType(
    {
        Backend.CLAUDE_CLI: Offer("sonnet", "haiku"),
        Backend.OLLAMA: Offer("llama3.2", "llama3.2", "http://127.0.0.1:11434"),
        Backend.ANTHROPIC: Offer("claude-sonnet-5-5", "claude-haiku-5-5", OFFICIAL_URL),
        Backend.GEMINI: Offer("gemini-3.5-flash", "gemini-3.5-flash-lite", GEMINI_URL),
        Backend.OPENROUTER: Offer("anthropic/claude-sonnet-5.5", "openai/gpt-5.4-mini", OPENROUTER_URL),
        Backend.OPENAI: Offer("gpt-5.6-terra", "gpt-5.6-luna", OPENAI_URL),
        # Nobody knows what such an address serves.
        Backend.COMPATIBLE: Offer("", ""),
        Backend.OFFLINE: Offer(OFFLINE_MODEL, OFFLINE_MODEL),
    }
)
DIALECTS: Mapping[Backend, Dialect] = MappingProxyType(
    {
        Backend.OLLAMA: OLLAMA,
        Backend.GEMINI: GEMINI,
        Backend.OPENROUTER: OPENROUTER,
        Backend.OPENAI: OPENAI,
        Backend.COMPATIBLE: COMPATIBLE,
    }
)

_STRONG = frozenset({Purpose.CHAT, Purpose.MERGE})
_CLAUDE_WINDOW = 200_000
_UNKNOWN_WINDOW = 32_000
# What Ollama gives a model where nobody tells it more; the rest of a longer prompt it drops without a word.
_OLLAMA_WINDOW = 4_096
# By the beginning of a name, the more exact one first.
_WINDOWS = (
    ("claude", _CLAUDE_WINDOW),
    ("gemini", 1_048_576),
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-5", 400_000),
    ("o3", 200_000),
    ("o4", 200_000),
)


def default_model(backend: Backend, purpose: Purpose) -> str:
    """Empty where the backend has none."""
    offer = OFFERS[backend]
    return offer.strong if purpose in _STRONG else offer.quick


def known_models(backend: Backend) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in (OFFERS[backend].strong, OFFERS[backend].quick) if name))


def window_of(backend: Backend, model: str) -> int:
    """The tokens that a model takes in all, its answer included.

    >>> window_of(Backend.OPENROUTER, "anthropic/claude-sonnet-5.5"), window_of(Backend.COMPATIBLE, "own")
    (200000, 32000)
    """
    match backend:
        case Backend.OLLAMA:
            return _OLLAMA_WINDOW
        case Backend.CLAUDE_CLI | Backend.OFFLINE:
            return _CLAUDE_WINDOW
    name = model.rpartition("/")[2]
    return next((window for beginning, window in _WINDOWS if name.startswith(beginning)), _UNKNOWN_WINDOW)
