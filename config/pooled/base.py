"""A backend whose connections are looked at before they are used: those of a server that went away are thrown out.

The pool's own check costs each request a round trip, and pauses ever longer after each connection that fails it: with
eight of them it gives up. A connection whose server has closed it has something to read, and to see that costs nothing.
"""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """One from the pool that is still open; the pool replaces the others."""
        connection: Connection[Any] = super().get_new_connection(conn_params)
        while _is_gone(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection


def _is_gone(connection: Connection[Any]) -> bool:
    """Nobody has asked it anything: what there is to read is the end, or the reason for it."""
    readable = select.poll()
    readable.register(connection.fileno(), select.POLLIN)
    return bool(readable.poll(0))
