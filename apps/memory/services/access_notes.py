"""That a search found memories, noted after its answer: what many found within a moment goes in one write.

Nobody waits for it. A process that is killed forgets the notes of its last moment, which tell of use and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from threading import Lock, Timer
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from apps.common.tenancy import workspace
from apps.memory.services.accesses import accesses_record

MOMENT_S = 0.5

_log = structlog.get_logger("continuity.memory")


class AccessNotes:
    """Of one process, for all its workspaces."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: dict[UUID, list[UUID]] = defaultdict(list)

    def add(self, workspace_id: UUID, node_ids: Iterable[UUID]) -> None:
        """Each was found just now."""
        with self._lock:
            is_first = not self._found
            self._found[workspace_id] += node_ids
        if is_first:
            # A process that ends in order waits for it.
            Timer(MOMENT_S, self._write_apart).start()

    def write(self) -> None:
        """All that was found until now."""
        with self._lock:
            found, self._found = self._found, defaultdict(list)
        for workspace_id, node_ids in found.items():
            try:
                with workspace(workspace_id):
                    accesses_record(node_ids)
            except DatabaseError as error:
                _log.warning("memory.accesses_lost", count=len(node_ids), error=type(error).__name__)

    def _write_apart(self) -> None:
        """On a thread of its own, whose connection ends with it."""
        try:
            self.write()
        finally:
            connections.close_all()


access_notes = AccessNotes()
