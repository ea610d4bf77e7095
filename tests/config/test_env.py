"""Environment variables: secrets can be read from files, and guessable ones are rejected."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from config.database import application_password
from config.env import BASE_DIR, SECRETS, Environment

KEY = "0123456789abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove all variables that a test did not set."""
    for name in SECRETS:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("DEBUG", raising=False)
    monkeypatch.setenv("REDIS_URL", "redis://localhost")


def read() -> Environment:
    return Environment()  # type: ignore[call-arg]  # the environment fills the fields


def test_a_secret_can_be_read_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REDIS_URL")
    for name in SECRETS:
        (tmp_path / name).write_text(f"{KEY}-{name}\n")
        monkeypatch.setenv(f"{name.upper()}_FILE", str(tmp_path / name))
    found = read()
    assert found.secret_key == f"{KEY}-secret_key"
    assert found.database_url == f"{KEY}-database_url"
    assert found.database_app_url == f"{KEY}-database_app_url"
    assert found.redis_url == f"{KEY}-redis_url"
    assert found.anthropic_api_key.get_secret_value() == f"{KEY}-anthropic_api_key"


def test_an_optional_secret_may_be_an_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("\n")
    monkeypatch.setenv("SECRET_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY_FILE", str(tmp_path / "key"))
    assert read().anthropic_api_key.get_secret_value() == ""


def test_a_secret_and_its_file_together_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", KEY)
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path / "key"))
    with pytest.raises(ValidationError, match="SECRET_KEY and SECRET_KEY_FILE are both set"):
        read()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path / "key"))
    with pytest.raises(ValidationError, match=r"SECRET_KEY_FILE: .*/key cannot be read"):
        read()


@pytest.mark.parametrize("key", ["", "tooshort4us", "a" * 60, "django-insecure-" + KEY, "please-changeme-" + KEY])
def test_a_guessable_key_is_rejected_and_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", key)
    with pytest.raises(ValidationError) as refused:
        read()
    assert not key or key not in str(refused.value)


@pytest.mark.parametrize(
    "older", ["0123456789abcdef", f"{KEY}-older,f0123456789abcde", "a" * 60, "django-insecure-" + KEY]
)
def test_a_guessable_fallback_key_is_rejected_and_not_shown(older: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", KEY)
    monkeypatch.setenv("SECRET_KEY_FALLBACKS", f"{KEY}-old, {KEY}-older")
    assert read().older_secrets() == [f"{KEY}-old", f"{KEY}-older"]
    monkeypatch.setenv("SECRET_KEY_FALLBACKS", older)
    with pytest.raises(ValidationError, match=r"(?i)secret_key_fallbacks") as refused:
        read()
    assert older.rpartition(",")[2] not in str(refused.value)


def test_a_placeholder_is_accepted_in_debug_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "django-insecure-" + KEY)
    monkeypatch.setenv("DEBUG", "1")
    assert read().debug


def test_static_files_and_encoders_are_in_the_home_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", KEY)
    monkeypatch.setenv("CONTINUITY_HOME", "/srv/home")
    assert (read().static_root(), read().encoder_root()) == (Path("/srv/home/static"), Path("/srv/home/encoders"))
    monkeypatch.setenv("CONTINUITY_STATIC_ROOT", "/srv/static")
    monkeypatch.setenv("CONTINUITY_ENCODER_ROOT", "/srv/encoders")
    assert (read().static_root(), read().encoder_root()) == (Path("/srv/static"), Path("/srv/encoders"))


def test_the_web_app_is_in_its_build_folder_or_the_configured_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", KEY)
    assert read().page_root() == BASE_DIR / "frontend" / "dist"
    monkeypatch.setenv("CONTINUITY_PAGE_ROOT", "/srv/page")
    assert read().page_root() == Path("/srv/page")


def test_only_the_applications_own_role_is_given_a_password() -> None:
    assert application_password("postgresql://continuity_app:a%2Fb@db/continuity") == "a/b"
    assert application_password("postgresql://continuity_app@/continuity") == ""
    assert application_password("postgresql://somebody:secret@db/continuity") == ""
    assert application_password("") == ""
