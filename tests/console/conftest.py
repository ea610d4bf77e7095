"""Fixtures of the console: an operator, and rows of every table in Alice's and Charlie's workspaces."""

from __future__ import annotations

from collections.abc import Iterator

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
    return User.objects.create_superuser("olga@example.org", PASSWORD, name="Olga")


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
def rows(alice: Actor, bob: Actor, charlie: Actor, operator: User) -> Rows:
    """Rows by model name: one of Alice's workspace, then one of Charlie's."""
    with operators_unit(operator.id, "the tests' own rows"):
        pass
    of_alice, of_charlie = rows_of(alice, "azure"), rows_of(charlie, "cyan")
    held: Rows = {name: [row, of_charlie[name]] for name, row in of_alice.items()}
    held["ConversationShare"] = [share(of_alice["Conversation"], bob)]  # type: ignore[arg-type]  # by its name
    for model in (User, Workspace, Membership, OperatorAccess):
        held[model.__name__] = list(model.objects.all())
    user_type = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=operator, content_type=user_type, object_id=operator.pk, object_repr="x", action_flag=CHANGE
    )
    Group.objects.create(name="Readers")
    held["LogEntry"], held["Group"] = list(LogEntry.objects.all()), list(Group.objects.all())
    return held
