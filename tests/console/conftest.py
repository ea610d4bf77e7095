"""Fixtures of the console: an operator, and rows of every table in Alice's and Charlie's workspaces."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, OperatorAccess, User, Workspace
from apps.accounts.services.operator_access import operator as operators_unit
from apps.common.tenancy import every_workspace
from tests.console.rows import rows_of, share
from tests.people import PASSWORD

Rows = dict[str, list[Model]]


@pytest.fixture
def operator(db: None) -> User:
    return olga()


def olga() -> User:
    """The operator, created if necessary."""
    email = "olga@example.org"
    return User.objects.filter(email=email).first() or User.objects.create_superuser(email, PASSWORD, name="Olga")


@pytest.fixture
def console(operator: User) -> Client:
    """A client with the operator's session."""
    client = Client()
    client.force_login(operator)
    return client


@pytest.fixture
def everything(db: None) -> Iterator[None]:
    """Access to the tables of all workspaces within a test."""
    with every_workspace():
        yield


@pytest.fixture
def rows(shared_rows: Rows) -> Rows:
    """Rows by model name: one of Alice's workspace, then one of Charlie's. A test may change its copies."""
    return deepcopy(shared_rows)


@pytest.fixture(scope="module")
def shared_rows(shared_alice: Actor, shared_bob: Actor, shared_charlie: Actor) -> Rows:
    operator = olga()
    with operators_unit(operator.id, "the tests' own rows"):
        pass
    of_alice, of_charlie = rows_of(shared_alice, "azure"), rows_of(shared_charlie, "cyan")
    held: Rows = {name: [row, of_charlie[name]] for name, row in of_alice.items()}
    held["ConversationShare"] = [share(of_alice["Conversation"], shared_bob)]  # type: ignore[arg-type]  # by its name
    for model in (User, Workspace, Membership, OperatorAccess):
        held[model.__name__] = list(model.objects.all())
    user_type = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=operator, content_type=user_type, object_id=operator.pk, object_repr="x", action_flag=CHANGE
    )
    Group.objects.create(name="Readers")
    held["LogEntry"], held["Group"] = list(LogEntry.objects.all()), list(Group.objects.all())
    return held
