"""The embedded servers of the test suite."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import connection

from config.stack.postgres import APPLICATION

Connection = psycopg.Connection[Any]


@pytest.mark.django_db
def test_the_suite_connects_as_the_application_role_which_owns_nothing_and_is_no_superuser() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (APPLICATION, False, False)
        cursor.execute("SELECT count(*) FROM pg_tables WHERE tableowner = current_user")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db(transaction=True)
def test_a_transactional_test_can_clear_the_tables() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_session VALUES ('k', 'd', now())")


def test_the_owner_is_no_superuser_and_owns_the_tables(owner_connection: Connection) -> None:
    row = owner_connection.execute("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
    assert row.fetchone() == (False, False)
    owners = owner_connection.execute("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'")
    assert owners.fetchall() == [("continuity",)]


def test_the_vector_extension_is_installed(superuser_connection: Connection) -> None:
    names = superuser_connection.execute("SELECT extname FROM pg_extension").fetchall()
    assert ("vector",) in names
