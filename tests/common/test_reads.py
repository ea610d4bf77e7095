"""Hand-written reads: within one workspace, and with the same instances as querysets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import DataError, connection, models, transaction

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.accounts.services.operator_access import operator
from apps.common.ids import uuid7
from apps.common.models import columns, columns_of
from apps.common.reads import fetch_model, fetch_models, fetch_row, fetch_rows
from apps.common.tenancy import NoWorkspace, workspace
from apps.conversations.models import Conversation, Message
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db

POLICIES = f"""
SELECT {columns_of(WorkspacePolicy, "policy")} FROM accounts_workspacepolicy AS policy
WHERE workspace_id = %(workspace)s
"""  # noqa: S608  # the only inserted text is the names of columns
# Only row-level security restricts it to a workspace.
EVERY_POLICY = "SELECT workspace_id FROM accounts_workspacepolicy"
MESSAGES = f"""
SELECT {columns_of(Message, "message")} FROM conversations_message AS message
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s ORDER BY "index"
"""  # noqa: S608  # the only inserted text is the names of columns
TITLES = "SELECT title FROM conversations_conversation WHERE workspace_id = %(workspace)s AND title = %(title)s"


@pytest.fixture
def unit(alice: Actor) -> Iterator[None]:
    with workspace(alice.workspace_id):
        yield


def values_of(row: models.Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in columns(type(row))}


def test_instances_are_those_of_a_queryset(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello", "Good morning")
    with workspace(alice.workspace_id):
        read = fetch_models(Message, MESSAGES, conversation=talk)
        expected = list(Message.objects.filter(conversation_id=talk).order_by("index"))
    assert [values_of(row) for row in read] == [values_of(row) for row in expected]
    assert not read[0].get_deferred_fields()


@pytest.mark.usefixtures("unit")
def test_an_instance_that_was_read_is_updated_when_it_is_saved() -> None:
    WorkspacePolicy.objects.create(overrides={"max_goals": 3})
    row = fetch_model(WorkspacePolicy, POLICIES)
    assert row is not None and row.overrides == {"max_goals": 3}
    row.overrides = {}
    row.save()
    assert [stored.overrides for stored in WorkspacePolicy.objects.all()] == [{}]


@pytest.mark.usefixtures("unit")
def test_where_there_is_no_row_there_is_none() -> None:
    assert fetch_models(WorkspacePolicy, POLICIES) == fetch_rows(TITLES, title="one") == []
    assert fetch_model(WorkspacePolicy, POLICIES) is fetch_row(TITLES, title="one") is None


def test_outside_a_unit_nothing_is_read(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        fetch_models(WorkspacePolicy, POLICIES)
    with pytest.raises(NoWorkspace):
        fetch_models(WorkspacePolicy, POLICIES)
    with pytest.raises(NoWorkspace):
        fetch_rows(EVERY_POLICY)


def test_an_operators_unit_is_refused_rather_than_given_nothing(alice: Actor) -> None:
    with operator(alice.user_id, "a look at all"), pytest.raises(NoWorkspace):
        fetch_rows(TITLES, title="one")


def test_each_unit_reads_its_own_workspace(alice: Actor, charlie: Actor) -> None:
    for actor in (alice, charlie):
        with workspace(actor.workspace_id):
            WorkspacePolicy.objects.create(overrides={})
    for actor in (alice, charlie):
        with workspace(actor.workspace_id):
            assert [row.workspace_id for row in fetch_models(WorkspacePolicy, POLICIES)] == [actor.workspace_id]
            assert fetch_rows(EVERY_POLICY) == [(actor.workspace_id,)]


def test_another_workspaces_id_finds_nothing(alice: Actor, charlie: Actor) -> None:
    talk = conversation(charlie)
    say(charlie, talk, "Hello")
    with workspace(alice.workspace_id):
        assert fetch_models(Message, MESSAGES, conversation=talk) == []


@pytest.mark.usefixtures("unit")
def test_a_value_that_postgresql_cannot_hold_is_djangos_error() -> None:
    with pytest.raises(DataError, match="NUL"), transaction.atomic():
        fetch_rows(TITLES, title="\0")
    assert fetch_rows(TITLES, title="one") == []


@pytest.mark.usefixtures("unit")
def test_a_saved_conversation_does_not_turn_its_state_version_back(alice: Actor) -> None:
    row = Conversation.objects.create(id=uuid7(), owner_id=alice.user_id)
    Conversation.objects.filter(pk=row.pk).update(state_version=7)
    row.save()
    assert Conversation.objects.get().state_version == 7


def test_columns_are_in_the_order_in_which_instances_take_them() -> None:
    for model in apps.get_models():
        loaded = model.from_db(connection.alias, [field.attname for field in columns(model)], columns(model))
        assert [getattr(loaded, field.attname) for field in columns(model)] == columns(model)
