"""Changes of a workspace's policy, with optimistic locking."""

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
from apps.common.versions import require_version
from apps.engine.policy import PolicyError, policy_override


def policy_update(actor: Actor, *, overrides: Mapping[str, Any], version: int | None) -> PolicyRecord:
    """Merge `overrides` into those of the given version; None resets a value to the installation's.

    Overrides beyond the installation's limits are stored but have no effect (`policy_bounded`). Raises `Stale` for an
    outdated version and `Invalid` for an invalid value.
    """
    require(actor, Permission.MANAGE_WORKSPACE)
    row = WorkspacePolicy.objects.select_for_update(of=("self",)).filter(workspace_id=actor.workspace_id).first()
    require_version(version, row.version if row else 0, of="The policy")
    merged = {**(row.overrides if row else {}), **overrides}
    remaining = {key: value for key, value in merged.items() if value is not None}
    _check(remaining)
    return policy_record(_store(row, remaining))


def _store(row: WorkspacePolicy | None, overrides: dict[str, Any]) -> WorkspacePolicy:
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
    return Stale("The policy was changed elsewhere. Review it, then try again.", extra={"version": version})
