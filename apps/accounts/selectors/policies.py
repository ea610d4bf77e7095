"""The constants that hold in a workspace: the installation's, with the workspace's own over them."""

from __future__ import annotations

from dataclasses import asdict

from django.conf import settings

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.accounts.records import PolicyRecord
from apps.engine.policy import Policy, PolicyError, policy_bounded


def installation_policy() -> Policy:
    policy: Policy = settings.CONTINUITY_POLICY
    return policy


def policy_for_workspace() -> Policy:
    """The policy of the current unit's workspace."""
    row = WorkspacePolicy.objects.first()
    return policy_effective(row.overrides if row else {})


def policy_effective(overrides: dict[str, object]) -> Policy:
    """The installation may have changed since the overrides were checked: where they no longer fit, it wins."""
    try:
        return policy_bounded(installation_policy(), overrides)
    except PolicyError:
        return installation_policy()


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
