"""Selection of the backend and model for a purpose, from preferences and the state of the backends.

A named backend is used or none is: if it is not ready, the offline provider answers, and the reason explains it. The
first ready backend is used only if none is named.
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
    """A key without its secret; `source` is one of `KEY_SOURCES`."""

    last_four: str
    source: str
    tested_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BackendStatus:
    """State of a backend. `detail` is a sentence; `lack` is a relative clause that follows the backend's name. All
    members read them, so they contain no address."""

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
    """Preferences from one source: a backend (or none), models by purpose with the default under the empty key, and
    models by backend. `names` apply to `backend`, else to `names_for`, and to every backend if both are empty."""

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
    """The choice for a purpose. `configured` is false if the offline provider answers. `reason` is a sentence.
    `refused` is the code of a `ModelError` if the chosen model must not be called."""

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
    """Choose a model by preferences in order of precedence."""
    preference = next((one for one in preferences if one.backend), None)
    if preference is None:
        return _first_ready(purpose, preferences, find)
    status = find(preference.backend)
    named = f"{preference.who} selects {provider_spec(status.backend).name_in_sentence}"
    if status.state is not State.READY:
        return _offline(purpose, f"{named}, {status.lack}.")
    if lack := _lacking(purpose, preferences, status):
        return _offline(purpose, f"{named}, {lack}.")
    return _chosen(purpose, preferences, status, named)


def _first_ready(purpose: Purpose, preferences: Sequence[ModelPreference], find: Find) -> ModelChoice:
    for spec in provider_specs():
        if spec.id == OFFLINE:
            break
        status = find(spec.id)
        if status.state is State.READY and not _lacking(purpose, preferences, status):
            reason = f"{spec.label} is the first available provider"
            return _chosen(purpose, preferences, status, reason)
    return _offline(purpose, "No provider is set up.")


def _chosen(
    purpose: Purpose, preferences: Sequence[ModelPreference], status: BackendStatus, reason: str
) -> ModelChoice:
    model, who = _model(purpose, preferences, status.backend)
    detail = f"{reason}; {who[0].lower()}{who[1:]} sets the model." if who else f"{reason}."
    return ModelChoice(purpose, status.backend, model, status.backend != OFFLINE, detail)


def _offline(purpose: Purpose, reason: str) -> ModelChoice:
    return ModelChoice(purpose, OFFLINE, OFFLINE_MODEL, False, reason)


def _lacking(purpose: Purpose, preferences: Sequence[ModelPreference], status: BackendStatus) -> str:
    """The reason why a ready backend has no usable model, or an empty string."""
    model, who = _model(purpose, preferences, status.backend)
    if not model:
        return "which has no model selected"
    is_listed = bool({model, f"{model}:latest"} & set(status.models))
    if provider_spec(status.backend).is_local_server and not who and not is_listed:
        return f"which does not have {model}, and no other model is selected"
    return ""


def _model(purpose: Purpose, preferences: Sequence[ModelPreference], backend: str) -> tuple[str, str]:
    """The model and the source that names it; the source is empty for the default model."""
    if backend == OFFLINE:
        return OFFLINE_MODEL, ""
    return next(_named(purpose, preferences, backend), (default_model(backend, purpose), ""))


def _named(purpose: Purpose, preferences: Sequence[ModelPreference], backend: str) -> Iterator[tuple[str, str]]:
    for one in preferences:
        if model := one.model(purpose, backend):
            yield model, one.who
