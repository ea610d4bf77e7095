"""Only active content is indexed: memories immediately, messages by a job."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection, connections
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message, MessageStatus
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.replies import Ending, reply_close, reply_open
from apps.engine.memory.addresses import Address
from apps.engine.policy import Policy
from apps.jobs.models import DueJob
from apps.jobs.services import job_request
from apps.memory.models import Embedding, MemNode, MemRevision, Passage
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.tree import node_at
from apps.memory.services.index.passages import KIND, node_passages_sync
from apps.memory.services.tree.archive import node_archive, node_unarchive
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.share import node_share
from apps.memory.services.tree.undo.change_undo import change_undo
from apps.turns.services.fork import conversation_fork
from apps.turns.services.messages import messages_set_excluded
from config.stack.process import wait_until
from tests.conversations.long_conversations import conversation, huge_talk, say
from tests.memory.recall import at, found_uris, index, look, make_vectors, passages_of, remember, run_named

pytestmark = pytest.mark.django_db


def places(actor: Actor, talk: UUID) -> list[int | None]:
    return [passage.place for passage in passages_of(actor, talk)]


def leave_out(actor: Actor, talk: UUID, ids: list[UUID], *, excluded: bool) -> None:
    with workspace(actor.workspace_id):
        messages_set_excluded(actor, conversation_id=talk, message_ids=ids, excluded=excluded)


def test_a_memory_is_found_as_long_as_it_is_in_use(alice: Actor) -> None:
    node = remember(alice, "mem://user/profile/tea", "Green tea.")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=node.id)
    assert found_uris(alice, "tea") == []
    with workspace(alice.workspace_id):
        node = node_unarchive(alice, node_id=node.id)
    assert found_uris(alice, "tea") == ["mem://user/profile/tea"]
    make_vectors(alice)
    with workspace(alice.workspace_id):
        node_erase(alice, node_id=node.id)
        assert not Passage.objects.exists()


def test_a_memory_without_text_has_no_passage_and_lacks_none(alice: Actor) -> None:
    node = remember(alice, "mem://user/profile/tea", "Green tea.")
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=node.id).update(l0_abstract="", l2_content="", content_hash="")
        node_passages_sync(MemNode.objects.filter(pk=node.id))
        assert not Passage.objects.exists()
        assert tree_faults() == []
        assert not Embedding.objects.exists()


def test_what_waits_for_a_person_is_not_found(alice: Actor) -> None:
    node = remember(alice, "mem://user/profile/tea", "Green tea.")
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=node.id).update(arrival="proposed")
        node_passages_sync([MemNode.objects.get(pk=node.id)])
    assert found_uris(alice, "tea") == []


def test_an_edit_is_found_at_once_by_its_words(alice: Actor) -> None:
    node = remember(alice, "mem://user/preferences/drink", "Green tea.")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": "Black coffee."}, version=node.version)
    assert look(alice, "coffee", explain=True).hits[0].parts.lexical > 0  # type: ignore[union-attr]  # explained
    assert look(alice, "tea", explain=True).hits[0].parts.lexical == 0  # type: ignore[union-attr]  # explained


def test_what_is_shared_is_found_by_the_others_too(alice: Actor, bob: Actor, charlie: Actor) -> None:
    node = remember(alice, "mem://agent/cases/locks", "SQLite locks the whole file.")
    make_vectors(alice)
    assert (found_uris(alice, "locks"), found_uris(bob, "locks")) == (["mem://agent/cases/locks"], [])
    with workspace(alice.workspace_id):
        node_share(alice, node_id=node.id)
    found = look(bob, "locks")
    assert [(hit.uri, hit.similarity > 0) for hit in found.hits] == [("mem://agent/cases/locks", True)]
    assert found_uris(charlie, "locks") == []


def test_messages_are_indexed_up_to_a_reply_that_is_being_written(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "What is the capital of Portugal?")
    with workspace(alice.workspace_id):
        hold = reply_open(conversation=conversation_lock(talk), policy=Policy()).lease
    say(alice, talk, "Are you there?")
    index(alice, talk)
    assert places(alice, talk) == [0]
    with workspace(alice.workspace_id):
        reply_close(hold, text="Lisbon.", ending=Ending(MessageStatus.COMPLETE), policy=Policy())
        DueJob.objects.filter(kind=KIND).delete()
    say(alice, talk, "Thanks.")
    index(alice, talk)
    assert places(alice, talk) == [0, 1, 2, 3]


def test_empty_and_failed_messages_are_passed_over(alice: Actor) -> None:
    talk = conversation(alice)
    ids = [record.id for record in say(alice, talk, "One.", "Two.", "Three.", "Four.")]
    with workspace(alice.workspace_id):
        Message.objects.filter(pk=ids[0]).update(content="")
        Message.objects.filter(pk=ids[1]).update(status="failed")
    leave_out(alice, talk, [ids[3]], excluded=True)
    index(alice, talk)
    assert places(alice, talk) == [2]


def test_a_long_conversation_is_indexed_completely_and_once(alice: Actor) -> None:
    talk = huge_talk(alice, 1_300, excluded_at_end=100)
    say(alice, talk, "The end.")
    assert run_named(alice, KIND, str(talk))
    assert places(alice, talk) == [*range(1_200), 1_300]
    with workspace(alice.workspace_id):
        before = set(Passage.objects.values_list("pk", flat=True))
    say(alice, talk, "And one more.")
    run_named(alice, KIND, str(talk))
    with workspace(alice.workspace_id):
        assert len(set(Passage.objects.values_list("pk", flat=True)) - before) == 1


def test_passages_of_excluded_messages_are_deleted_and_restored(alice: Actor) -> None:
    talk = conversation(alice)
    ids = [record.id for record in say(alice, talk, "I adopted a puppy.", "Lovely!", "He is called Rex.")]
    index(alice, talk)
    leave_out(alice, talk, [ids[0], ids[2]], excluded=True)
    assert places(alice, talk) == [1]
    assert [passage.wanted_at is not None for passage in passages_of(alice, talk)] == [True]
    make_vectors(alice)
    leave_out(alice, talk, [ids[0], ids[2]], excluded=False)
    assert places(alice, talk) == [0, 1, 2]
    make_vectors(alice)
    assert look(alice, "puppy", corpus="messages").hits[0].index == 0


def test_a_long_pause_ends_a_session_despite_exclusions(alice: Actor) -> None:
    talk = conversation(alice)
    ids = [record.id for record in say(alice, talk, "One.", "Two.", "Three.", "Four.")]
    hours = (0, 3, 8, 20)
    with workspace(alice.workspace_id):
        for message_id, hour in zip(ids, hours, strict=True):
            Message.objects.filter(pk=message_id).update(created_at=at("2026-03-01") + timedelta(hours=hour))
    index(alice, talk)
    sessions = [passage.session for passage in passages_of(alice, talk)]
    assert sessions == [0, 0, 1, 2]
    leave_out(alice, talk, ids[1:3], excluded=True)
    leave_out(alice, talk, ids[2:3], excluded=False)
    assert [passage.session for passage in passages_of(alice, talk)] == [0, 1, 2]


def test_a_fork_is_found_too(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy.", "Lovely!")
    with workspace(alice.workspace_id):
        copy = conversation_fork(alice, conversation_id=talk, through_index=0)
    index(alice, copy.id)
    assert places(alice, copy.id) == [0]


def test_messages_are_found_only_by_people_who_may_read_the_conversation(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy.")
    index(alice, talk)
    assert look(bob, "puppy", corpus="all").hits == ()
    assert [hit.conversation_id for hit in look(alice, "puppy", corpus="all").hits] == [talk]


def test_the_sweep_finds_what_is_older_than_retrieval(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy.")
    remember(alice, "mem://user/profile/tea", "Green tea.")
    with workspace(alice.workspace_id):
        DueJob.objects.all().delete()
        Passage.objects.all().delete()
        now = timezone.now()
        job_request(workspace_id=alice.workspace_id, kind="memory_sweep", key="sweep", due_at=now, deadline_at=now)
    assert run_named(alice, "memory_sweep", "sweep")
    index(alice, talk)
    assert places(alice, talk) == [0]
    assert found_uris(alice, "tea") == ["mem://user/profile/tea"]


def test_what_moves_with_its_directory_is_about_its_new_name(alice: Actor) -> None:
    remember(alice, "mem://user/entities/acme/office", "The office is in Rome.")
    with workspace(alice.workspace_id):
        folder = node_at(alice, Address("mem://user/entities/acme"))
        moved = node_move(alice, node_id=folder.id, to=Address("mem://user/entities/zenith"), version=folder.version)
        change = MemRevision.objects.get(node_id=folder.id, number=moved.version).change
    assert [passage.actor for passage in passages_of(alice, alice.user_id)] == ["zenith"]
    assert look(alice, "Where is Zenith?").actor == "zenith"
    with workspace(alice.workspace_id):
        change_undo(alice, node_id=folder.id, change_id=change)
    assert [passage.actor for passage in passages_of(alice, alice.user_id)] == ["acme"]


@pytest.mark.django_db(transaction=True)
def test_the_reconciliation_restores_nothing_that_is_being_archived(alice: Actor) -> None:
    node = remember(alice, "mem://user/profile/tea", "Green tea.")
    now = timezone.now()
    with workspace(alice.workspace_id):
        Passage.objects.all().delete()
        job_request(workspace_id=alice.workspace_id, kind="memory_sweep", key="sweep", due_at=now, deadline_at=now)
    with ThreadPoolExecutor(1) as pool:
        with workspace(alice.workspace_id):
            node_archive(alice, node_id=node.id)
            sweep = pool.submit(sweep_apart, alice)
            wait_until(lambda: sweep.done() or _anybody_waits(), 10)
        assert sweep.result(20)
    with workspace(alice.workspace_id):
        assert not Passage.objects.exists()


def sweep_apart(actor: Actor) -> bool:
    try:
        return run_named(actor, "memory_sweep", "sweep")
    finally:
        connections.close_all()


def _anybody_waits() -> bool:
    """Return whether another transaction waits for a lock of ours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])
