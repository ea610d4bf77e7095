"""Handlers of memory jobs."""

from __future__ import annotations

from apps.jobs.services import Lease
from apps.memory.services.accesses import accesses_run
from apps.memory.services.index.embedding_job import vectors_run
from apps.memory.services.index.passages import messages_index_run
from apps.memory.services.index.reconcile import memory_sweep
from apps.memory.services.tiers.tier_job import tiers_run
from apps.memory.services.tree.archive_stale_job import archive_run


def memory_accesses_job(lease: Lease) -> None:
    accesses_run(lease)


def memory_archive_job(lease: Lease) -> None:
    archive_run(lease)


def memory_messages_job(lease: Lease) -> None:
    messages_index_run(lease)


def memory_sweep_job(lease: Lease) -> None:
    memory_sweep(lease)


def memory_tiers_job(lease: Lease) -> None:
    tiers_run(lease)


def memory_vectors_job(lease: Lease) -> None:
    vectors_run(lease)
