"""Changes of a workspace's model settings, with optimistic locking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor, require
from apps.accounts.permissions import Permission
from apps.common.errors import Invalid, Stale, Unprocessable
from apps.common.tenancy import workspace
from apps.common.versions import require_version
from apps.llm.models import ModelSettings
from apps.llm.providers.base import Purpose
from apps.llm.routing.providers import provider_spec


@dataclass(frozen=True, slots=True)
class ModelsChange:
    """A change of model settings.

    A `backend` of None is unchanged; an empty one leaves the choice to the installation, as does a purpose without a
    model. A changed backend clears the models by purpose.
    """

    backend: str | None = None
    by_purpose: Mapping[Purpose, str | None] = field(default_factory=dict)


def models_update(actor: Actor, *, change: ModelsChange, version: int | None) -> None:
    """Apply a change to the given version, inside a unit of the actor's workspace; raises `Stale`."""
    require(actor, Permission.MANAGE_MODELS)
    row = ModelSettings.objects.select_for_update(of=("self",)).filter(workspace_id=actor.workspace_id).first()
    require_version(version, row.version if row else 0, of="The choice of models")
    row = row or _create()
    _require_allowed(change.backend, row)
    _apply(row, change)
    row.version += 1
    row.save(update_fields=["backend", "by_purpose", "version", "updated_at"])


def local_models_allow(*, workspace_id: UUID) -> None:
    """Allow a workspace this server's own Claude CLI and Ollama, unless an operator has decided already."""
    with workspace(workspace_id):
        ModelSettings.objects.get_or_create(workspace_id=workspace_id, defaults={"local_allowed": True})


def _apply(row: ModelSettings, change: ModelsChange) -> None:
    if change.backend is not None and change.backend != row.backend:
        # The names belong to the models of the other backend.
        row.backend, row.by_purpose = change.backend, {}
    merged = {**row.by_purpose, **{purpose.value: name for purpose, name in change.by_purpose.items()}}
    row.by_purpose = {purpose: name for purpose, name in merged.items() if name}


def _require_allowed(backend: str | None, row: ModelSettings) -> None:
    if not backend:
        return
    try:
        spec = provider_spec(backend)
    except ValueError as error:
        problem = {"pointer": "/backend", "code": "invalid", "detail": f"It {error}."}
        raise Invalid("Unknown provider.", extra={"errors": [problem]}) from None
    if spec.local and not row.local_allowed:
        detail = "Local models are off in this workspace. Only the server operator can allow them."
        raise Unprocessable(detail, code="backend_not_allowed")


def _create() -> ModelSettings:
    try:
        with transaction.atomic():
            return ModelSettings.objects.create()
    except IntegrityError as error:
        raise _stale(1) from error


def _stale(version: int) -> Stale:
    return Stale("The choice of models was changed elsewhere. Review it, then try again.", extra={"version": version})
