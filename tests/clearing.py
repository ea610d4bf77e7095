"""Empties the tables after a test with real transactions.

Django truncates all of them and makes content types and permissions anew, whatever a test wrote: that takes a fifth of
a second, hundreds of times. Most tests leave a few rows in a few tables, and those are deleted.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.errors import DeadlockDetected
from psycopg.sql import SQL, Composed, Identifier, Literal

from config.stack.postgres import SUPERUSER
from tests.stack import TestServers

MOST_TRIES = 20
KEPT = ["django_migrations", "django_content_type", "auth_permission"]
"""What migrating makes stays as it is."""
MOST_BYTES = 2_000_000
"""More than that is sooner truncated than deleted, and leaves no dead rows to the tests that follow."""
TABLES = """
SELECT tablename, pg_relation_size(quote_ident(tablename)::regclass)
  FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL (%s) ORDER BY tablename
"""

Connection = psycopg.Connection[Any]


def clear_tables(servers: TestServers) -> None:
    """As the superuser: no other sees the rows of all workspaces, or may leave out the checks of foreign keys.

    Whoever is still writing may hold one table and want another: then it is the clearing that gives way, and begins
    anew.
    """
    for tries_left in reversed(range(MOST_TRIES)):
        try:
            _clear(servers)
            break
        except DeadlockDetected:
            if not tries_left:
                raise


def _clear(servers: TestServers) -> None:
    with psycopg.connect(servers.postgres.url(SUPERUSER)) as connection:
        # Who looks for a deadlock first is the one it ends; the others look after a second.
        connection.execute("SET deadlock_timeout = '50ms'")
        sizes: dict[str, int] = dict(connection.execute(TABLES, (KEPT,)).fetchall())
        if sum(sizes.values()) > MOST_BYTES:
            connection.execute(SQL("TRUNCATE {}").format(listed(sizes)))
            return
        # Whoever is still writing is waited for, as truncating would.
        connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(listed(sizes)))
        connection.execute("SET session_replication_role = replica")
        for name in filled(connection, sizes):
            connection.execute(SQL("DELETE FROM {}").format(Identifier(name)))


def listed(names: dict[str, int]) -> Composed:
    return SQL(", ").join(map(Identifier, names))


def filled(connection: Connection, names: dict[str, int]) -> list[str]:
    """Those of the tables that hold rows."""
    first_row = SQL("(SELECT {} FROM {} LIMIT 1)")
    looks = SQL(" UNION ALL ").join(first_row.format(Literal(name), Identifier(name)) for name in names)
    return [name for (name,) in connection.execute(looks)]
