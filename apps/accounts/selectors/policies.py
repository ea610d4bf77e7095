"""The effective policy of a workspace: the installation's, with the workspace's overrides."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TypeVar

from django.conf import settings
from django.db.models import Model, OuterRef, QuerySet, Subquery

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.accounts.records import PolicyRecord
from apps.common.errors import Conflict
from apps.common.reads import fetch_row
from apps.engine.policy import Policy, PolicyError, policy_bounded

Row = TypeVar("Row", bound=Model)
_OVERRIDES = "SELECT overrides::text FROM accounts_workspacepolicy WHERE workspace_id = %(workspace)s"


def installation_policy() -> Policy:
    policy: Policy = settings.CONTINUITY_POLICY
    return policy


def policy_for_workspace() -> Policy:
    """The policy of the current unit's workspace."""
    row = fetch_row(_OVERRIDES)
    return policy_effective(json.loads(row[0]) if row else {})


def policy_effective(overrides: dict[str, object]) -> Policy:
    """Apply overrides to the installation's policy; drop them all if they no longer fit it."""
    if not overrides:
        return installation_policy()
    try:
        return policy_bounded(installation_policy(), overrides)
    except PolicyError:
        return installation_policy()


def require_engine(policy: Policy) -> None:
    if not policy.engine_enabled:
        raise Conflict("The engine is off in this workspace.", code="engine_disabled")


def policies_of(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Annotate rows of several workspaces with their workspace's overrides, for `policy_of`."""
    own = WorkspacePolicy.objects.filter(workspace_id=OuterRef("workspace_id")).values("overrides")[:1]
    return rows.annotate(policy_overrides=Subquery(own))  # type: ignore[return-value]  # the annotation changes the row type


def policy_of(row: Model) -> Policy:
    """The policy of the workspace of a row from `policies_of`."""
    return policy_effective(getattr(row, "policy_overrides", None) or {})


def policy_get(actor: Actor) -> PolicyRecord:
    row = WorkspacePolicy.objects.filter(workspace_id=actor.workspace_id).first()
    return policy_record(row)


def policy_record(row: WorkspacePolicy | None) -> PolicyRecord:
    overrides = row.overrides if row else {}
    return PolicyRecord(
        version=row.version if row else 0,
        effective=asdict(policy_effective(overrides)),
        overrides=overrides,
        installation=asdict(installation_policy()),
    )
