"""The environment, read once and checked whole: nothing else in the project opens it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from apps.engine.policy import Policy, PolicyError, policy_override

BASE_DIR = Path(__file__).resolve().parent.parent


class Environment(BaseSettings):
    """Every variable that Continuity reads, by its name in lower case."""

    model_config = SettingsConfigDict(env_prefix="", extra="ignore", case_sensitive=False)

    secret_key: str = Field(min_length=32)
    debug: bool = False
    database_url: str = Field(default="", description="The owner's login; migrations run with it.")
    database_app_url: str = Field(default="", description="A login of the application's role, for everything else.")
    redis_url: str
    allowed_hosts: str = "localhost,127.0.0.1,[::1]"
    trusted_origins: str = ""
    secure_cookies: bool = False
    log_level: str = "INFO"
    log_format: str = "console"

    continuity_home: Path = BASE_DIR / ".continuity"
    continuity_port: int = Field(default=37777, ge=1, le=65535)
    continuity_engine_enabled: bool = True
    continuity_engine_auto_compact: bool = True
    continuity_engine_ui: bool = True
    continuity_policy: dict[str, Any] = Field(default_factory=dict)
    continuity_test_faults: bool = False

    @field_validator("continuity_policy")
    @classmethod
    def _check_policy(cls, overrides: dict[str, Any]) -> dict[str, Any]:
        try:
            policy_override(Policy(), overrides)
        except PolicyError as error:
            raise ValueError(str(error)) from error
        return overrides

    def policy(self) -> Policy:
        """The installation's policy: the defaults, CONTINUITY_POLICY over them, and the three flags."""
        flags = {
            "engine_enabled": self.continuity_engine_enabled,
            "auto_compact": self.continuity_engine_auto_compact,
            "ui_enabled": self.continuity_engine_ui,
        }
        return policy_override(policy_override(Policy(), self.continuity_policy), flags)

    def hosts(self) -> list[str]:
        return _listed(self.allowed_hosts)

    def origins(self) -> list[str]:
        return _listed(self.trusted_origins)


@cache
def environment() -> Environment:
    return Environment()  # type: ignore[call-arg]  # pydantic-settings fills the fields from the environment


def _listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]
