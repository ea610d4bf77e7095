"""Data that the tests of a module share: made once, in a transaction around them; a test is a savepoint.

A module-scoped fixture that depends on `shared_alice` (or its neighbors here) makes the data. `acme`, `alice` and `bob`
of a test that uses it are the people who own the data; with `shared_charlie`, `charlie` is too. What a test changes is
rolled back, as always. A module whose tests commit cannot share data, because other connections would not see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from apps.accounts.actors import Actor
from apps.accounts.models import Role, Workspace
from tests.people import person


@pytest.fixture(scope="module")
def shared_transaction(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A transaction around the tests of a module."""
    committing = [item.name for item in request.session.items if item.path == request.path and commits(item)]
    assert not committing, f"tests that commit see no shared data and need a file of their own: {committing}"
    with django_db_blocker.unblock(), connection_stays_open(), rolled_back():
        yield


@contextmanager
def rolled_back() -> Iterator[None]:
    """A transaction or savepoint around tests. To the code that may run in none, it is that of a test case."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # as Django's test cases do
    with block:
        yield
        transaction.set_rollback(True)


def commits(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    return marker is not None and bool(marker.kwargs.get("transaction"))


@contextmanager
def connection_stays_open() -> Iterator[None]:
    """Django's test cases close the connection after each test."""
    connection.ensure_connection()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "close", lambda: None)
        yield


@pytest.fixture(scope="module")
def shared_acme(shared_transaction: None) -> Workspace:
    return Workspace.objects.create(name="Acme")


@pytest.fixture(scope="module")
def shared_alice(shared_acme: Workspace) -> Actor:
    return person("Alice", shared_acme, Role.OWNER)


@pytest.fixture(scope="module")
def shared_bob(shared_acme: Workspace) -> Actor:
    return person("Bob", shared_acme, Role.MEMBER)


@pytest.fixture(scope="module")
def shared_charlie(shared_transaction: None) -> Actor:
    return person("Charlie", Workspace.objects.create(name="Charlie's"), Role.OWNER)
