"""Environment variables, read and validated once; no other module reads them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from apps.engine.policy import Policy, PolicyError, policy_override
from apps.llm.embedding.model_ids import full_name
from config.llm_env import MODEL_KEYS, ModelEnvironment

BASE_DIR = Path(__file__).resolve().parent.parent
SECRETS = ("secret_key", "secret_key_fallbacks", "database_url", "database_app_url", "redis_url", *MODEL_KEYS)
"""Variables with a NAME_FILE variant that has the path of a file with the value, as container engines pass secrets."""
PLACEHOLDERS = ("django-insecure", "changeme", "change-me", "change_me", "change this", "your-secret", "secret-key")
MIN_SECRET_LENGTH = 32
MIN_DISTINCT_CHARACTERS = 10
"""A random secret has at least this many different characters."""


class Environment(ModelEnvironment):
    """All variables that Continuity reads, by their lower-case names."""

    # Invalid values are not shown: they may be secrets.
    model_config = SettingsConfigDict(env_prefix="", extra="ignore", case_sensitive=False, hide_input_in_errors=True)

    secret_key: str = Field(min_length=MIN_SECRET_LENGTH)
    secret_key_fallbacks: str = Field(default="", description="Previous ones, by commas: still decrypt.")
    debug: bool = False
    database_url: str = Field(default="", description="The owner's login; migrations run with it.")
    database_app_url: str = Field(default="", description="A login of the application's role, for everything else.")
    database_prepared: bool = Field(
        default=True, description="Prepared statements; off behind a PgBouncer without support for them."
    )
    redis_url: str = Field(min_length=1)
    allowed_hosts: str = "localhost,127.0.0.1,[::1]"
    trusted_origins: str = ""
    trusted_proxies: str = Field(default="", description="Proxies whose forwarded addresses are believed.")
    secure_cookies: bool = False
    log_level: str = "INFO"
    log_format: str = "console"

    secret_key_file: Path | None = None
    secret_key_fallbacks_file: Path | None = None
    database_url_file: Path | None = None
    database_app_url_file: Path | None = None
    redis_url_file: Path | None = None

    continuity_home: Path = BASE_DIR / ".continuity"
    continuity_static_root: Path | None = Field(default=None, description="Directory of static files.")
    continuity_encoder_root: Path | None = Field(default=None, description="Directory of converted encoders.")
    continuity_own_models_socket: str = Field(default="", description="Socket of the process of our own models.")
    continuity_page_root: Path | None = Field(default=None, description="Build of the web app; default: frontend/dist.")
    continuity_port: int = Field(default=37777, ge=1, le=65535)
    continuity_sample: bool = Field(default=True, description="A sample conversation in each new workspace.")
    continuity_workers: int = Field(default=3, ge=1, description="Worker processes of the installation together.")
    continuity_worker_memory_mb: int = Field(default=1024, ge=256, description="Memory that a worker process may use.")
    continuity_engine_enabled: bool = True
    continuity_engine_auto_compact: bool = True
    continuity_engine_ui: bool = True
    continuity_policy: dict[str, Any] = Field(default_factory=dict)
    continuity_test_faults: bool = False

    embeddings: str = Field(default="minilm", description="The default embedding model.")
    embedding_threads: int = Field(default=0, ge=0, le=64, description="Texts at a time; 0 for one a processor.")
    continuity_prices: str = Field(default="", description="A file of prices that overrides the built-in ones.")
    tiktoken_cache_dir: str = Field(default="", description="Directory of vocabularies; default: in the home.")

    @model_validator(mode="before")
    @classmethod
    def _read_secrets(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {**values, **{name: _from_file(name, values) for name in SECRETS if values.get(f"{name}_file")}}

    @model_validator(mode="after")
    def _check_secret_key(self) -> Environment:
        """Reject placeholders: with a known key anybody can sign sessions."""
        if not self.debug and _is_guessable(self.secret_key):
            raise ValueError("SECRET_KEY is a placeholder; generate one with `openssl rand -base64 48`")
        if not self.debug and any(map(_is_guessable, self.older_secrets())):
            raise ValueError("SECRET_KEY_FALLBACKS contains a placeholder; remove it")
        return self

    @field_validator("secret_key_fallbacks")
    @classmethod
    def _check_fallbacks(cls, text: str) -> str:
        """Reject short keys: sessions signed with them would be valid."""
        if any(len(secret) < MIN_SECRET_LENGTH for secret in _split(text)):
            raise ValueError(f"each must have at least {MIN_SECRET_LENGTH} characters")
        return text

    @field_validator("embeddings")
    @classmethod
    def _check_embeddings(cls, text: str) -> str:
        return full_name(text)

    @field_validator("continuity_policy")
    @classmethod
    def _check_policy(cls, overrides: dict[str, Any]) -> dict[str, Any]:
        try:
            policy_override(Policy(), overrides)
        except PolicyError as error:
            raise ValueError(str(error)) from error
        return overrides

    def policy(self) -> Policy:
        """Return the installation's policy: the defaults, overridden by CONTINUITY_POLICY and the three flags."""
        flags = {
            "engine_enabled": self.continuity_engine_enabled,
            "auto_compact": self.continuity_engine_auto_compact,
            "ui_enabled": self.continuity_engine_ui,
        }
        return policy_override(policy_override(Policy(), self.continuity_policy), flags)

    def static_root(self) -> Path:
        return self.continuity_static_root or self.continuity_home / "static"

    def page_root(self) -> Path:
        return self.continuity_page_root or BASE_DIR / "frontend" / "dist"

    def encoder_root(self) -> Path:
        return self.continuity_encoder_root or self.continuity_home / "encoders"

    def vocabulary_root(self) -> Path:
        return Path(self.tiktoken_cache_dir) if self.tiktoken_cache_dir else self.continuity_home / "vocabularies"

    def older_secrets(self) -> list[str]:
        return _split(self.secret_key_fallbacks)

    def hosts(self) -> list[str]:
        return _split(self.allowed_hosts)

    def origins(self) -> list[str]:
        return _split(self.trusted_origins)


@cache
def environment() -> Environment:
    return Environment()  # type: ignore[call-arg]  # pydantic-settings fills the fields from the environment


def _split(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _from_file(name: str, values: dict[str, Any]) -> str:
    """Read a secret from its file, without surrounding whitespace."""
    if values.get(name):
        raise ValueError(f"{name.upper()} and {name.upper()}_FILE are both set; set one")
    path = Path(values[f"{name}_file"])
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{name.upper()}_FILE: {path} cannot be read ({type(error).__name__})") from None


def _is_guessable(secret: str) -> bool:
    return len(set(secret)) < MIN_DISTINCT_CHARACTERS or any(word in secret.lower() for word in PLACEHOLDERS)
