"""Relational profiles after their messages are excluded or permanently deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from uuid import UUID

import pytest
from django.apps import apps
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.edit import node_edit
from apps.turns.services.delete import message_delete
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import run_due_jobs
from tests.extraction.runs import remember
from tests.extraction.test_relational_profile import chat, profile_of

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "Quillon"
CALL_ME = f"You can call me {NAME}."
CALLED = f"- Wants to be called {NAME}"


@pytest.fixture
def talk(alice: Actor) -> UUID:
    """A conversation whose last message names its author, read for the profile."""
    talk = chat(alice, CALL_ME)
    remember(alice, talk)
    assert CALLED in profile_of(alice).l2_content
    return talk


def told_in(actor: Actor, talk: UUID) -> UUID:
    with workspace(actor.workspace_id):
        return Message.objects.get(conversation_id=talk, index=2).id


def exclude(actor: Actor, talk: UUID, *, excluded: bool = True) -> None:
    message_id = told_in(actor, talk)
    with workspace(actor.workspace_id):
        messages_set_excluded(actor, conversation_id=talk, message_ids=[message_id], excluded=excluded)
        assert tree_faults() == []


def delete(actor: Actor, talk: UUID) -> None:
    message_id = told_in(actor, talk)
    with workspace(actor.workspace_id):
        message_delete(actor, conversation_id=talk, message_id=message_id)
        assert tree_faults() == []


def edit(actor: Actor, content: str) -> None:
    row = profile_of(actor)
    with workspace(actor.workspace_id):
        node_edit(actor, node_id=row.id, changes={"content": content}, version=row.version)


def profiles(actor: Actor) -> list[MemNode]:
    with workspace(actor.workspace_id):
        return list(MemNode.objects.filter(uri=RELATIONAL_PROFILE.text))


def history(actor: Actor) -> str:
    with workspace(actor.workspace_id):
        revisions = MemRevision.objects.filter(node__uri=RELATIONAL_PROFILE.text)
        return str([(one.before, one.after) for one in revisions])


def tables_with(actor: Actor, word: str) -> Iterator[str]:
    with workspace(actor.workspace_id):
        for model in apps.get_models():
            if word.lower() in str(list(model._default_manager.values())).lower():
                yield model.__name__


def test_one_whose_messages_are_all_excluded_is_removed_and_returns_with_them(alice: Actor, talk: UUID) -> None:
    exclude(alice, talk)
    assert profiles(alice) == []
    exclude(alice, talk, excluded=False)
    assert CALLED in profile_of(alice).l2_content


def test_after_all_its_messages_were_excluded_a_later_message_begins_it_again(alice: Actor, talk: UUID) -> None:
    exclude(alice, talk)
    remember(alice, chat(alice, "No emoji please.", day=2))
    assert "Wants no emoji" in profile_of(alice).l2_content


def test_after_its_only_message_was_deleted_a_later_message_begins_it_again(alice: Actor, talk: UUID) -> None:
    delete(alice, talk)
    assert profiles(alice) == []
    remember(alice, chat(alice, "No emoji please.", day=2))
    assert "Wants no emoji" in profile_of(alice).l2_content


def test_the_words_of_an_excluded_message_leave_its_history(alice: Actor, talk: UUID) -> None:
    remember(alice, chat(alice, "No emoji please.", day=2))
    exclude(alice, talk)
    assert CALLED not in profile_of(alice).l2_content
    assert NAME not in history(alice)
    assert "Wants no emoji" in history(alice)


def test_no_table_has_the_words_of_a_deleted_message(alice: Actor, talk: UUID) -> None:
    remember(alice, chat(alice, "No emoji please.", day=2))
    run_due_jobs()
    assert "MemNode" in set(tables_with(alice, NAME))
    delete(alice, talk)
    assert list(tables_with(alice, NAME)) == []


def test_no_table_has_them_if_it_was_excluded_before(alice: Actor, talk: UUID) -> None:
    exclude(alice, talk)
    delete(alice, talk)
    assert list(tables_with(alice, NAME)) == []


@pytest.mark.parametrize("remove", [exclude, delete])
def test_what_a_person_wrote_in_it_stays(alice: Actor, talk: UUID, remove: Callable[[Actor, UUID], None]) -> None:
    edit(alice, f"{profile_of(alice).l2_content}\n\nLikes one subject at a time.")
    remove(alice, talk)
    content = profile_of(alice).l2_content
    assert "Likes one subject at a time." in content
    assert CALLED not in content
    assert NAME not in history(alice)


def test_a_line_that_a_person_removed_does_not_return_after_an_exclusion(alice: Actor, talk: UUID) -> None:
    edit(alice, "Likes one subject at a time.")
    exclude(alice, talk)
    remember(alice, chat(alice, "Please call me Rosalind.", day=2))
    assert "Rosalind" not in profile_of(alice).l2_content


def test_an_archived_one_stays_archived_without_the_words(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=profile_of(alice).id)
    delete(alice, talk)
    assert list(tables_with(alice, NAME)) == []
    remember(alice, chat(alice, "No emoji please.", day=2))
    (row,) = profiles(alice)
    assert row.archived_at is not None
    assert "emoji" not in row.l2_content


def test_an_accepted_one_loses_the_words_where_everything_waits(alice: Actor, talk: UUID, settings: Settings) -> None:
    remember(alice, chat(alice, "No emoji please.", day=2))
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, memory_mode="nothing")
    exclude(alice, talk)
    assert profile_of(alice).l2_content == "## How to answer\n- Wants no emoji (seen in 1 chat, last on 2026-11-02)"


def test_a_persons_profile_is_left_alone_by_another_s_exclusion(alice: Actor, bob: Actor, talk: UUID) -> None:
    remember(bob, chat(bob, CALL_ME))
    exclude(alice, talk)
    assert CALLED in profile_of(bob).l2_content
