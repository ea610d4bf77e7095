"""Changing a workspace's constants, one version at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor, require
from apps.accounts.models import WorkspacePolicy
from apps.accounts.permissions import Permission
from apps.accounts.records import PolicyRecord
from apps.accounts.selectors.policies import installation_policy, policy_record
from apps.common.errors import Invalid, Stale
from apps.engine.policy import PolicyError, policy_override


def policy_update(actor: Actor, *, overrides: Mapping[str, Any], version: int) -> PolicyRecord:
    """Lay `overrides` over those of the given version; None takes one back to the installation's value.

    What would allow more than the installation does is kept, and has no effect (`policy_bounded`).
    """
    require(actor, Permission.MANAGE_WORKSPACE)
    row = WorkspacePolicy.objects.select_for_update(of=("self",)).filter(workspace_id=actor.workspace_id).first()
    held = row.version if row else 0
    if held != version:
        raise _stale(held)
    merged = {**(row.overrides if row else {}), **overrides}
    kept = {key: value for key, value in merged.items() if value is not None}
    _check(kept)
    return policy_record(_stored(row, kept))


def _stored(row: WorkspacePolicy | None, overrides: dict[str, Any]) -> WorkspacePolicy:
    if row is not None:
        row.overrides = overrides
        row.version += 1
        row.save(update_fields=["overrides", "version", "updated_at"])
        return row
    try:
        with transaction.atomic():
            return WorkspacePolicy.objects.create(overrides=overrides)
    except IntegrityError as error:
        raise _stale(1) from error


def _check(overrides: dict[str, Any]) -> None:
    try:
        policy_override(installation_policy(), overrides)
    except PolicyError as error:
        pointer = "/overrides/" + error.key.replace("~", "~0").replace("/", "~1")
        problem = {"pointer": pointer, "code": "invalid", "detail": error.reason}
        raise Invalid(f"{error.key} {error.reason}.", code="invalid_policy", extra={"errors": [problem]}) from error


def _stale(version: int) -> Stale:
    return Stale("The policy was changed meanwhile.", extra={"version": version})
