"""Questions whose SQL is kept: asked with other values they answer as a queryset made anew would."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.db import DataError, connection, transaction
from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Concat
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, WorkspacePolicy
from apps.accounts.services.operator_access import operator
from apps.common.ids import uuid7
from apps.common.prepared_queries import first, kept
from apps.common.tenancy import NoWorkspace, workspace
from apps.conversations.models import Conversation

pytestmark = pytest.mark.django_db
asked: list[str] = []


@kept
def titled(title: str, most_messages: int) -> QuerySet[Conversation]:
    asked.append(title)
    return Conversation.objects.filter(title=title, message_count__lte=most_messages)


@kept
def among(ids: list[UUID]) -> QuerySet[Conversation]:
    return Conversation.objects.filter(pk__in=ids).order_by("title")


@kept
def titles_of(owner_id: UUID) -> QuerySet[Conversation, str]:
    return Conversation.objects.filter(owner_id=owner_id).order_by("title").values_list("title", flat=True)


@kept
def places_of(owner_id: UUID) -> QuerySet[Conversation, tuple[str, int]]:
    return Conversation.objects.filter(owner_id=owner_id).order_by("title").values_list("title", "message_count")


@kept
def policies() -> QuerySet[WorkspacePolicy]:
    return WorkspacePolicy.objects.all()


@kept
def with_people(user_id: UUID) -> QuerySet[Membership, Any]:
    called = Concat(Value("role "), "role", output_field=CharField())
    return Membership.objects.filter(user_id=user_id).select_related("user").annotate(called=called).defer("created_at")


@kept
def held(conversation_id: UUID) -> QuerySet[Conversation]:
    return Conversation.objects.select_for_update().filter(pk=conversation_id)


@kept
def forgetful(title: str, owner_id: UUID) -> QuerySet[Conversation]:
    return Conversation.objects.filter(title=title)


def talks(actor: Actor, *titles: str) -> list[Conversation]:
    return [Conversation.objects.create(owner_id=actor.user_id, title=title) for title in titles]


@pytest.fixture
def unit(alice: Actor) -> Iterator[None]:
    with workspace(alice.workspace_id):
        yield


@pytest.mark.usefixtures("unit")
def test_each_time_its_values_are_asked_for(alice: Actor) -> None:
    rows = talks(alice, "one", "two")
    assert titled("one", 0) == rows[:1]
    assert titled("two", 5) == rows[1:]
    assert titled("two", -1) == titled("three", 5) == []
    assert len(asked) <= 1, "the queryset is made once"


@pytest.mark.usefixtures("unit")
def test_lists_of_every_length_may_be_asked_for(alice: Actor) -> None:
    rows = talks(alice, "a", "b", "c")
    assert among([row.id for row in rows[1:]]) == rows[1:]
    assert among([rows[0].id, uuid7()]) == rows[:1]
    assert among([]) == []


@pytest.mark.usefixtures("unit")
def test_values_come_as_they_do_from_django(alice: Actor, bob: Actor) -> None:
    talks(alice, "a", "b")
    assert titles_of(alice.user_id) == ["a", "b"]
    assert places_of(alice.user_id) == [("a", 0), ("b", 0)]
    assert titles_of(bob.user_id) == places_of(bob.user_id) == []


@pytest.mark.usefixtures("unit")
def test_rows_come_whole_with_what_belongs_to_them(alice: Actor, django_assert_num_queries: Any) -> None:
    with_people(alice.user_id)
    with django_assert_num_queries(1):
        (row,) = with_people(alice.user_id)
        assert row.user.pk == alice.user_id
        assert row.called == f"role {row.role}"
    assert row.get_deferred_fields() == {"created_at"}
    assert row._state.db == "default"
    assert not row._state.adding


@pytest.mark.usefixtures("unit")
def test_what_is_stored_as_json_is_read_as_such() -> None:
    policies()
    WorkspacePolicy.objects.create(overrides={"max_goals": 3})
    assert [row.overrides for row in policies()] == [{"max_goals": 3}]


@pytest.mark.usefixtures("unit")
def test_a_row_is_locked_each_time(alice: Actor) -> None:
    (talk,) = talks(alice, "one")
    held(talk.id)
    with CaptureQueriesContext(connection) as told:
        assert held(talk.id) == [talk]
    assert "FOR UPDATE" in told.captured_queries[0]["sql"]


def test_each_unit_sees_its_own_rows_and_an_operators_all(alice: Actor, charlie: Actor) -> None:
    for actor in (alice, charlie):
        with workspace(actor.workspace_id):
            WorkspacePolicy.objects.create(overrides={})
            assert [row.workspace_id for row in policies()] == [actor.workspace_id]
    with operator(alice.user_id, "a look at all"):
        assert {row.workspace_id for row in policies()} == {alice.workspace_id, charlie.workspace_id}


def test_outside_a_unit_it_is_closed_also_when_it_was_asked_inside(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        policies()
    with pytest.raises(NoWorkspace):
        policies()


def test_tables_that_are_nobodys_are_read_outside_a_unit(alice: Actor) -> None:
    assert [row.user_id for row in with_people(alice.user_id)] == [alice.user_id]


@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_over_its_own_connection(alice: Actor) -> None:
    def from_a_thread() -> list[UUID]:
        try:
            return [row.user_id for row in with_people(alice.user_id)]
        finally:
            connection.close()

    with_people(alice.user_id)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(from_a_thread).result() == [alice.user_id]


@pytest.mark.usefixtures("unit")
def test_a_parameter_that_is_not_asked_for_is_a_mistake(alice: Actor) -> None:
    with pytest.raises(TypeError, match=r"forgetful does not ask for its parameters \[2\]"):
        forgetful("one", alice.user_id)


@pytest.mark.usefixtures("unit")
def test_a_value_too_many_takes_nobodys_place(alice: Actor, charlie: Actor) -> None:
    for values in ((), ("one",), ("one", 0, charlie.workspace_id)):
        with pytest.raises(TypeError, match=f"2 values are asked for, not {len(values)}"):
            titled(*values)


@pytest.mark.usefixtures("unit")
def test_a_database_error_is_that_of_the_statement(alice: Actor) -> None:
    with pytest.raises(DataError, match="NUL"), transaction.atomic():
        titled("\0", 0)
    assert titled("one", 0) == []


def test_the_first_of_no_rows_is_none() -> None:
    assert first([]) is None
    assert first([1]) == 1
