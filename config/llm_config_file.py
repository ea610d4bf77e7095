"""The settings file of models, `~/.continuity/config.toml`: parses and validates its table `llm`.

[llm]
provider = "claude-cli"
model = "sonnet"
[llm.extraction]
model = "haiku"
[llm.ollama]
endpoint = "http://127.0.0.1:11434"
model = "llama3.2"
[llm.anthropic]
api_key_env = "ANTHROPIC_API_KEY"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from apps.llm.routing.base_urls import clean_address
from apps.llm.routing.config_file import SettingsFile
from apps.llm.routing.providers import KEYED_IDS, PROVIDER_IDS, provider_spec, provider_specs

PURPOSES = ("chat", "compaction", "extraction", "merge", "intent")
LONGEST_NAME = 120
_WITH_ENDPOINT = tuple(spec.id for spec in provider_specs() if spec.is_local_server or spec.takes_address)


class BrokenFile(ValueError):
    """The file is invalid; the message names the file and the location."""


def model_file(path: Path) -> SettingsFile:
    """Parse the file; return empty settings if it does not exist or is not readable."""
    if not _exists(path):
        return SettingsFile()
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BrokenFile(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise BrokenFile(f"{path}: it is not valid UTF-8") from None
    except OSError as error:
        raise BrokenFile(f"{path} cannot be read ({type(error).__name__})") from None
    return _Parser(path, whole.get("llm", {})).read()


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except PermissionError:
        return False


class _Parser:
    """Consumes the table key by key; rejects what remains, which may be a typing mistake."""

    def __init__(self, path: Path, table: Any) -> None:
        self._path, self._table = path, table

    def read(self) -> SettingsFile:
        tables = self._tables()
        backends = {name: tables[name] for name in PROVIDER_IDS if name in tables}
        purposes = {name: tables[name] for name in PURPOSES if name in tables}
        parsed = SettingsFile(
            backend=self._backend(tables["llm"]),
            names=self._names(purposes) | self._name("", "llm", tables["llm"]),
            own_names=self._names(backends),
            keys=self._keys(backends),
            addresses=self._addresses(backends),
        )
        for name, table in tables.items():
            for left in table:
                raise self._broken(name if name == "llm" else f"llm.{name}", left, "is unknown")
        return parsed

    def _tables(self) -> dict[str, dict[str, Any]]:
        """Return the subtables by name, and the top-level values under `llm`."""
        if not isinstance(self._table, dict):
            raise BrokenFile(f"{self._path}: llm must be a table")
        inner = {name: dict(value) for name, value in self._table.items() if isinstance(value, dict)}
        for name in inner.keys() - {*PURPOSES, *PROVIDER_IDS}:
            raise BrokenFile(f"{self._path}: [llm.{name}] is unknown; use a purpose or a provider")
        return {"llm": {name: value for name, value in self._table.items() if name not in inner}, **inner}

    def _backend(self, table: dict[str, Any]) -> str:
        name = self._text(table, "llm", "provider")
        try:
            return provider_spec(name).id if name else ""
        except ValueError as error:
            raise self._broken("llm", "provider", str(error)) from None

    def _names(self, tables: Mapping[str, dict[str, Any]]) -> dict[str, str]:
        """Return the models that the tables name."""
        return {
            name: model for key, table in tables.items() for name, model in self._name(key, f"llm.{key}", table).items()
        }

    def _name(self, key: str, place: str, table: dict[str, Any]) -> dict[str, str]:
        model = self._text(table, place, "model")
        return {key: model} if model else {}

    def _keys(self, tables: Mapping[str, dict[str, Any]]) -> dict[str, SecretStr]:
        """Read keys from the environment variables that the file names; the file never has keys itself."""
        named = {name: self._text(tables[name], f"llm.{name}", "api_key_env") for name in tables if name in KEYED_IDS}
        keys = {name: os.environ.get(variable, "").strip() for name, variable in named.items() if variable}
        return {name: SecretStr(key) for name, key in keys.items() if key}

    def _addresses(self, tables: Mapping[str, dict[str, Any]]) -> dict[str, str]:
        addresses = {}
        for name in _WITH_ENDPOINT:
            if text := self._text(tables.get(name, {}), f"llm.{name}", "endpoint"):
                try:
                    addresses[name] = clean_address(text)
                except ValueError as error:
                    raise self._broken(f"llm.{name}", "endpoint", f"is invalid: {error}") from None
        return addresses

    def _text(self, table: dict[str, Any], place: str, name: str) -> str:
        value = table.pop(name, "")
        if not isinstance(value, str) or len(value) > LONGEST_NAME:
            raise self._broken(place, name, f"must be a text of at most {LONGEST_NAME} characters")
        return value.strip()

    def _broken(self, place: str, name: str, what: str) -> BrokenFile:
        return BrokenFile(f"{self._path}:{self._line(place, name)} [{place}] {name} {what}")

    def _line(self, place: str, name: str) -> str:
        """Return ` line N:` for a key; empty if the file's layout is unusual."""
        table = ""
        for number, line in enumerate(self._path.read_text(encoding="utf-8").splitlines(), 1):
            text = line.strip()
            if text.startswith("["):
                table = text.strip("[] \t")
            elif table == place and text.partition("=")[0].strip().strip("\"'") == name:
                return f" line {number}:"
        return ""
