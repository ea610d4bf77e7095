"""Database backend that checks pooled connections without a round trip and discards those that the server closed.

Django passes its own check to the pool. That costs a round trip per request, and backs off longer after each connection
that fails: after eight of them it gives up. A connection that the server closed is readable, and polling it is free.
"""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """Return a pooled connection that is still open; the pool replaces the closed ones."""
        connection: Connection[Any] = super().get_new_connection(conn_params)
        while _is_closed(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection


def _is_closed(connection: Connection[Any]) -> bool:
    """Return whether an idle connection is readable: all it can receive is the end of the session, or its reason."""
    readable = select.poll()
    readable.register(connection.fileno(), select.POLLIN)
    return bool(readable.poll(0))
