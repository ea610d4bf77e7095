"""Which models serve the current unit's workspace, and why. The environment goes before the workspace, which goes
before the settings file."""

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
from apps.llm.routing.key_check import MOST_MODELS
from apps.llm.routing.model_selection import BackendStatus, ModelChoice, ModelPreference, choice_of
from apps.llm.routing.providers import OFFLINE, provider_specs
from apps.llm.selectors.provider_availability import Surroundings, environment_backend
from apps.llm.selectors.reservation_estimate import lacks_price

_SETTINGS = f"""
SELECT {columns_of(ModelSettings, "settings")} FROM llm_modelsettings AS settings WHERE workspace_id = %(workspace)s
"""  # noqa: S608  # the only inserted text is the names of columns
_KEYS = f"""
SELECT {columns_of(ProviderKey, "key")} FROM llm_providerkey AS key WHERE workspace_id = %(workspace)s
"""  # noqa: S608  # the only inserted text is the names of columns
RECALL_ONLY = "This workspace calls no models: it only recalls."


@dataclass(frozen=True, slots=True)
class ModelsRecord:
    """What a workspace chose (None is left to the installation), what holds for each purpose, and what was found.
    `version` is 0 until it chose."""

    version: int
    backend: str | None
    by_purpose: Mapping[str, str | None]
    local_allowed: bool
    chosen: tuple[ModelChoice, ...]
    providers: tuple[BackendStatus, ...]


def model_chosen(purpose: Purpose, policy: Policy) -> tuple[ModelChoice, BackendStatus]:
    """For one purpose, and how its backend is reached. Two reads."""
    row, surroundings = _read()
    choice = _choice(purpose, policy, row, surroundings)
    return choice, surroundings.find(choice.backend)


def models_get(actor: Actor, policy: Policy) -> ModelsRecord:
    """All that the actor may know."""
    row, surroundings = _read()
    model_settings = row or ModelSettings()
    return ModelsRecord(
        version=model_settings.version,
        backend=model_settings.backend or None,
        by_purpose={purpose.value: model_settings.by_purpose.get(purpose) for purpose in CHOOSABLE},
        local_allowed=model_settings.local_allowed,
        chosen=tuple(_choice(purpose, policy, row, surroundings) for purpose in CHOOSABLE),
        providers=tuple(found_shown(actor, surroundings.find(spec.id)) for spec in provider_specs()),
    )


def found_shown(actor: Actor, providers: BackendStatus) -> BackendStatus:
    """What the actor may know of it. The installation's keys and addresses are its operators' business, those of the
    workspace its administrators'; of a key nobody sees more than the end."""
    if not actor.may(Permission.MANAGE_MODELS):
        return replace(providers, key=None, base_url="", models=())
    shown = replace(providers, models=providers.models[:MOST_MODELS])
    return shown if providers.key and providers.key.source == "workspace" else replace(shown, key=None, base_url="")


def backend_found(backend: str) -> BackendStatus:
    """What there is of one backend."""
    return _read()[1].find(backend)


def _read() -> tuple[ModelSettings | None, Surroundings]:
    row = fetch_model(ModelSettings, _SETTINGS)
    return row, Surroundings(row, fetch_models(ProviderKey, _KEYS))


def _choice(purpose: Purpose, policy: Policy, row: ModelSettings | None, surroundings: Surroundings) -> ModelChoice:
    if not policy.model_calls_enabled:
        return ModelChoice(purpose, OFFLINE, OFFLINE_MODEL, False, RECALL_ONLY)
    choice = choice_of(purpose, _said(row), surroundings.find)
    return replace(choice, refused="no_price") if lacks_price(choice.backend, choice.model, policy) else choice


def _said(row: ModelSettings | None) -> tuple[ModelPreference, ...]:
    file, provider, names_for = settings.MODEL_FILE, settings.MODEL_PROVIDER, environment_backend()
    # A model's name beside no provider says nothing of a provider that the workspace chose.
    its_own = bool(row and row.backend) and not provider
    return (
        ModelPreference(
            "The environment", provider, {} if its_own and not names_for else settings.MODELS, names_for=names_for
        ),
        ModelPreference("This workspace", row.backend, row.by_purpose) if row else ModelPreference("This workspace"),
        ModelPreference(
            "The settings file", file.backend, {} if its_own and not file.backend else file.names, file.own_names
        ),
    )
