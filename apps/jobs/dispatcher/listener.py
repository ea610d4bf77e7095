"""Waiting for work: a PostgreSQL notification, the next due time, a signal, or the end of a local job.

Notifications only reduce the latency. Without them (behind a pooler, for example) jobs start by their due times.
"""

from __future__ import annotations

import contextlib
import select
import socket
from typing import Any

import psycopg
from django.db import connection

from apps.jobs.services.enqueue import CHANNEL


class Listener:
    """LISTEN on Django's connection, with a socket pair through which this process wakes itself."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._listening: psycopg.Connection[Any] | None = None

    def wake(self) -> None:
        """End the current or next wait; safe in a signal handler."""
        with contextlib.suppress(BlockingIOError):
            self._writer.send(b".")

    def listen(self) -> None:
        """Start listening, also again after a lost connection."""
        connection.ensure_connection()
        if self._listening is not connection.connection:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}")
            self._listening = connection.connection

    def wait(self, seconds: float) -> None:
        """Return after `seconds`, or earlier if a notification arrived since the last wait."""
        with connection.wrap_database_errors:
            if self._heard():
                return
            server = self._listening.fileno() if self._listening else self._reader
            select.select([server, self._reader], [], [], seconds)
            self._heard()
        with contextlib.suppress(BlockingIOError):
            self._reader.recv(4096)

    def pause(self, seconds: float) -> None:
        """Drop a failed connection and wait without it; a signal still ends the wait."""
        connection.close()
        self._listening = None
        select.select([self._reader], [], [], seconds)

    def _heard(self) -> bool:
        return self._listening is not None and any([True for _ in self._listening.notifies(timeout=0)])
