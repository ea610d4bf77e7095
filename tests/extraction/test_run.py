"""A run over a conversation: its memories, their sources, and what is not stored twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from billiard.exceptions import SoftTimeLimitExceeded

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Forbidden, NotFound
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.conversations.records import MessageDraft
from apps.conversations.services.conversations import conversation_share
from apps.engine.extraction.candidate import Utterance
from apps.engine.extraction.parts import Part, parts_of
from apps.engine.memory.addresses import Address
from apps.engine.policy import Policy
from apps.extraction.services import plan, positions, run
from apps.extraction.services.plan import ModelFailed
from apps.extraction.services.request import extraction_request
from apps.jobs.models import DueJob
from apps.jobs.selectors import operation_get
from apps.memory.models import MemRevision
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.undo.change_undo import change_undo
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from apps.turns.services.delete import conversation_delete
from apps.turns.services.fork import conversation_fork
from apps.turns.services.messages import messages_set_excluded, messages_store
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import candidates_of, memories_of, remember, texts_of

pytestmark = pytest.mark.django_db

FACTS = "I'm a vet and I live in Porto. I prefer short answers. Is that ok?"


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Clinic")


def test_a_run_stores_memories_with_the_message_as_their_source(alice: Actor, talk: UUID) -> None:
    [message] = say(alice, talk, FACTS)
    result = remember(alice, talk)
    assert (result["messages"], result["created"], result["reason"]) == (1, 3, "")
    rows = memories_of(alice)
    assert [row.l2_content for row in rows] == [
        "I live in Porto.",
        "I prefer short answers.",
        "I'm a vet",
    ]
    assert {(row.trust, row.arrival) for row in rows} == {("direct_user", "accepted")}
    with workspace(alice.workspace_id):
        sources = sources_of([row.id for row in rows])
    assert {(one.kind, one.reference) for given in sources.values() for one in given} == {("message", str(message.id))}


def test_each_candidate_quotes_its_message_word_for_word(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACTS)
    remember(alice, talk)
    with workspace(alice.workspace_id):
        quotes = [FACTS[one.start : one.end] for one in candidates_of(alice, talk)]
    assert quotes == ["I'm a vet", "I live in Porto.", "I prefer short answers."]


def test_a_second_run_reads_nothing_and_says_so(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACTS)
    remember(alice, talk)
    result = remember(alice, talk)
    assert (result["messages"], result["created"], result["reason"]) == (0, 0, "nothing_new")
    assert len(memories_of(alice)) == 3


def test_a_run_that_finds_nothing_says_so(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "Hi! Is it raining?", "I don't know.")
    result = remember(alice, talk)
    assert (result["messages"], result["reason"]) == (2, "nothing_found")


def test_the_next_run_reads_only_new_messages(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACTS)
    remember(alice, talk)
    say(alice, talk, "Noted.", "We use Vetera 4 for the records.")
    assert remember(alice, talk)["messages"] == 2
    assert "We use Vetera 4 for the records." in texts_of(alice)


def test_the_same_words_again_add_a_source_and_no_memory(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACTS)
    remember(alice, talk)
    again = conversation(alice, title="The same, imported again")
    say(alice, again, FACTS)
    assert remember(alice, again)["known"] == 3
    rows = memories_of(alice)
    assert len(rows) == 3
    with workspace(alice.workspace_id):
        assert {len(given) for given in sources_of([row.id for row in rows]).values()} == {2}


def test_what_the_user_memory_says_is_not_stored_again(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        user_memory_create(alice, draft=UserMemoryDraft("preference", "length", "I prefer short answers."))
    say(alice, talk, "I prefer short answers.")
    assert (remember(alice, talk)["known"], memories_of(alice)) == (1, [])


def test_what_was_permanently_deleted_is_not_stored_again(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "I prefer short answers.")
    remember(alice, talk)
    with workspace(alice.workspace_id):
        node_erase(alice, node_id=memories_of(alice)[0].id)
    again = conversation(alice)
    say(alice, again, "I prefer short answers.")
    assert (remember(alice, again)["deleted"], memories_of(alice)) == (1, [])


def test_a_permanently_deleted_folder_refuses_no_other_statement(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "My cousin lives in Porto.")
    remember(alice, talk)
    with workspace(alice.workspace_id):
        node_erase(alice, node_id=memories_of(alice)[0].parent_id or UUID(int=0))
    again = conversation(alice)
    say(alice, again, "My sister works at Lumen.")
    assert (remember(alice, again)["created"], texts_of(alice)) == (1, ["My sister works at Lumen."])


def test_what_was_archived_does_not_come_back(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "I prefer short answers.")
    remember(alice, talk)
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=memories_of(alice)[0].id)
    again = conversation(alice)
    say(alice, again, "I prefer short answers.")
    assert (remember(alice, again)["known"], memories_of(alice)) == (1, [])


def test_a_memory_where_a_folder_would_be_refuses_only_what_belongs_there(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        node_create(alice, draft=NodeDraft(Address.parse("mem://user/entities/cousin"), "Of all kinds."))
    say(alice, talk, "My cousin lives in Porto. I prefer short answers.")
    result = remember(alice, talk)
    assert (result["created"], result["refused_reasons"]) == (1, {"address_taken": 1})
    assert texts_of(alice) == ["I prefer short answers.", "Of all kinds."]


def test_own_words_stand_beside_the_same_words_that_another_may_have_written(
    alice: Actor, bob: Actor, talk: UUID
) -> None:
    say(alice, talk, "I'm a vet.")
    with workspace(alice.workspace_id):
        conversation_share(alice, conversation_id=talk, email="bob@example.org", access="write")
    remember(alice, talk)
    alone = conversation(alice)
    say(alice, alone, "I'm a vet.")
    assert remember(alice, alone)["created"] == 1
    assert sorted(row.arrival for row in memories_of(alice)) == ["accepted", "proposed"]


def test_words_that_another_may_have_written_are_no_source_of_an_accepted_memory(
    alice: Actor, bob: Actor, talk: UUID
) -> None:
    say(alice, talk, "I'm a vet.")
    remember(alice, talk)
    shared = conversation(alice)
    say(alice, shared, "I'm a vet.")
    with workspace(alice.workspace_id):
        conversation_share(alice, conversation_id=shared, email="bob@example.org", access="write")
    assert remember(alice, shared)["known"] == 1
    [row] = memories_of(alice)
    with workspace(alice.workspace_id):
        assert len(sources_of([row.id])[row.id]) == 1


def test_undoing_one_memory_leaves_the_others(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACTS)
    remember(alice, talk)
    first, *others = memories_of(alice)
    with workspace(alice.workspace_id):
        change_id = MemRevision.objects.get(node_id=first.id).change
        change_undo(alice, node_id=first.id, change_id=change_id)
    assert [row.id for row in memories_of(alice)] == [row.id for row in others]


def test_what_another_member_says_waits_for_a_decision(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        drafts = [
            MessageDraft("user", "hi all", name="Alice"),
            MessageDraft("user", "I'm the club secretary", name="Bob"),
        ]
        messages_store(alice, conversation_id=talk, drafts=drafts)
    assert remember(alice, talk)["proposed"] == 1
    [row] = memories_of(alice)
    assert (row.l2_content, row.trust, row.arrival) == ("Bob: I'm the club secretary", "tool", "proposed")


@pytest.mark.parametrize("is_fork", [False, True])
def test_where_others_could_write_everything_waits_for_a_decision(
    alice: Actor, bob: Actor, talk: UUID, is_fork: bool
) -> None:
    say(alice, talk, "I'm a vet.")
    with workspace(alice.workspace_id):
        conversation_share(alice, conversation_id=talk, email="bob@example.org", access="read" if is_fork else "write")
    reader = bob if is_fork else alice
    if is_fork:
        with workspace(bob.workspace_id):
            talk = conversation_fork(bob, conversation_id=talk, through_index=0).id
    assert remember(reader, talk)["proposed"] == 1
    assert [row.arrival for row in memories_of(reader)] == ["proposed"]


def test_refused_words_are_listed_with_the_reason(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "I live in Porto with my sister, the password there is tulpe44.")
    result = remember(alice, talk)
    assert (result["refused"], result["refused_reasons"]) == (1, {"secret": 1})


def test_excluded_messages_and_private_parts_are_not_read(alice: Actor, talk: UUID) -> None:
    hidden, _ = say(alice, talk, "I prefer red.", "Ok.")
    say(alice, talk, "<private>I prefer green.</private> I prefer blue.")
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=[hidden.id], excluded=True)
    remember(alice, talk)
    assert texts_of(alice) == ["I prefer blue."]


def test_a_message_that_is_excluded_while_it_is_read_leaves_no_memory(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, talk, FACTS)

    def read_then_exclude(*messages: Sequence[Utterance]) -> list[Part]:
        with workspace(alice.workspace_id):
            Message.objects.filter(conversation_id=talk).update(excluded=True)
        return parts_of(*messages)

    monkeypatch.setattr(plan, "parts_of", read_then_exclude)
    assert (remember(alice, talk)["created"], memories_of(alice)) == (0, [])


def test_a_conversation_too_long_for_one_run_is_read_in_smaller_parts_until_it_fits(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch, every_sentence: None
) -> None:
    read: list[int] = []

    def on_a_slow_machine(messages: Sequence[Utterance], earlier: Sequence[Utterance]) -> list[Part]:
        read.append(len(messages))
        if len(messages) > 6:
            raise SoftTimeLimitExceeded(35)
        return parts_of(messages, earlier)

    monkeypatch.setattr(plan, "parts_of", on_a_slow_machine)
    monkeypatch.setattr(run, "_RUN_S", 600)
    say(alice, talk, *[f"Message {number}." for number in range(28)], "I live in Porto.")
    for attempts in (1, 2):
        DueJob.objects.update(due_at="2020-01-01T00:00Z")
        run_due_jobs()
        assert DueJob.objects.get(kind="extraction").attempts == attempts
    DueJob.objects.update(due_at="2020-01-01T00:00Z")
    run_due_jobs()
    assert read == [29, 7, *[1] * 29]
    assert "I live in Porto." in texts_of(alice)
    assert not DueJob.objects.filter(kind="extraction").exists()


def test_one_failure_does_not_slow_down_the_rest_of_a_long_conversation(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def fail_once(messages: Sequence[Utterance], earlier: Sequence[Utterance]) -> list[Part]:
        read.append(len(messages))
        if len(read) == 1:
            raise ModelFailed("rate_limited")
        return parts_of(messages, earlier)

    monkeypatch.setattr(plan, "parts_of", fail_once)
    monkeypatch.setattr(run, "_RUN_S", -1)
    say(alice, talk, *[f"Message {number}." for number in range(140)])
    for _ in range(2):
        DueJob.objects.update(due_at="2020-01-01T00:00Z")
        run_due_jobs()
    assert read == [30, 7, 30, 30, 30, 30, 13]


def test_deleting_a_conversation_removes_its_candidates(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACTS)
    remember(alice, talk)
    with workspace(alice.workspace_id):
        Conversation.objects.get(pk=talk).delete()
    assert candidates_of(alice, talk) == []


def test_a_later_extractor_reads_again_and_stores_nothing_twice(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, talk, FACTS)
    remember(alice, talk)
    monkeypatch.setattr(positions, "EXTRACTOR", "rules-99")
    monkeypatch.setattr(positions, "CURRENT", ("rules-99",))
    result = remember(alice, talk)
    assert (result["messages"], result["known"], result["created"]) == (1, 3, 0)


def test_only_the_owner_can_ask(alice: Actor, bob: Actor, charlie: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        conversation_share(alice, conversation_id=talk, email="bob@example.org", access="write")
    with pytest.raises(Forbidden), workspace(bob.workspace_id):
        extraction_request(bob, conversation_id=talk, policy=Policy())
    with pytest.raises(NotFound), workspace(charlie.workspace_id):
        extraction_request(charlie, conversation_id=talk, policy=Policy())


def test_it_is_refused_while_the_engine_is_off(alice: Actor, talk: UUID) -> None:
    with pytest.raises(Conflict, match="off"), workspace(alice.workspace_id):
        extraction_request(alice, conversation_id=talk, policy=Policy(engine_enabled=False))


def test_a_request_while_one_is_open_returns_it(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        first = extraction_request(alice, conversation_id=talk, policy=Policy())
        assert extraction_request(alice, conversation_id=talk, policy=Policy()).id == first.id


def test_deleting_a_conversation_fails_the_run_with_the_reason(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        operation = extraction_request(alice, conversation_id=talk, policy=Policy())
        conversation_delete(alice, conversation_id=talk)
        failed = operation_get(alice, operation.id)
    assert (failed.state, failed.error) == ("failed", {"code": "not_found", "detail": "The conversation was deleted."})


def test_a_deleted_conversation_fails_the_run_with_the_reason(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        operation = extraction_request(alice, conversation_id=talk, policy=Policy())
        Conversation.objects.get(pk=talk).delete()
    run_due_jobs()
    with workspace(alice.workspace_id):
        failed = operation_get(alice, operation.id)
    assert (failed.state, failed.error) == ("failed", {"code": "not_found", "detail": "Conversation not found."})


@pytest.mark.django_db(transaction=True)
def test_a_run_that_finds_nothing_announces_that_the_messages_were_read(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, talk, "Is that ok?")
    frames: list[dict[str, Any]] = []
    monkeypatch.setattr("apps.events.publish.publish_frame", lambda group, frame: frames.append(frame))
    assert remember(alice, talk)["reason"] == "nothing_found"
    assert [one["conversation_id"] for one in frames if one["name"] == "MemoriesExtracted"] == [talk]
