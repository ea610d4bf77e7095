"""Background jobs for models."""

from __future__ import annotations

from apps.common.tenancy import workspace
from apps.jobs.services import Lease
from apps.llm.services.rejected_answers import rejected_prune


def rejected_prune_job(lease: Lease) -> None:
    with workspace(lease.workspace_id):
        rejected_prune()
