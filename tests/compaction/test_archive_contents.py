"""What the archive of a conversation may contain: no secrets, private parts, excluded, deleted or unread messages."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.archive.scheduling import session_archive_schedule_soon
from apps.conversations.models import Conversation, Message
from apps.conversations.selectors.conversations import conversation_get
from apps.conversations.services.conversations import ConversationChange, conversation_update
from apps.engine.policy import Level
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.edit import node_edit
from apps.turns.services.delete import message_delete
from apps.turns.services.fork import conversation_fork
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import compact, run_due_jobs
from tests.compaction.test_session_archive import TALK, archive, present, stored
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_extraction() -> None:
    """Leave extraction on: a conversation that is not read for memories has no archive."""


WHILE_OFF = ("We decided to sell the shop in Porto.", "Porto it is.")
KEY = "AKIAIOSFODNN7EXAMPLE"


@pytest.fixture
def talk(alice: Actor) -> UUID:
    """A conversation with an archive, whose third message can be removed."""
    talk = conversation(alice, title="Bookings")
    say(alice, talk, *TALK, "And who counts them?", "The desk.")
    assert "transactions" in present(alice, talk).l2_content
    return talk


def remembers(actor: Actor, talk: UUID, on: bool) -> None:
    with workspace(actor.workspace_id):
        version = conversation_get(actor, talk).version
        conversation_update(actor, conversation_id=talk, change=ConversationChange(remembers=on), version=version)


def third(actor: Actor, talk: UUID) -> UUID:
    with workspace(actor.workspace_id):
        return Message.objects.get(conversation_id=talk, index=2).id


def exclude(actor: Actor, talk: UUID) -> None:
    message_id = third(actor, talk)
    with workspace(actor.workspace_id):
        messages_set_excluded(actor, conversation_id=talk, message_ids=[message_id], excluded=True)


def delete(actor: Actor, talk: UUID) -> None:
    message_id = third(actor, talk)
    with workspace(actor.workspace_id):
        message_delete(actor, conversation_id=talk, message_id=message_id)


REMOVE = {"exclude": exclude, "delete": delete}


def edit(actor: Actor, row: MemNode, content: str) -> None:
    with workspace(actor.workspace_id):
        node_edit(actor, node_id=row.id, changes={"content": content}, version=row.version)


def all_texts(actor: Actor, talk: UUID) -> str:
    """Everything that the archive and its history contain now, before a job runs."""
    row = stored(actor, talk)
    if row is None:
        return ""
    with workspace(actor.workspace_id):
        assert tree_faults() == []
        revisions = MemRevision.objects.filter(node_id=row.id)
        directories = MemNode.objects.filter(node_type="dir").values_list("l0_abstract", "l1_overview")
        texts = [*revisions.values_list("before", "after"), *directories, row.l2_content, row.l0_abstract]
        return str([*texts, row.l1_overview])


def test_its_title_and_lines_have_no_secrets(alice: Actor) -> None:
    talk = conversation(alice, title=f"Upload with {KEY}")
    say(alice, talk, f"Upload with {KEY} please.", "Ok.", "We decided to use PostgreSQL.", f"Good, {KEY} works.")
    content = present(alice, talk).l2_content
    assert KEY not in content
    assert content.startswith("# Upload with [redacted:aws-key]\n")


def test_its_title_has_no_private_parts(alice: Actor) -> None:
    talk = conversation(alice, title="Plan <privatemy divorce</private")
    say(alice, talk, *TALK)
    assert present(alice, talk).l2_content.startswith("# Plan\n")


@pytest.mark.parametrize("is_compacted", [False, True])
def test_messages_stored_while_nothing_was_learned_are_never_in_it(alice: Actor, is_compacted: bool) -> None:
    talk = conversation(alice, title=WHILE_OFF[0])
    remembers(alice, talk, False)
    say(alice, talk, *WHILE_OFF)
    remembers(alice, talk, True)
    say(alice, talk, *TALK, *["Go on.", "Yes."] * 15)
    if is_compacted:
        compact(alice, talk, Level.LIGHT)
    content = present(alice, talk).l2_content
    assert "transactions" in content
    assert "Porto" not in content


def test_switched_off_it_stays_as_it_was(alice: Actor, talk: UUID) -> None:
    before = present(alice, talk).l2_content
    remembers(alice, talk, False)
    say(alice, talk, *WHILE_OFF)
    with workspace(alice.workspace_id):
        session_archive_schedule_soon(talk)
    assert present(alice, talk).l2_content == before


@pytest.mark.parametrize("remove", REMOVE)
def test_a_removed_message_leaves_it_and_its_history_at_once(alice: Actor, talk: UUID, remove: str) -> None:
    REMOVE[remove](alice, talk)
    assert "transactions" not in all_texts(alice, talk)
    assert "who counts them" in present(alice, talk).l2_content


@pytest.mark.parametrize("remove", REMOVE)
def test_a_removed_message_leaves_it_after_it_was_switched_off(alice: Actor, talk: UUID, remove: str) -> None:
    remembers(alice, talk, False)
    say(alice, talk, *WHILE_OFF)
    REMOVE[remove](alice, talk)
    assert "transactions" not in all_texts(alice, talk)
    content = present(alice, talk).l2_content
    assert "who counts them" in content
    assert "Porto" not in content


def test_a_title_from_an_excluded_message_is_not_in_it(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(title="We decided to use PostgreSQL…")
    assert present(alice, talk).l2_content.startswith("# Bookings")
    exclude(alice, talk)
    assert present(alice, talk).l2_content.startswith("# Conversation of ")


@pytest.mark.parametrize("remove", REMOVE)
def test_a_persons_own_text_stays_when_a_message_is_removed(alice: Actor, talk: UUID, remove: str) -> None:
    edit(alice, present(alice, talk), "About seats, in my words.")
    REMOVE[remove](alice, talk)
    assert "transactions" not in all_texts(alice, talk)
    assert present(alice, talk).l2_content == "About seats, in my words."


@pytest.mark.parametrize("remove", REMOVE)
def test_the_lines_of_a_removed_message_leave_a_text_that_a_person_edited(
    alice: Actor, talk: UUID, remove: str
) -> None:
    row = present(alice, talk)
    edit(alice, row, f"{row.l2_content}\nMine.")
    with workspace(alice.workspace_id):
        last = Message.objects.get(conversation_id=talk, index=5).id
        messages_set_excluded(alice, conversation_id=talk, message_ids=[last], excluded=True)
    assert "transactions" in all_texts(alice, talk)
    REMOVE[remove](alice, talk)
    assert "transactions" not in all_texts(alice, talk)
    content = present(alice, talk).l2_content
    assert content.endswith("Mine.")
    assert "who counts them" in content


def test_one_that_a_person_archived_stays_archived_without_the_words(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=present(alice, talk).id)
    delete(alice, talk)
    assert "transactions" not in all_texts(alice, talk)
    assert present(alice, talk).archived_at is not None


def test_a_temporary_chat_never_has_one_not_even_compacted_or_forked(alice: Actor) -> None:
    talk = conversation(alice)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(temporary=True)
    say(alice, talk, *TALK, *["Go on.", "Yes."] * 15)
    compact(alice, talk, Level.LIGHT)
    exclude(alice, talk)
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=talk, through_index=5).id
    say(alice, fork, "And now?", "On.")
    for one in (talk, fork):
        with workspace(alice.workspace_id):
            session_archive_schedule_soon(one)
        assert archive(alice, one) is None


def test_what_was_included_again_returns(alice: Actor, talk: UUID) -> None:
    exclude(alice, talk)
    run_due_jobs()
    with workspace(alice.workspace_id):
        ids = [Message.objects.get(conversation_id=talk, index=2).id]
        messages_set_excluded(alice, conversation_id=talk, message_ids=ids, excluded=False)
    assert "transactions" in present(alice, talk).l2_content
