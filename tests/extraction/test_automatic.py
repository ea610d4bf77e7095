"""Automatic runs: when they are due, what they read, and that nobody has to ask for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Membership
from apps.common.tenancy import workspace
from apps.conversations.imports.formats import Source
from apps.engine.policy import Policy
from apps.extraction.services import positions
from apps.extraction.services.request import extraction_request
from apps.jobs.models import DueJob, Operation, Priority
from apps.jobs.selectors import operation_get
from apps.memory.services.tree.archive import node_archive
from apps.turns.services.fork import conversation_fork
from apps.turns.services.imports.batches import ImportRequest, conversation_import
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import compact, run_due_jobs, without_debounce
from tests.conversations.long_conversations import conversation, history, long_talk, say
from tests.extraction.runs import candidates_of, last_result, make_due, memories_of, position_of, remember, texts_of

pytestmark = pytest.mark.django_db

FACT = "I'm a vet."
IMPORTED = 40
"""More than one batch."""


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Clinic")


def job() -> DueJob:
    return DueJob.objects.get(kind="extraction")


def test_a_conversation_is_read_once_it_pauses_and_nobody_has_to_ask(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT)
    assert texts_of(alice) == []
    make_due()
    assert texts_of(alice) == [FACT]
    with workspace(alice.workspace_id):
        assert not Operation.objects.exists()
    assert not DueJob.objects.filter(kind="extraction").exists()


def test_a_run_waits_a_minute_after_the_last_message_and_fifteen_after_the_first(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT)
    first = job()
    assert timedelta(seconds=55) < first.due_at - timezone.now() <= timedelta(seconds=60)
    assert timedelta(minutes=14) < first.deadline_at - timezone.now() <= timedelta(minutes=15)
    assert (first.key, first.priority) == (str(talk), Priority.AFTER_TURN)
    say(alice, talk, "Noted.")
    assert (job().due_at > first.due_at, job().deadline_at) == (True, first.deadline_at)


@pytest.mark.slow("it reads 16,000 characters")
def test_a_run_is_due_at_once_when_much_is_unread(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT + " x" * 8_000)
    assert job().due_at <= timezone.now()
    run_due_jobs()
    say(alice, talk, "Noted.")
    assert job().due_at > timezone.now()


@pytest.mark.slow("it reads and compacts")
def test_messages_are_read_before_they_are_compacted(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(without_debounce(settings), extraction_max_unread_tokens=1_000_000)
    talk = conversation(alice)
    say(alice, talk, FACT)
    say(alice, talk, *["x" * 1_200 for _ in range(40)])
    assert DueJob.objects.filter(kind="compaction").exists()
    run_due_jobs()
    assert history(alice, talk)[0].compacted_in == 1
    assert texts_of(alice) == [FACT]


def test_a_compaction_that_a_person_asks_for_has_the_conversation_read(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=120)
    assert job().due_at > timezone.now()
    compact(alice, talk)
    assert position_of(alice, talk).next_index == 30


@pytest.mark.slow("it reads and compacts")
def test_compacted_messages_are_read_later_too(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT)
    say(alice, talk, *["x" * 1_200 for _ in range(40)])
    DueJob.objects.filter(kind="extraction").delete()
    compact(alice, talk)
    assert history(alice, talk)[0].compacted_in == 1
    say(alice, talk, "Noted.")
    make_due()
    assert texts_of(alice) == [FACT]


def test_the_offline_extractor_works_without_any_model_call(alice: Actor, talk: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, model_calls_enabled=False)
    say(alice, talk, FACT)
    make_due()
    assert texts_of(alice) == [FACT]


def test_a_request_while_an_automatic_run_waits_is_answered_at_once(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT)
    assert remember(alice, talk)["created"] == 1
    assert not DueJob.objects.filter(kind="extraction").exists()


def test_a_request_goes_before_background_work(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT)
    with workspace(alice.workspace_id):
        extraction_request(alice, conversation_id=talk, policy=Policy())
    assert (job().priority, job().due_at <= timezone.now()) == (Priority.PERSON, True)


def test_the_last_run_says_what_it_did(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT)
    make_due()
    done = last_result(alice, talk)
    assert (done["messages"], done["created"], done["reason"]) == (1, 1, "")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Hi! Is it raining?", "nothing_found"),
        (FACT, "all_known"),
        ("I live in Porto with my sister, the password there is tulpe44.", "all_refused"),
    ],
)
def test_a_run_that_stores_nothing_says_why(alice: Actor, talk: UUID, words: str, reason: str) -> None:
    other = conversation(alice)
    say(alice, other, FACT)
    remember(alice, other)
    say(alice, talk, words)
    make_due()
    assert last_result(alice, talk)["reason"] == reason
    assert remember(alice, talk)["reason"] == "nothing_new"


def test_a_run_that_finds_no_message_leaves_the_last_result(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT)
    make_due()
    said = say(alice, talk, "Noted.")
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=[said[0].id], excluded=True)
    make_due()
    assert last_result(alice, talk)["created"] == 1


def test_an_included_message_is_read_although_later_ones_were(alice: Actor, talk: UUID) -> None:
    hidden, _ = say(alice, talk, FACT, "Ok.")
    say(alice, talk, "I prefer blue.", role="user")
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=[hidden.id], excluded=True)
    make_due()
    assert (texts_of(alice), position_of(alice, talk).skipped) == (["I prefer blue."], [0])
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=[hidden.id], excluded=False)
    make_due()
    assert texts_of(alice) == ["I prefer blue.", FACT]
    assert (position_of(alice, talk).skipped, last_result(alice, talk)["messages"]) == ([], 1)


def test_a_message_excluded_after_it_was_read_is_not_read_again(alice: Actor, talk: UUID) -> None:
    [message] = say(alice, talk, FACT)
    make_due()
    for excluded in (True, False):
        with workspace(alice.workspace_id):
            messages_set_excluded(alice, conversation_id=talk, message_ids=[message.id], excluded=excluded)
    make_due()
    assert (len(candidates_of(alice, talk)), last_result(alice, talk)["messages"]) == (1, 1)


@pytest.mark.slow("it reads a long import twice")
def test_an_import_is_read_by_the_job_and_a_repeated_one_adds_nothing(alice: Actor) -> None:
    lines = b"\n".join(b'{"role": "user", "content": "I have %d cousins in Porto."}' % n for n in range(IMPORTED))
    for name in ("first", "again"):
        request = ImportRequest(Source(name), external_id=name)
        conversation_import(alice, file=BytesIO(lines), request=request, on_progress=lambda report: None)
        make_due()
        assert len(texts_of(alice)) == IMPORTED
    with workspace(alice.workspace_id):
        assert {row.run["result"]["known"] for row in positions.ReadPosition.objects.all()} == {0, IMPORTED}


def test_a_fork_of_ones_own_conversation_is_read_from_where_the_original_was(alice: Actor, talk: UUID) -> None:
    say(alice, talk, FACT, "Noted.")
    make_due()
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=memories_of(alice)[0].id)
        fork = conversation_fork(alice, conversation_id=talk, through_index=1).id
    say(alice, fork, "I prefer blue.", role="user")
    make_due()
    assert (texts_of(alice), last_result(alice, fork)["messages"]) == (["I prefer blue."], 1)


def test_nothing_is_learned_for_somebody_who_left_the_workspace(alice: Actor, bob: Actor) -> None:
    talk = conversation(bob)
    say(bob, talk, FACT)
    Membership.objects.filter(user_id=bob.user_id).delete()
    make_due()
    assert memories_of(bob) == []
    assert not DueJob.objects.filter(kind="extraction").exists()


def test_a_request_during_an_automatic_run_gets_a_result_of_its_own(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, talk, FACT)
    asked: list[UUID] = []

    def ask(*_: object, **__: object) -> None:
        if not asked:
            with workspace(alice.workspace_id):
                asked.append(extraction_request(alice, conversation_id=talk, policy=Policy()).id)

    monkeypatch.setattr("apps.extraction.services.batches.fault_point", ask)
    make_due()
    with workspace(alice.workspace_id):
        operation = operation_get(alice, asked[0])
    assert (operation.state, operation.result and operation.result["reason"]) == ("succeeded", "nothing_new")


def test_a_run_that_makes_room_after_its_last_message_still_ends(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.extraction.services.run._RUN_S", -1)
    say(alice, talk, FACT)
    make_due()
    assert (last_result(alice, talk)["messages"], last_result(alice, talk)["created"]) == (1, 1)
