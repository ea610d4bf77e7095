"""The models that serve the current unit's workspace, and why.

The environment takes precedence over the workspace, which takes precedence over the settings file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.conf import settings

from apps.accounts.actors import Actor
from apps.accounts.permissions import Permission
from apps.common.models import columns_of
from apps.common.reads import fetch_model, fetch_models
from apps.engine.policy import Policy
from apps.llm.models import ModelSettings, ProviderKey
from apps.llm.providers.base import CHOOSABLE, Purpose
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.routing.key_check import MODEL_LIMIT
from apps.llm.routing.model_selection import BackendStatus, ModelChoice, ModelPreference, choice_of
from apps.llm.routing.providers import OFFLINE, provider_specs
from apps.llm.selectors.provider_availability import Surroundings, environment_backend
from apps.llm.selectors.reservation_estimate import lacks_price

_SETTINGS = f"""
SELECT {columns_of(ModelSettings, "settings")} FROM llm_modelsettings AS settings WHERE workspace_id = %(workspace)s
"""  # noqa: S608  # only column names are interpolated
_KEYS = f"""
SELECT {columns_of(ProviderKey, "key")} FROM llm_providerkey AS key WHERE workspace_id = %(workspace)s
"""  # noqa: S608  # only column names are interpolated
RECALL_ONLY = "Models are off in this workspace."


@dataclass(frozen=True, slots=True)
class ModelsRecord:
    """A workspace's model settings (None: the installation chooses), the choice for each purpose, and the providers.
    `version` is 0 until the workspace has settings."""

    version: int
    backend: str | None
    by_purpose: Mapping[str, str | None]
    local_allowed: bool
    chosen: tuple[ModelChoice, ...]
    providers: tuple[BackendStatus, ...]


def model_chosen(purpose: Purpose, policy: Policy) -> tuple[ModelChoice, BackendStatus]:
    """The choice for a purpose and the state of its backend. Two reads."""
    row, availability = _read()
    choice = _choice(purpose, policy, row, availability)
    return choice, availability.find(choice.backend)


def models_get(actor: Actor, policy: Policy) -> ModelsRecord:
    """The workspace's models, without the details that the actor must not see."""
    row, availability = _read()
    model_settings = row or ModelSettings()
    return ModelsRecord(
        version=model_settings.version,
        backend=model_settings.backend or None,
        by_purpose={purpose.value: model_settings.by_purpose.get(purpose) for purpose in CHOOSABLE},
        local_allowed=model_settings.local_allowed,
        chosen=tuple(_choice(purpose, policy, row, availability) for purpose in CHOOSABLE),
        providers=tuple(found_shown(actor, availability.find(spec.id)) for spec in provider_specs()),
    )


def found_shown(actor: Actor, status: BackendStatus) -> BackendStatus:
    """Redact a backend's state for the actor.

    Keys and addresses of the installation are visible to operators only, those of the workspace to its administrators;
    a key is visible only by its last four characters.
    """
    if not actor.may(Permission.MANAGE_MODELS):
        return replace(status, key=None, base_url="", models=())
    shown = replace(status, models=status.models[:MODEL_LIMIT])
    return shown if status.key and status.key.source == "workspace" else replace(shown, key=None, base_url="")


def backend_found(backend: str) -> BackendStatus:
    """The state of one backend."""
    return _read()[1].find(backend)


def _read() -> tuple[ModelSettings | None, Surroundings]:
    row = fetch_model(ModelSettings, _SETTINGS)
    return row, Surroundings(row, fetch_models(ProviderKey, _KEYS))


def _choice(purpose: Purpose, policy: Policy, row: ModelSettings | None, availability: Surroundings) -> ModelChoice:
    if not policy.model_calls_enabled:
        return ModelChoice(purpose, OFFLINE, OFFLINE_MODEL, False, RECALL_ONLY)
    choice = choice_of(purpose, _preferences(row), availability.find)
    return replace(choice, refused="no_price") if lacks_price(choice.backend, choice.model, policy) else choice


def _preferences(row: ModelSettings | None) -> tuple[ModelPreference, ...]:
    file, provider, names_for = settings.MODEL_FILE, settings.MODEL_PROVIDER, environment_backend()
    # Model names without a provider do not apply to a provider that the workspace chose.
    workspace_chose = bool(row and row.backend) and not provider
    return (
        ModelPreference(
            "The environment",
            provider,
            {} if workspace_chose and not names_for else settings.MODELS,
            names_for=names_for,
        ),
        ModelPreference("This workspace", row.backend, row.by_purpose) if row else ModelPreference("This workspace"),
        ModelPreference(
            "The settings file",
            file.backend,
            {} if workspace_chose and not file.backend else file.names,
            file.own_names,
        ),
    )
