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


class AccessBuffer:
    """Per-process access buffer of all workspaces, flushed by one thread `after_s` seconds after the first access.

    With `after_s=None` it is flushed only by `write`."""

    def __init__(self, after_s: float | None) -> None:
        self._after_s = after_s
        self._lock = Lock()
        self._buffered: dict[UUID, list[UUID]] = defaultdict(list)
        self._is_due = False

    def add(self, workspace_id: UUID, node_ids: Iterable[UUID]) -> None:
        """Record that a search returned each of these nodes now."""
        with self._lock:
            self._buffered[workspace_id] += node_ids
            self._is_due = self._is_due or self._start_timer()

    def write(self) -> None:
        """Write all buffered accesses; log those that fail."""
        with self._lock:
            buffered, self._buffered = self._buffered, defaultdict(list)
        for workspace_id, node_ids in buffered.items():
            try:
                with workspace(workspace_id):
                    accesses_add(node_ids)
            except Exception as error:  # no caller could handle it, and it must not block other workspaces
                _log.warning("memory.accesses_lost", count=len(node_ids), error=type(error).__name__)

    def _start_timer(self) -> bool:
        """Start the flush timer; return whether it was started."""
        if self._after_s is None:
            return False
        timer = Timer(self._after_s, self._flush)
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError as error:
            _log.warning("memory.accesses_wait", error=str(error))
            return False
        return True

    def _flush(self) -> None:
        """Flush on the timer's thread and close its database connections."""
        try:
            self.write()
        finally:
            connections.close_all()
            with self._lock:
                self._is_due = bool(self._buffered) and self._start_timer()


access_buffer = AccessBuffer(settings.ACCESS_NOTES_AFTER_S)
