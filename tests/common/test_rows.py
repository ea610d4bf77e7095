"""One row stored by a statement that is put together once: the same row as Django would store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.common.ids import uuid7
from apps.common.rows import row_insert, row_update
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun
from apps.conversations.models import Conversation

pytestmark = pytest.mark.django_db
LONG_AGO = timezone.now() - timedelta(days=900)


@pytest.fixture
def unit(alice: Actor) -> Iterator[None]:
    with workspace(alice.workspace_id):
        yield


@pytest.mark.usefixtures("unit")
def test_a_new_row_is_stored_as_django_stores_it() -> None:
    row = WorkspacePolicy(overrides={"max_goals": 3})
    row_insert(row)
    stored = WorkspacePolicy.objects.get()
    assert (stored.pk, stored.overrides, stored.workspace_id) == (row.pk, {"max_goals": 3}, row.workspace_id)
    assert stored.updated_at == row.updated_at
    row.overrides = {}
    row.save()
    assert WorkspacePolicy.objects.get().overrides == {}, "it is known to be stored"


@pytest.mark.usefixtures("unit")
def test_only_the_fields_that_are_named_are_stored(alice: Actor) -> None:
    row = Conversation.objects.create(owner_id=alice.user_id, title="before")
    row.title, row.system_prompt, row.updated_at = "after", "never", LONG_AGO
    row_update(row, ("title", "updated_at"))
    stored = Conversation.objects.get()
    assert (stored.title, stored.system_prompt) == ("after", "")
    assert stored.updated_at > LONG_AGO, "when it changed is now"


@pytest.mark.usefixtures("unit")
def test_a_number_that_advances_by_itself_is_not_turned_back(alice: Actor) -> None:
    row = Conversation.objects.create(owner_id=alice.user_id)
    with pytest.raises(TypeError, match="state_version"):
        row_update(row, ("state_version",))


@pytest.mark.usefixtures("unit")
def test_a_row_that_is_not_there_can_not_be_stored_again(alice: Actor) -> None:
    with pytest.raises(DatabaseError, match="there is no conversation"):
        row_update(Conversation(id=uuid7(), owner_id=alice.user_id), ("title",))


def test_another_workspaces_row_can_not_be_stored(alice: Actor, charlie: Actor) -> None:
    with workspace(charlie.workspace_id):
        row = Conversation.objects.create(owner_id=charlie.user_id, title="Charlie's")
    with workspace(alice.workspace_id), pytest.raises(DatabaseError, match="there is no"):
        row_update(row, ("title",))


@pytest.mark.usefixtures("unit")
def test_what_is_left_to_the_database_is_named() -> None:
    with pytest.raises(TypeError, match="leaves to the database: stage"):
        row_insert(CompactionRun(conversation_id=uuid7()))
