"""The servers of a test run as fixtures; `tests.stack` loads them after every other plugin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.test import TransactionTestCase

from config.stack.postgres import OWNER, SUPERUSER
from tests.clearing import clear_tables, truncate_if_large
from tests.stack import SERVERS, TestServers

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="session")
def stack() -> TestServers:
    """The running servers."""
    if not SERVERS.children:
        SERVERS.start()
    return SERVERS


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, stack: TestServers) -> Iterator[None]:
    """The database exists already: the application's role could neither create nor migrate it."""
    with pytest.MonkeyPatch.context() as patch:
        # pytest-django makes its transactional cases of this class, and has no other way in.
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: clear_tables(stack))
        yield


@pytest.fixture(scope="module", autouse=True)
def no_dead_rows() -> Iterator[None]:
    """Remove what the rolled back tests of a module leave in the tables' files, which nothing vacuums."""
    yield
    if SERVERS.children:
        truncate_if_large(SERVERS)


@pytest.fixture(scope="session")
def redis_url(stack: TestServers) -> str:
    """The address of the running Redis."""
    return stack.redis.url


@pytest.fixture
def owner_connection(stack: TestServers) -> Iterator[Connection]:
    """A connection as the owner of the tables, outside the test's transaction."""
    with psycopg.connect(stack.postgres.url(OWNER), autocommit=True) as connection:
        yield connection


@pytest.fixture
def superuser_connection(stack: TestServers) -> Iterator[Connection]:
    """A connection that sees every row of every workspace, outside the test's transaction."""
    with psycopg.connect(stack.postgres.url(SUPERUSER), autocommit=True) as connection:
        yield connection
