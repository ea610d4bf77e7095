"""The environment, read once and checked whole: nothing else in the project opens it."""

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
"""What may stand in a file instead: NAME_FILE holds the path, as container engines hand secrets over."""
PLACEHOLDERS = ("django-insecure", "changeme", "change-me", "change_me", "change this", "your-secret", "secret-key")
SHORTEST_SECRET = 32
FEWEST_CHARACTERS = 10
"""Different ones, in a secret that chance has made."""


class Environment(ModelEnvironment):
    """Every variable that Continuity reads, by its name in lower case."""

    # A refused value is not shown: it may be a secret.
    model_config = SettingsConfigDict(env_prefix="", extra="ignore", case_sensitive=False, hide_input_in_errors=True)

    secret_key: str = Field(min_length=SHORTEST_SECRET)
    secret_key_fallbacks: str = Field(default="", description="Older ones, by commas: what they sealed still opens.")
    debug: bool = False
    database_url: str = Field(default="", description="The owner's login; migrations run with it.")
    database_app_url: str = Field(default="", description="A login of the application's role, for everything else.")
    database_prepared: bool = Field(
        default=True, description="Statements are kept on the server; not behind a PgBouncer that keeps none."
    )
    redis_url: str = Field(min_length=1)
    allowed_hosts: str = "localhost,127.0.0.1,[::1]"
    trusted_origins: str = ""
    secure_cookies: bool = False
    log_level: str = "INFO"
    log_format: str = "console"

    secret_key_file: Path | None = None
    secret_key_fallbacks_file: Path | None = None
    database_url_file: Path | None = None
    database_app_url_file: Path | None = None
    redis_url_file: Path | None = None

    continuity_home: Path = BASE_DIR / ".continuity"
    continuity_static_root: Path | None = Field(default=None, description="Where static files are; else in the home.")
    continuity_page_root: Path | None = Field(default=None, description="Where the built page is; else frontend/dist.")
    continuity_port: int = Field(default=37777, ge=1, le=65535)
    continuity_engine_enabled: bool = True
    continuity_engine_auto_compact: bool = True
    continuity_engine_ui: bool = True
    continuity_policy: dict[str, Any] = Field(default_factory=dict)
    continuity_test_faults: bool = False

    embeddings: str = Field(default="wordllama", description="What makes vectors where a workspace chose nothing else.")
    continuity_prices: str = Field(default="", description="A file of prices of models that goes over ours.")
    tiktoken_cache_dir: str = Field(default="", description="Where vocabularies of tokens are; else in the home.")

    @model_validator(mode="before")
    @classmethod
    def _read_secrets(cls, told: dict[str, Any]) -> dict[str, Any]:
        return {**told, **{name: _from_file(name, told) for name in SECRETS if told.get(f"{name}_file")}}

    @model_validator(mode="after")
    def _check_secret_key(self) -> Environment:
        """Sessions signed with a key that others know are everybody's."""
        if not self.debug and _is_guessable(self.secret_key):
            raise ValueError("SECRET_KEY is a placeholder; make one with `openssl rand -base64 48`")
        if not self.debug and any(map(_is_guessable, self.older_secrets())):
            raise ValueError("SECRET_KEY_FALLBACKS holds a placeholder; leave it out")
        return self

    @field_validator("secret_key_fallbacks")
    @classmethod
    def _check_fallbacks(cls, text: str) -> str:
        """What they sealed is opened with them, and a session that they signed would hold."""
        if any(len(secret) < SHORTEST_SECRET for secret in _listed(text)):
            raise ValueError(f"each must have at least {SHORTEST_SECRET} characters")
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
        """The installation's policy: the defaults, CONTINUITY_POLICY over them, and the three flags."""
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

    def vocabulary_root(self) -> Path:
        return Path(self.tiktoken_cache_dir) if self.tiktoken_cache_dir else self.continuity_home / "vocabularies"

    def older_secrets(self) -> list[str]:
        return _listed(self.secret_key_fallbacks)

    def hosts(self) -> list[str]:
        return _listed(self.allowed_hosts)

    def origins(self) -> list[str]:
        return _listed(self.trusted_origins)


@cache
def environment() -> Environment:
    return Environment()  # type: ignore[call-arg]  # pydantic-settings fills the fields from the environment


def _listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _from_file(name: str, told: dict[str, Any]) -> str:
    """A secret's text without the line's end that editors add."""
    if told.get(name):
        raise ValueError(f"{name.upper()} and {name.upper()}_FILE are both set; set one")
    path = Path(told[f"{name}_file"])
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{name.upper()}_FILE: {path} cannot be read ({type(error).__name__})") from None


def _is_guessable(secret: str) -> bool:
    return len(set(secret)) < FEWEST_CHARACTERS or any(word in secret.lower() for word in PLACEHOLDERS)
