"""Which backend and which model serve a purpose, and why: rules over what was said and what was found.

Who is named is taken or nobody is: where the named backend cannot be asked the engine's own offline part answers, and
the reason says so. Only where nobody is named the first that can be asked is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pydantic import SecretStr

from apps.llm.providers.base import Purpose
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.routing.model_catalog import default_model
from apps.llm.routing.providers import OFFLINE, provider_label, provider_spec, provider_specs

KEY_SOURCES = ("workspace", "environment", "file")


class State(StrEnum):
    READY = "ready"
    NO_KEY = "no_key"
    NOT_FOUND = "not_found"
    NOT_ALLOWED = "not_allowed"
    UNREACHABLE = "unreachable"
    UNREADABLE_KEY = "unreadable_key"


@dataclass(frozen=True, slots=True)
class ResolvedKey:
    """`source` is one of `KEY_SOURCES`."""

    last_four: str
    source: str
    tested_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BackendStatus:
    """What there is of a backend. `told` is a sentence; `lack` ends one that began with its name. Everybody reads them,
    so they name no address."""

    backend: str
    state: State
    detail: str
    lack: str = ""
    base_url: str = ""
    key: ResolvedKey | None = None
    models: tuple[str, ...] = ()
    secret: SecretStr = field(default_factory=lambda: SecretStr(""))

    @property
    def label(self) -> str:
        return provider_label(self.backend)

    @property
    def takes_key(self) -> bool:
        return provider_spec(self.backend).takes_key

    @property
    def takes_address(self) -> bool:
        return provider_spec(self.backend).takes_address


@dataclass(frozen=True, slots=True)
class ModelPreference:
    """What somebody said: a backend, or none; models by purpose, the one for all others under the empty name; models by
    backend. Those by purpose are for the backend that is said, else for `meant`, and for any only without both."""

    who: str
    backend: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    own_names: Mapping[str, str] = field(default_factory=dict)
    names_for: str = ""

    def model(self, purpose: Purpose, backend: str) -> str:
        names = self.names if (self.backend or self.names_for) in ("", backend) else {}
        return names.get(purpose, "") or self.own_names.get(backend, "") or names.get("", "")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """`configured` is false where no model is: then the offline part answers. `because` is a sentence. `refused` is the
    code of a `ModelError`, where the model is chosen and may not be asked all the same."""

    purpose: Purpose
    backend: str
    model: str
    configured: bool
    reason: str
    refused: str = ""

    @property
    def label(self) -> str:
        return provider_label(self.backend)


Find = Callable[[str], BackendStatus]


def choice_of(purpose: Purpose, preferences: Sequence[ModelPreference], find: Find) -> ModelChoice:
    """`said` in its order of rank."""
    namer = next((one for one in preferences if one.backend), None)
    if namer is None:
        return _first_ready(purpose, preferences, find)
    found = find(namer.backend)
    named = f"{namer.who} names {provider_spec(found.backend).name_in_sentence}"
    if found.state is not State.READY:
        return _offline(purpose, f"{named}, {found.lack}.")
    if lack := _lacking(purpose, preferences, found):
        return _offline(purpose, f"{named}, {lack}.")
    return _taken(purpose, preferences, found, named)


def _first_ready(purpose: Purpose, preferences: Sequence[ModelPreference], find: Find) -> ModelChoice:
    for spec in provider_specs():
        if spec.id == OFFLINE:
            break
        found = find(spec.id)
        if found.state is State.READY and not _lacking(purpose, preferences, found):
            reason = f"Nobody named one, and {spec.name_in_sentence} is the first that is ready"
            return _taken(purpose, preferences, found, reason)
    return _offline(purpose, "Nobody named one, and none is ready.")


def _taken(purpose: Purpose, preferences: Sequence[ModelPreference], found: BackendStatus, reason: str) -> ModelChoice:
    model, who = _model(purpose, preferences, found.backend)
    detail = f"{reason}; {who[0].lower()}{who[1:]} names the model." if who else f"{reason}."
    return ModelChoice(purpose, found.backend, model, found.backend != OFFLINE, detail)


def _offline(purpose: Purpose, reason: str) -> ModelChoice:
    return ModelChoice(purpose, OFFLINE, OFFLINE_MODEL, False, reason)


def _lacking(purpose: Purpose, preferences: Sequence[ModelPreference], found: BackendStatus) -> str:
    """What keeps a backend that is ready from being asked."""
    model, who = _model(purpose, preferences, found.backend)
    if not model:
        return "for which nobody names a model"
    is_listed = bool({model, f"{model}:latest"} & set(found.models))
    if provider_spec(found.backend).is_local_server and not who and not is_listed:
        return f"which has no {model} and for which nobody names another model"
    return ""


def _model(purpose: Purpose, preferences: Sequence[ModelPreference], backend: str) -> tuple[str, str]:
    """The model, and who named it; nobody did where it is the one that is usual."""
    if backend == OFFLINE:
        return OFFLINE_MODEL, ""
    return next(_named(purpose, preferences, backend), (default_model(backend, purpose), ""))


def _named(purpose: Purpose, preferences: Sequence[ModelPreference], backend: str) -> Iterator[tuple[str, str]]:
    for one in preferences:
        if model := one.model(purpose, backend):
            yield model, one.who
