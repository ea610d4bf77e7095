"""Clearing of the tables after a test with real transactions.

Django truncates all of them and recreates content types and permissions, whatever a test wrote: that takes a fifth of
a second, hundreds of times. Most tests leave a few rows in a few tables, which are deleted here.
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
"""Filled by migrations."""
MOST_BYTES = 2_000_000
"""Beyond this size truncating is faster than deleting, and leaves no dead rows to the tests that follow."""
TABLES = """
SELECT tablename, pg_relation_size(quote_ident(tablename)::regclass)
  FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL (%s) ORDER BY tablename
"""

Connection = psycopg.Connection[Any]


def clear_tables(servers: TestServers) -> None:
    """Delete all rows as the superuser, who sees every workspace's rows and may skip the foreign key checks.

    A transaction that is still writing may have locked one table and wait for another: then the clearing is the
    deadlock's victim, and retries.
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
        sizes = sizes_of_tables(connection)
        if sum(sizes.values()) > MOST_BYTES:
            truncate(connection, sizes)
            return
        # Wait for transactions that are still writing, as TRUNCATE would.
        connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(listed(sizes)))
        connection.execute("SET session_replication_role = replica")
        for name in filled(connection, sizes):
            connection.execute(SQL("DELETE FROM {}").format(Identifier(name)))


def truncate_if_large(servers: TestServers) -> None:
    """Give the space of dead rows back."""
    with psycopg.connect(servers.postgres.url(SUPERUSER)) as connection:
        sizes = sizes_of_tables(connection)
        if sum(sizes.values()) > MOST_BYTES:
            truncate(connection, sizes)


def sizes_of_tables(connection: Connection) -> dict[str, int]:
    return dict(connection.execute(TABLES, (KEPT,)).fetchall())


def truncate(connection: Connection, names: dict[str, int]) -> None:
    connection.execute(SQL("TRUNCATE {}").format(listed(names)))


def listed(names: dict[str, int]) -> Composed:
    return SQL(", ").join(map(Identifier, names))


def filled(connection: Connection, names: dict[str, int]) -> list[str]:
    """Return the tables that contain rows."""
    first_row = SQL("(SELECT {} FROM {} LIMIT 1)")
    looks = SQL(" UNION ALL ").join(first_row.format(Literal(name), Identifier(name)) for name in names)
    return [name for (name,) in connection.execute(looks)]
