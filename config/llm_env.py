"""Environment variables of models and providers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, SecretStr, create_model, field_validator
from pydantic_settings import BaseSettings

from apps.llm.providers.claude_cli_protocol import PASSED_VARIABLES
from apps.llm.routing.base_urls import clean_address
from apps.llm.routing.config_file import SettingsFile
from apps.llm.routing.providers import KEY_VARIABLES, URL_VARIABLES, provider_spec, provider_specs
from config.llm_config_file import LONGEST_NAME, PURPOSES, model_file

MODEL_KEYS = tuple(variable.lower() for variable in KEY_VARIABLES)
_ADDRESSES = tuple(variable.lower() for variable in URL_VARIABLES)
# A purpose without a model of its own uses that of another purpose.
_FALLBACK_PURPOSE = {"merge": "chat", "extraction": "compaction", "intent": "compaction"}


def _provider_fields() -> dict[str, Any]:
    """Return the fields of every provider's key, the file of that key, and the provider's address."""
    return {
        **{name: (SecretStr, SecretStr("")) for name in MODEL_KEYS},
        **{f"{name}_file": (Path | None, None) for name in MODEL_KEYS},
        **{name: (str, "") for name in _ADDRESSES},
    }


if TYPE_CHECKING:
    ProviderEnvironment = BaseSettings
else:
    # From the specifications, so that a new provider's variables are read without a change here.
    ProviderEnvironment = create_model("ProviderEnvironment", __base__=BaseSettings, **_provider_fields())


class ModelEnvironment(ProviderEnvironment):
    """Settings of models. For an empty one the workspace decides, then the settings file.

    Model names are for the provider named here; without one, for the first provider with a key or base URL here.
    """

    continuity_model_provider: str = Field(default="", description="A provider id, for every workspace.")
    continuity_chat_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_compaction_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_extraction_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_merge_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_intent_model: str = Field(default="", max_length=LONGEST_NAME)
    continuity_model_addresses: str = Field(default="", description="Base URLs that workspaces may use, by commas.")
    continuity_config: str = Field(default="~/.continuity/config.toml", description="The settings file; empty: none.")

    claude_command: str = Field(default="claude", description="The Claude CLI; empty: not used.")

    @field_validator(*MODEL_KEYS)
    @classmethod
    def _strip_key(cls, key: SecretStr) -> SecretStr:
        return SecretStr(key.get_secret_value().strip())

    @field_validator("continuity_model_provider")
    @classmethod
    def _check_provider(cls, name: str) -> str:
        name = name.strip()
        return provider_spec(name).id if name else ""

    @field_validator(*_ADDRESSES)
    @classmethod
    def _check_address(cls, text: str) -> str:
        return clean_address(text) if text.strip() else ""

    @field_validator("continuity_model_addresses")
    @classmethod
    def _check_addresses(cls, text: str) -> str:
        return ",".join(clean_address(item) for item in text.split(",") if item.strip())

    def claude_account(self) -> dict[str, str]:
        """Return the variables that the Claude CLI inherits."""
        return {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}

    def models(self) -> dict[str, str]:
        """Return the model of each purpose, empty if the environment names none."""
        named = {purpose: getattr(self, f"continuity_{purpose}_model").strip() for purpose in PURPOSES}
        return {purpose: name or named[_FALLBACK_PURPOSE.get(purpose, purpose)] for purpose, name in named.items()}

    def model_addresses(self) -> tuple[str, ...]:
        """Return the base URLs that workspaces may use: those listed and the operator's, without local servers."""
        urls, local = self.provider_urls(), {spec.url_variable for spec in provider_specs() if spec.is_local_server}
        own = (url for variable, url in urls.items() if variable not in local)
        return tuple(address for address in (*self.continuity_model_addresses.split(","), *own) if address)

    def provider_keys(self) -> dict[str, SecretStr]:
        """Return the keys that are set, by variable."""
        keys: dict[str, SecretStr] = {variable: getattr(self, variable.lower()) for variable in KEY_VARIABLES}
        return {variable: key for variable, key in keys.items() if key.get_secret_value()}

    def provider_urls(self) -> dict[str, str]:
        """Return the base URLs that are set, by variable."""
        urls = {variable: getattr(self, variable.lower()) for variable in URL_VARIABLES}
        return {variable: url for variable, url in urls.items() if url}

    def model_file(self) -> SettingsFile:
        if not self.continuity_config.strip():
            return SettingsFile()
        path = Path(self.continuity_config.strip())
        try:
            return model_file(path.expanduser())
        except RuntimeError:
            # The user has no home directory.
            return SettingsFile()
