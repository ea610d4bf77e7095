"""What there is of each backend for the current unit's workspace, looked for as far as somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.conf import settings
from pydantic import SecretStr

from apps.common.tenancy import current_workspace_id
from apps.llm.addresses import is_under
from apps.llm.backends import KEYED, Backend
from apps.llm.catalogue import OFFERS, known_models
from apps.llm.choosing import Found, FoundKey, State
from apps.llm.detection import LOCAL_MODELS, program_of
from apps.llm.installation import SettingsFile
from apps.llm.models import ModelSettings, ProviderKey
from apps.llm.sealing import Unreadable, opened

# Of shorter keys four characters would tell too much.
_SHORTEST_TO_SHOW = 16


class Surroundings:
    """Reads nothing by itself but what is on the server: `row` and `keys` are the workspace's."""

    def __init__(self, row: ModelSettings | None, keys: Iterable[ProviderKey]) -> None:
        self._local_allowed = row is not None and row.local_allowed
        self._rows = {Backend(key.backend): key for key in keys}
        self._found: dict[Backend, Found] = {}

    def find(self, backend: Backend) -> Found:
        if backend not in self._found:
            self._found[backend] = self._looked(backend)
        return self._found[backend]

    def _looked(self, backend: Backend) -> Found:
        if backend is Backend.OFFLINE:
            return Found(backend, State.READY, "It is always there, and quotes without a model.")
        if backend in KEYED:
            return self._keyed(backend)
        if not self._local_allowed:
            told = "Operators have not allowed this workspace the programs of this server."
            return Found(backend, State.NOT_ALLOWED, told, "which operators have not allowed this workspace")
        return _ollama() if backend is Backend.OLLAMA else _claude_cli()

    def _keyed(self, backend: Backend) -> Found:
        row = self._rows.get(backend)
        return _of_installation(backend) if row is None else _of_workspace(backend, row)


def _of_workspace(backend: Backend, row: ProviderKey) -> Found:
    """Its own key goes before the installation's: who brought one wants to pay with it."""
    shown = FoundKey(row.last_four, "workspace", row.tested_at)
    address = row.base_url or installation_address(backend)
    found = Found(backend, State.READY, "Ready, with this workspace's key.", "", address, shown, known_models(backend))
    if row.base_url and not is_under(row.base_url, allowed_addresses()):
        told, lack = "Operators do not allow its address any more.", "whose address operators do not allow any more"
        return replace(found, state=State.NOT_ALLOWED, told=told, lack=lack)
    try:
        secret = opened(bytes(row.sealed), workspace_id=current_workspace_id(), backend=backend)
    except Unreadable:
        told, lack = "The stored key cannot be opened: enter it again.", "whose stored key cannot be opened"
        return replace(found, state=State.UNREADABLE_KEY, told=told, lack=lack)
    return replace(found, secret=SecretStr(secret))


def _of_installation(backend: Backend) -> Found:
    address, (secret, source) = installation_address(backend), installation_key(backend)
    key = FoundKey(last_four_of(secret.get_secret_value()), source) if source else None
    if not address or (not key and backend is not Backend.COMPATIBLE):
        told = "There is no key for it." if address else "There is no address for it."
        return Found(backend, State.NO_KEY, told, "for which there is no key", address)
    told = f"Ready, with the key of the {source}." if key else "Ready, without a key."
    return Found(backend, State.READY, told, "", address, key, known_models(backend), secret)


def _ollama() -> Found:
    address = settings.OLLAMA_BASE_URL or _file().addresses.get(Backend.OLLAMA) or OFFERS[Backend.OLLAMA].url
    models = LOCAL_MODELS.at(address)
    if models is None:
        return Found(Backend.OLLAMA, State.UNREACHABLE, "It does not answer.", "which does not answer", address)
    return Found(Backend.OLLAMA, State.READY, f"It has {len(models)} models.", "", address, models=models)


def _claude_cli() -> Found:
    command = settings.CLAUDE_COMMAND
    if program_of(command) is None:
        told = "It is not on this server." if command else "It is switched off on this server."
        return Found(Backend.CLAUDE_CLI, State.NOT_FOUND, told, "which is not on this server")
    return Found(Backend.CLAUDE_CLI, State.READY, "It is on this server.", models=known_models(Backend.CLAUDE_CLI))


def installation_address(backend: Backend) -> str:
    """Where the installation asks the backend, with whose key ever; empty for an address that nobody named."""
    match backend:
        case Backend.ANTHROPIC:
            named = settings.ANTHROPIC_BASE_URL
        case Backend.OPENAI:
            named = settings.OPENAI_BASE_URL
        case Backend.COMPATIBLE:
            named = settings.OPENAI_BASE_URL or _file().addresses.get(backend, "")
        case _:
            named = ""
    return named or OFFERS[backend].url


def installation_key(backend: Backend) -> tuple[SecretStr, str]:
    """The installation's own key and where it comes from; both empty where it has none."""
    variables = {
        Backend.ANTHROPIC: settings.ANTHROPIC_API_KEY,
        Backend.GEMINI: settings.GEMINI_API_KEY,
        Backend.OPENROUTER: settings.OPENROUTER_API_KEY,
        Backend.OPENAI: settings.OPENAI_API_KEY,
        Backend.COMPATIBLE: settings.OPENAI_API_KEY if settings.OPENAI_BASE_URL else SecretStr(""),
    }
    secret: SecretStr = variables[backend]
    if secret.get_secret_value():
        return secret, "environment"
    kept = _file().keys.get(backend)
    return (kept, "file") if kept else (SecretStr(""), "")


def environment_backend() -> str:
    """The backend that the environment itself leads to: by its first key, else by its address; empty without either."""
    keyed = (backend for backend in Backend if backend in KEYED and installation_key(backend)[1] == "environment")
    addressed = ((Backend.COMPATIBLE, settings.OPENAI_BASE_URL), (Backend.OLLAMA, settings.OLLAMA_BASE_URL))
    return next(keyed, None) or next((backend for backend, address in addressed if address), "")


def allowed_addresses() -> tuple[str, ...]:
    """What workspaces may name. A local Ollama is not among them: who may use that, operators decide otherwise."""
    own = _file().addresses.get(Backend.COMPATIBLE)
    return (*settings.MODEL_ADDRESSES, own) if own else settings.MODEL_ADDRESSES


def last_four_of(key: str) -> str:
    return key[-4:] if len(key) >= _SHORTEST_TO_SHOW else ""


def _file() -> SettingsFile:
    found: SettingsFile = settings.MODEL_FILE
    return found
