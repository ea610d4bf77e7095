"""Background jobs for models."""

from __future__ import annotations

from apps.jobs.services import Lease
from apps.jobs.services.slices import run_in_slices
from apps.llm.services.rejected_answers import rejected_prune


def rejected_prune_job(lease: Lease) -> None:
    run_in_slices(lease, rejected_prune)
