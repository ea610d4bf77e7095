"""Buffer of memory accesses by searches, written in one statement shortly after the responses.

A killed process loses the accesses of its last moment, which affect decay only; a web process flushes them on exit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from threading import Lock, Timer
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connections

from apps.common.tenancy import workspace
from apps.memory.services.accesses import accesses_add

_log = structlog.get_logger("continuity.memory")


class AccessNotes:
    """Of one process, for all its workspaces; written `after_s` seconds by one thread at a time, or only when told."""

    def __init__(self, after_s: float | None) -> None:
        self._after_s = after_s
        self._lock = Lock()
        self._found: dict[UUID, list[UUID]] = defaultdict(list)
        self._is_due = False

    def add(self, workspace_id: UUID, node_ids: Iterable[UUID]) -> None:
        """Each was found just now."""
        with self._lock:
            self._found[workspace_id] += node_ids
            self._is_due = self._is_due or self._wait()

    def write(self) -> None:
        """All that was found until now."""
        with self._lock:
            found, self._found = self._found, defaultdict(list)
        for workspace_id, node_ids in found.items():
            try:
                with workspace(workspace_id):
                    accesses_add(node_ids)
            except Exception as error:  # nobody is there to hear of it, and others wait for theirs
                _log.warning("memory.accesses_lost", count=len(node_ids), error=type(error).__name__)

    def _wait(self) -> bool:
        """Whether somebody is going to write them."""
        if self._after_s is None:
            return False
        timer = Timer(self._after_s, self._write_apart)
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError as error:
            _log.warning("memory.accesses_wait", error=str(error))
            return False
        return True

    def _write_apart(self) -> None:
        """On a thread of its own, whose connection ends with it."""
        try:
            self.write()
        finally:
            connections.close_all()
            with self._lock:
                self._is_due = bool(self._found) and self._wait()


access_notes = AccessNotes(settings.ACCESS_NOTES_AFTER_S)
