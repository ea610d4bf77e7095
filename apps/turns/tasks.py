"""What a job of kind `conversation_import` does; its key is the operation's id."""

from __future__ import annotations

from apps.jobs.services import Lease
from apps.turns.services.import_operations import import_slice


def conversation_import_job(lease: Lease) -> None:
    import_slice(lease)
