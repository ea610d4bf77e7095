"""Background jobs of accounts."""

from __future__ import annotations

from apps.accounts.services.idempotency import idempotency_prune
from apps.accounts.services.pairings import pairing_prune
from apps.common.tenancy import workspace
from apps.jobs.services import Lease


def idempotency_prune_job(lease: Lease) -> None:
    with workspace(lease.workspace_id):
        idempotency_prune()


def pairing_prune_job(lease: Lease) -> None:
    pairing_prune()
