"""Handlers of the jobs `agent_session_end` and `agent_observations` (by conversation id)."""

from __future__ import annotations

from apps.agents.services.endings import end_infer
from apps.agents.services.observations_archive import observations_archive_run
from apps.jobs.services import Lease


def session_end_job(lease: Lease) -> None:
    end_infer(lease)


def observations_job(lease: Lease) -> None:
    observations_archive_run(lease)
