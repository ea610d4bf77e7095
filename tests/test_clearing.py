"""Clearing the tables while another transaction is still writing."""

from __future__ import annotations

from threading import Thread

import psycopg
import pytest

from apps.accounts.actors import Actor
from config.stack.postgres import SUPERUSER
from tests.clearing import clear_tables
from tests.processes import eventually
from tests.stack import TestServers

pytestmark = pytest.mark.django_db(transaction=True)

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'ExclusiveLock'"


def test_the_clearing_retries_after_a_deadlock_with_a_writer(
    alice: Actor, stack: TestServers, superuser_connection: psycopg.Connection[tuple[int]]
) -> None:
    def clearing_waits() -> bool:
        return superuser_connection.execute(WAITING).fetchone() == (1,)

    clearing = Thread(target=clear_tables, args=[stack])
    with psycopg.connect(stack.postgres.url(SUPERUSER)) as writer:
        # The clearing looks for a deadlock first, however busy the machine is.
        writer.execute("SET deadlock_timeout = '60s'")
        writer.execute("LOCK TABLE jobs_duejob IN ROW EXCLUSIVE MODE")
        clearing.start()
        assert eventually(clearing_waits)
        writer.execute("LOCK TABLE accounts_apikey IN ROW EXCLUSIVE MODE")
    clearing.join(timeout=30)
    left = superuser_connection.execute("SELECT count(*) FROM accounts_workspace").fetchone()
    assert not clearing.is_alive() and left == (0,)
