"""The variables of the environment that are about models."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings

from apps.llm.addresses import clean_address
from apps.llm.backends import Backend
from apps.llm.installation import SettingsFile
from apps.llm.providers.claude_cli_wire import HANDED_ON
from config.model_file import LONGEST_NAME, PURPOSES, model_file

MODEL_KEYS = ("anthropic_api_key", "openai_api_key", "openrouter_api_key", "gemini_api_key")
_ADDRESSES = ("anthropic_base_url", "openai_base_url", "ollama_base_url")
# Who names a model for the one means the other too, unless that has a name of its own.
_LIKE = {"merge": "chat", "extraction": "compaction", "intent": "compaction"}


class ModelEnvironment(BaseSettings):
    """Empty is not said: then the workspace decides, then the settings file. Names of models are for the provider that
    is named here; where none is, for that of the key or address that is."""

    continuity_model_provider: str = Field(default="", description="One of the backends, for every workspace.")
    continuity_chat_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_compaction_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_extraction_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_merge_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_intent_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_model_addresses: str = Field(default="", description="Addresses that workspaces may name, by commas.")
    continuity_config: str = Field(default="~/.continuity/config.toml", description="The settings file; empty: none.")

    anthropic_api_key: SecretStr = Field(default=SecretStr(""), description="Without one, replies only quote.")
    anthropic_base_url: str = Field(default="", description="Another address that speaks Anthropic's messages.")
    openai_api_key: SecretStr = SecretStr("")
    openai_base_url: str = Field(default="", description="Another address that speaks OpenAI's chat completions.")
    openrouter_api_key: SecretStr = SecretStr("")
    gemini_api_key: SecretStr = SecretStr("")
    ollama_base_url: str = Field(default="", description="Empty: what the settings file says, else this machine.")
    claude_command: str = Field(default="claude", description="The Claude CLI; empty: it is never looked for.")

    anthropic_api_key_file: Path | None = None
    openai_api_key_file: Path | None = None
    openrouter_api_key_file: Path | None = None
    gemini_api_key_file: Path | None = None

    @field_validator(*MODEL_KEYS)
    @classmethod
    def _strip_key(cls, key: SecretStr) -> SecretStr:
        return SecretStr(key.get_secret_value().strip())

    @field_validator("continuity_model_provider")
    @classmethod
    def _check_provider(cls, name: str) -> str:
        name = name.strip()
        if name and name not in set(Backend):
            raise ValueError(f"must be one of {', '.join(Backend)}")
        return name

    @field_validator(*_ADDRESSES)
    @classmethod
    def _check_address(cls, text: str) -> str:
        return clean_address(text) if text.strip() else ""

    @field_validator("continuity_model_addresses")
    @classmethod
    def _check_addresses(cls, text: str) -> str:
        return ",".join(clean_address(item) for item in text.split(",") if item.strip())

    def claude_account(self) -> dict[str, str]:
        """What the Claude CLI needs of our own variables."""
        return {name: os.environ[name] for name in HANDED_ON if name in os.environ}

    def models(self) -> dict[str, str]:
        """The model of each purpose, as far as the environment names one."""
        named = {purpose: getattr(self, f"continuity_{purpose}_model").strip() for purpose in PURPOSES}
        return {purpose: name or named[_LIKE.get(purpose, purpose)] for purpose, name in named.items()}

    def model_addresses(self) -> tuple[str, ...]:
        """What workspaces may name; the operator's own addresses are among them, but for that of a local Ollama."""
        named = (*self.continuity_model_addresses.split(","), self.anthropic_base_url, self.openai_base_url)
        return tuple(address for address in named if address)

    def model_file(self) -> SettingsFile:
        if not self.continuity_config.strip():
            return SettingsFile()
        path = Path(self.continuity_config.strip())
        try:
            return model_file(path.expanduser())
        except RuntimeError:
            # Who runs this has no home.
            return SettingsFile()
