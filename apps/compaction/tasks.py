"""What a job of kind `compaction` does; its key is the conversation's id."""

from __future__ import annotations

from apps.compaction.services.running import compaction_run
from apps.jobs.services import Lease


def compaction_job(lease: Lease) -> None:
    compaction_run(lease)
