"""Background jobs of accounts."""

from __future__ import annotations

from apps.accounts.services.idempotency import idempotency_prune
from apps.accounts.services.pairings import pairing_prune
from apps.jobs.services import Lease
from apps.jobs.services.slices import run_in_slices


def idempotency_prune_job(lease: Lease) -> None:
    run_in_slices(lease, idempotency_prune)


def pairing_prune_job(lease: Lease) -> None:
    pairing_prune()
