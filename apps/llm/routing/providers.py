"""Specifications of the model providers, in order of preference.

A new provider needs its specification here, its prices in prices.toml, and its variables in docker-compose.yml.
Settings, the API and the page read everything else from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.providers.openai_protocol import Dialect


class Adapter(StrEnum):
    """The protocol by which a provider is called."""

    CLAUDE_CLI = "claude-cli"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    OFFLINE = "offline"


class KeyUse(StrEnum):
    """Whether calls carry a key."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


_PLAIN_DIALECT = Dialect()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSpec:
    """Everything that distinguishes one provider from the others.

    `id` is stored in tables, sent by the API and used in prices.toml, so it never changes. `label` is the display name,
    `phrase` the name within a sentence if it differs. `key_variable` and `url_variable` are environment variables.
    `strong_model` writes replies and merges memories; `quick_model` works in the background. `window_tokens` is the
    context window of all models of the provider; `windows` are windows by prefix of the model's name, longest prefix
    first, and apply to every provider. `local` providers run on this server under the operator's account, so operators
    allow them per workspace. `key_check_path` is requested before the list of models if that list is public and
    therefore proves nothing about a key.
    """

    id: str
    label: str
    adapter: Adapter
    phrase: str = ""
    dialect: Dialect = _PLAIN_DIALECT
    base_url: str = ""
    api_path: str = ""
    url_variable: str = ""
    key: KeyUse = KeyUse.REQUIRED
    key_variable: str = ""
    key_check_path: str = ""
    strong_model: str = ""
    quick_model: str = ""
    window_tokens: int = 0
    windows: tuple[tuple[str, int], ...] = ()
    embeds: bool = False
    local: bool = False

    @property
    def name_in_sentence(self) -> str:
        return self.phrase or self.label

    @property
    def takes_key(self) -> bool:
        return self.key is not KeyUse.NONE

    @property
    def takes_address(self) -> bool:
        """Whether a workspace enters an address with its key, because the provider has no default address."""
        return self.takes_key and not self.base_url

    @property
    def is_local_server(self) -> bool:
        """Whether it is a local server with Ollama's API."""
        return self.local and self.adapter is Adapter.OPENAI

    @property
    def is_free(self) -> bool:
        return self.local or self.adapter is Adapter.OFFLINE


OFFLINE = "offline"
"""The id of the provider that works without a model and is always available."""
_CLAUDE_WINDOW = 200_000
# Ollama's default context; it silently drops what exceeds it.
_OLLAMA_WINDOW = 4_096

_SPECS = (
    ProviderSpec(
        id="claude-cli",
        label="Claude on this server",
        phrase="the Claude CLI",
        adapter=Adapter.CLAUDE_CLI,
        key=KeyUse.NONE,
        strong_model="sonnet",
        quick_model="haiku",
        window_tokens=_CLAUDE_WINDOW,
        local=True,
    ),
    ProviderSpec(
        id="ollama",
        label="Ollama",
        adapter=Adapter.OPENAI,
        dialect=Dialect(needs_key=False),
        base_url="http://127.0.0.1:11434",
        api_path="/v1",
        url_variable="OLLAMA_BASE_URL",
        key=KeyUse.NONE,
        strong_model="llama3.2",
        quick_model="llama3.2",
        window_tokens=_OLLAMA_WINDOW,
        embeds=True,
        local=True,
    ),
    ProviderSpec(
        id="anthropic",
        label="Anthropic",
        adapter=Adapter.ANTHROPIC,
        base_url="https://api.anthropic.com",
        url_variable="ANTHROPIC_BASE_URL",
        key_variable="ANTHROPIC_API_KEY",
        strong_model="claude-sonnet-5-5",
        quick_model="claude-haiku-5-5",
        windows=(("claude", _CLAUDE_WINDOW),),
    ),
    ProviderSpec(
        id="gemini",
        label="Gemini",
        adapter=Adapter.OPENAI,
        dialect=Dialect(caches_prompts=True),
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_variable="GEMINI_API_KEY",
        strong_model="gemini-3.5-flash",
        quick_model="gemini-3.5-flash-lite",
        windows=(("gemini", 1_048_576),),
        embeds=True,
    ),
    ProviderSpec(
        id="openrouter",
        label="OpenRouter",
        adapter=Adapter.OPENAI,
        dialect=Dialect(caches_prompts=True),
        base_url="https://openrouter.ai/api/v1",
        key_variable="OPENROUTER_API_KEY",
        key_check_path="/key",
        strong_model="anthropic/claude-sonnet-5.5",
        quick_model="openai/gpt-5.4-mini",
        embeds=True,
    ),
    ProviderSpec(
        id="openai",
        label="OpenAI",
        adapter=Adapter.OPENAI,
        # Reasoning models refuse `max_tokens`.
        dialect=Dialect("max_completion_tokens", caches_prompts=True),
        base_url="https://api.openai.com/v1",
        url_variable="OPENAI_BASE_URL",
        key_variable="OPENAI_API_KEY",
        strong_model="gpt-5.6-terra",
        quick_model="gpt-5.6-luna",
        windows=(
            ("gpt-4.1", 1_047_576),
            ("gpt-4o", 128_000),
            ("gpt-5", 400_000),
            ("o3", 200_000),
            ("o4", 200_000),
        ),
        embeds=True,
    ),
    # Any other server that speaks OpenAI's chat completions. Its models are unknown.
    ProviderSpec(
        id="compatible",
        label="OpenAI-compatible",
        phrase="the OpenAI-compatible server",
        adapter=Adapter.OPENAI,
        dialect=Dialect(supports_schema=False, needs_key=False),
        url_variable="OPENAI_BASE_URL",
        key=KeyUse.OPTIONAL,
        key_variable="OPENAI_API_KEY",
        embeds=True,
    ),
    ProviderSpec(
        id=OFFLINE,
        label="Without a model",
        phrase="no model",
        adapter=Adapter.OFFLINE,
        key=KeyUse.NONE,
        strong_model=OFFLINE_MODEL,
        quick_model=OFFLINE_MODEL,
        window_tokens=_CLAUDE_WINDOW,
    ),
)

PROVIDERS: Mapping[str, ProviderSpec] = MappingProxyType({spec.id: spec for spec in _SPECS})
PROVIDER_IDS = tuple(PROVIDERS)
KEYED_IDS = tuple(sorted(spec.id for spec in _SPECS if spec.takes_key))
KEY_VARIABLES = tuple(dict.fromkeys(spec.key_variable for spec in _SPECS if spec.key_variable))
URL_VARIABLES = tuple(dict.fromkeys(spec.url_variable for spec in _SPECS if spec.url_variable))


def provider_specs() -> tuple[ProviderSpec, ...]:
    """All providers in the order of preference."""
    return tuple(PROVIDERS.values())


def provider_spec(provider: str) -> ProviderSpec:
    """The specification of a provider; raises `ValueError` for an unknown id."""
    if provider not in PROVIDERS:
        raise ValueError(f"must be one of {', '.join(PROVIDERS)}")
    return PROVIDERS[provider]


def provider_label(provider: str) -> str:
    """The display name of a provider; for an unknown one its id."""
    return PROVIDERS[provider].label if provider in PROVIDERS else provider


def provider_embeds(provider: str) -> bool:
    """Whether the provider is known and supports embeddings."""
    return provider in PROVIDERS and PROVIDERS[provider].embeds


def is_free(provider: str) -> bool:
    """Whether calls are free because they run on this server; false for unknown providers."""
    return provider in PROVIDERS and PROVIDERS[provider].is_free
