"""Availability of each backend for the current unit's workspace, determined lazily."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.conf import settings
from pydantic import SecretStr

from apps.common.tenancy import current_workspace_id
from apps.llm.encryption import Unreadable, decrypt
from apps.llm.models import ModelSettings, ProviderKey
from apps.llm.routing.base_urls import is_under
from apps.llm.routing.config_file import SettingsFile
from apps.llm.routing.local_discovery import LOCAL_MODELS, program_of
from apps.llm.routing.model_catalog import known_models
from apps.llm.routing.model_selection import BackendStatus, ResolvedKey, State
from apps.llm.routing.providers import Adapter, KeyUse, ProviderSpec, provider_spec, provider_specs

# Four characters of a shorter key would reveal too much.
_SHORTEST_TO_SHOW = 16


class Surroundings:
    """States of the backends, from the workspace's settings and keys and the server's configuration."""

    def __init__(self, row: ModelSettings | None, keys: Iterable[ProviderKey]) -> None:
        self._local_allowed = row is not None and row.local_allowed
        self._rows = {key.backend: key for key in keys}
        self._cache: dict[str, BackendStatus] = {}

    def find(self, backend: str) -> BackendStatus:
        if backend not in self._cache:
            self._cache[backend] = self._status(backend)
        return self._cache[backend]

    def _status(self, backend: str) -> BackendStatus:
        spec = provider_spec(backend)
        if spec.adapter is Adapter.OFFLINE:
            return BackendStatus(backend, State.READY, "Built in. It quotes what is saved, without a model.")
        if spec.takes_key:
            return self._keyed(spec)
        if not self._local_allowed:
            detail = "Local models are off in this workspace. Only the server operator can allow them."
            return BackendStatus(backend, State.NOT_ALLOWED, detail, "which is not allowed in this workspace")
        return _local_server(spec) if spec.is_local_server else _claude_cli(spec)

    def _keyed(self, spec: ProviderSpec) -> BackendStatus:
        row = self._rows.get(spec.id)
        return _of_installation(spec) if row is None else _of_workspace(spec.id, row)


def _of_workspace(backend: str, row: ProviderKey) -> BackendStatus:
    """A backend with the workspace's own key, which takes precedence over the installation's."""
    shown = ResolvedKey(row.last_four, "workspace", row.tested_at)
    address = row.base_url or installation_address(backend)
    status = BackendStatus(
        backend, State.READY, "Ready, with this workspace's key.", "", address, shown, known_models(backend)
    )
    if row.base_url and not is_under(row.base_url, allowed_addresses()):
        detail, lack = "The server operator no longer allows its base URL.", "whose base URL is no longer allowed"
        return replace(status, state=State.NOT_ALLOWED, detail=detail, lack=lack)
    try:
        secret = decrypt(bytes(row.encrypted_key), workspace_id=current_workspace_id(), backend=backend)
    except Unreadable:
        detail, lack = "The stored key cannot be decrypted. Enter it again.", "whose stored key cannot be decrypted"
        return replace(status, state=State.UNREADABLE_KEY, detail=detail, lack=lack)
    return replace(status, secret=SecretStr(secret))


def _of_installation(spec: ProviderSpec) -> BackendStatus:
    address, (secret, source) = installation_address(spec.id), installation_key(spec.id)
    key = ResolvedKey(last_four_of(secret.get_secret_value()), source) if source else None
    if not address or (not key and spec.key is KeyUse.REQUIRED):
        detail = "No key is stored." if address else "No base URL is set."
        return BackendStatus(spec.id, State.NO_KEY, detail, "which has no key", address)
    detail = f"Ready, with the key from the {source}." if key else "Ready, without a key."
    return BackendStatus(spec.id, State.READY, detail, "", address, key, known_models(spec.id), secret)


def _local_server(spec: ProviderSpec) -> BackendStatus:
    address = installation_address(spec.id)
    models = LOCAL_MODELS.at(address)
    if models is None:
        return BackendStatus(spec.id, State.UNREACHABLE, "It is unreachable.", "which is unreachable", address)
    return BackendStatus(spec.id, State.READY, f"{len(models)} models available.", "", address, models=models)


def _claude_cli(spec: ProviderSpec) -> BackendStatus:
    command = settings.CLAUDE_COMMAND
    if program_of(command) is None:
        detail = "Not installed on this server." if command else "Turned off on this server."
        return BackendStatus(spec.id, State.NOT_FOUND, detail, "which is not installed on this server")
    return BackendStatus(spec.id, State.READY, "Installed on this server.", models=known_models(spec.id))


def installation_address(backend: str) -> str:
    """The installation's address of a provider, or an empty string."""
    spec = provider_spec(backend)
    return _environment_url(spec) or _file().addresses.get(spec.id, "") or spec.base_url


def installation_key(backend: str) -> tuple[SecretStr, str]:
    """The installation's own key and its source; both empty if it has none."""
    spec = provider_spec(backend)
    secret = _environment_key(spec)
    if secret.get_secret_value():
        return secret, "environment"
    key = _file().keys.get(backend)
    return (key, "file") if key else (SecretStr(""), "")


def _environment_url(spec: ProviderSpec) -> str:
    url: str = settings.PROVIDER_URLS.get(spec.url_variable, "")
    return url


def _environment_key(spec: ProviderSpec) -> SecretStr:
    """The key from the environment. Providers may share a variable; without an address, its key belongs to the
    provider that has a default address."""
    if spec.takes_address and not _environment_url(spec):
        return SecretStr("")
    key: SecretStr = settings.PROVIDER_KEYS.get(spec.key_variable, SecretStr(""))
    return key


def environment_backend() -> str:
    """The first provider with a key in the environment, else the first with an address, else an empty string.

    An address alone selects only providers without a required key, local ones last.
    """
    specs = provider_specs()
    keyed = (spec.id for spec in specs if _environment_key(spec).get_secret_value())
    addressed = [spec for spec in specs if spec.key is not KeyUse.REQUIRED and _environment_url(spec)]
    return next(keyed, "") or next((spec.id for spec in sorted(addressed, key=lambda spec: spec.local)), "")


def allowed_addresses() -> tuple[str, ...]:
    """Address prefixes that workspaces may use, without local servers, which operators allow separately."""
    file = _file().addresses
    own = tuple(file[spec.id] for spec in provider_specs() if spec.takes_address and spec.id in file)
    return (*settings.MODEL_ADDRESSES, *own)


def last_four_of(key: str) -> str:
    return key[-4:] if len(key) >= _SHORTEST_TO_SHOW else ""


def _file() -> SettingsFile:
    file: SettingsFile = settings.MODEL_FILE
    return file
