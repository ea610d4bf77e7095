"""Model settings from the environment and the settings file; errors in them are reported before anything starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from apps.llm.routing.config_file import SettingsFile
from config.env import Environment
from config.llm_config_file import BrokenFile, model_file
from config.stack.process import clean_environment

SEED = """
[llm]
provider = "claude-cli"  # claude-cli | ollama | anthropic | gemini | openrouter
model = "claude-haiku-4-5-20251001"

[llm.extraction]
model = "claude-haiku-4-5-20251001"

[llm.merge]
model = "claude-sonnet-4-6"

[llm.ollama]
endpoint = "http://localhost:11434/"
model = "llama3.2"

[llm.anthropic]
api_key_env = "ANTHROPIC_KEY_OF_TESTS"

[client]
url = "somebody else's"
"""


def read(**variables: str) -> Environment:
    return Environment(**variables)  # type: ignore[arg-type]  # texts, as from the environment, which has the rest


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "config.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_the_settings_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_KEY_OF_TESTS", " sk-of-tests\n")
    found = read(continuity_config=str(written(tmp_path, SEED))).model_file()
    quick = "claude-haiku-4-5-20251001"
    assert found.backend == "claude-cli"
    assert found.names == {"": quick, "extraction": quick, "merge": "claude-sonnet-4-6"}
    assert found.own_names == {"ollama": "llama3.2"}
    assert found.addresses == {"ollama": "http://localhost:11434"}
    assert found.keys["anthropic"].get_secret_value() == "sk-of-tests"
    assert "sk-of-tests" not in repr(found)


def test_an_unset_variable_is_no_key(tmp_path: Path) -> None:
    assert model_file(written(tmp_path, SEED)).keys == {}


@pytest.mark.parametrize("text", ["", "[client]\nurl = 'x'\n", "[llm]\n"])
def test_a_file_without_model_settings_counts_as_none(text: str, tmp_path: Path) -> None:
    assert model_file(written(tmp_path, text)) == SettingsFile() == model_file(tmp_path / "missing.toml")
    assert read(continuity_config="").model_file() == SettingsFile()


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("[llm]\nmodel = \n", "line 2"),
        ("[llm]\nmodel = 'a'\nmodel = 'b'\n", "line 3"),
        ("[llm]\n\nprovider = 'gpt'\n", "line 3: [llm] provider must be one of claude-cli, ollama"),
        ("[llm]\nmodel = 5\n", "line 2: [llm] model must be a text"),
        ("[llm]\nmodl = 'x'\n", "line 2: [llm] modl is unknown"),
        ("[llm.chat]\nprovider = 'ollama'\n", "line 2: [llm.chat] provider is unknown"),
        ("[llm.painting]\nmodel = 'x'\n", "[llm.painting] is unknown"),
        ("[llm.ollama]\nendpoint = 'localhost'\n", "line 2: [llm.ollama] endpoint is invalid"),
        ("[llm.anthropic]\napi_key = 'sk-secret'\n", "line 2: [llm.anthropic] api_key is unknown"),
        ("llm = 5\n", "llm must be a table"),
        (b"[llm]\nmodel = '\xff'\n", "it is not valid UTF-8"),
    ],
)
def test_an_error_in_the_file_names_file_and_line(text: str | bytes, detail: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    with pytest.raises(BrokenFile) as refused:
        model_file(file)
    assert str(refused.value).startswith(f"{file}") and detail in str(refused.value)
    assert "sk-secret" not in str(refused.value)


def test_nothing_starts_with_a_broken_file(tmp_path: Path) -> None:
    file = written(tmp_path, "[llm]\nprovider = 'gpt'\n")
    variables = {
        **clean_environment(),
        "DJANGO_SETTINGS_MODULE": "config.settings.base",
        "CONTINUITY_CONFIG": str(file),
    }
    program = [sys.executable, "-c", "import django; django.setup()"]
    ended = subprocess.run(program, env=variables, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode != 0
    assert f"{file}: line 2: [llm] provider must be one of" in ended.stderr.splitlines()[-1]


def test_a_model_for_a_purpose_also_serves_related_purposes() -> None:
    assert set(read().models().values()) == {""}
    named = read(continuity_chat_model="strong", continuity_compaction_model="quick", continuity_intent_model="own")
    assert named.models() == {
        "chat": "strong",
        "compaction": "quick",
        "extraction": "quick",
        "merge": "strong",
        "intent": "own",
    }


def test_keys_are_stripped_and_hidden() -> None:
    environment = read(openai_api_key=" sk-of-tests\n", gemini_api_key="sk-of-tests")
    assert environment.openai_api_key.get_secret_value() == "sk-of-tests"
    assert "sk-of-tests" not in repr(environment)


def test_workspaces_may_use_the_operators_base_urls_and_the_listed_ones() -> None:
    environment = read(
        continuity_model_addresses=" HTTP://models.internal:8000/ , https://example.org/v1,",
        openai_base_url="http://10.0.0.5:8000/v1/",
        ollama_base_url="http://127.0.0.1:11434",
    )
    assert environment.model_addresses() == (
        "http://models.internal:8000",
        "https://example.org/v1",
        "http://10.0.0.5:8000/v1",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("continuity_model_provider", "gpt"),
        ("continuity_model_addresses", "https://fine.example.org,http://name:secret@example.org"),
        ("openai_base_url", "http://name:secret@example.org"),
        ("ollama_base_url", "localhost:11434"),
        ("continuity_chat_model", "x" * 121),
    ],
)
def test_an_invalid_value_is_rejected_by_name_and_not_shown(name: str, value: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read(**{name: value})
    assert name in str(refused.value) and "secret" not in str(refused.value)


def test_the_claude_cli_gets_none_of_our_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-tests")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/somewhere")
    account = read().claude_account()
    assert account["CLAUDE_CONFIG_DIR"] == "/somewhere"
    assert not {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ANTHROPIC_API_KEY"} & account.keys()
