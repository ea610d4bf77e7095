"""Compactions that somebody asks for, and their undoing, last in and first out."""

from __future__ import annotations

from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, NotFound
from apps.common.tenancy import workspace
from apps.compaction.records import RunRecord
from apps.compaction.selectors.contexts import summary_at
from apps.compaction.services.request import compaction_request
from apps.compaction.services.undo import compaction_undo
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import summary_from_json
from apps.jobs.models import DueJob
from apps.jobs.selectors import operation_get
from apps.turns.services.fork import conversation_fork
from apps.turns.services.messages import messages_leave_out
from tests.compaction.work import at_once, check_invariants, compact, context_of, runs_of, work_off
from tests.conversations.talk import conversation, history, long_talk, row_of, say


def undo(actor: Actor, talk: UUID, run_id: UUID) -> RunRecord:
    with workspace(actor.workspace_id):
        return compaction_undo(actor, conversation_id=talk, run_id=run_id, policy=Policy())


@pytest.mark.django_db
def test_it_folds_what_is_older_than_the_newest_twenty(alice: Actor) -> None:
    talk = long_talk(alice, messages=25, tokens=50)
    compact(alice, talk)
    assert [row.compacted_in for row in history(alice, talk)] == [1] * 5 + [None] * 20
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_with_less_than_twenty_it_folds_all_but_the_newest_four(alice: Actor) -> None:
    talk = long_talk(alice, messages=10, tokens=50)
    compact(alice, talk)
    assert [row.compacted_in for row in history(alice, talk)] == [1] * 6 + [None] * 4


@pytest.mark.django_db
def test_with_nothing_to_fold_it_reads_the_live_messages_again(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "We decided to use PostgreSQL because we need strong consistency.", "Good.")
    run = compact(alice, talk)
    assert [row.compacted_in for row in history(alice, talk)] == [None, None]
    assert context_of(alice, talk).rolling_summary["decisions"]
    with workspace(alice.workspace_id):
        operation = operation_get(alice, run.operation_id)
    assert (operation.state, operation.progress) == ("succeeded", 100)


@pytest.mark.django_db
def test_a_second_request_while_one_waits_is_the_same_one(alice: Actor) -> None:
    talk = long_talk(alice, messages=10)
    with workspace(alice.workspace_id):
        first = compaction_request(alice, conversation_id=talk, level=Level.LIGHT, policy=Policy())
        second = compaction_request(alice, conversation_id=talk, level=Level.DEEP, policy=Policy())
    assert first.id == second.id


@pytest.mark.django_db
def test_charlie_cannot_ask_for_one(alice: Actor, charlie: Actor) -> None:
    talk = long_talk(alice, messages=10)
    with workspace(charlie.workspace_id), pytest.raises(NotFound):
        compaction_request(charlie, conversation_id=talk, level=Level.LIGHT, policy=Policy())


@pytest.mark.django_db
def test_undoing_restores_summary_and_messages(alice: Actor) -> None:
    talk = long_talk(alice, messages=25, tokens=50)
    first = compact(alice, talk)
    say(alice, talk, *["and on " * 20 for _ in range(10)])
    before = context_of(alice, talk).rolling_summary
    second = compact(alice, talk)
    with pytest.raises(Conflict):
        undo(alice, talk, first.id)
    undo(alice, talk, second.id)
    assert context_of(alice, talk).rolling_summary == before
    assert [row.compacted_in for row in history(alice, talk)] == [1] * 5 + [None] * 30
    undo(alice, talk, first.id)
    assert not summary_from_json(context_of(alice, talk).rolling_summary)
    assert row_of(alice, talk).live_count == 35
    assert [run.state for run in runs_of(alice, talk)] == ["undone", "undone"]
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_after_an_undo_automatic_compaction_rests_until_the_next_level(alice: Actor, settings: Settings) -> None:
    at_once(settings)
    talk = long_talk(alice, messages=40)
    work_off()
    (run,) = runs_of(alice, talk)
    undo(alice, talk, run.id)
    say(alice, talk, "go on", "yes")
    assert not DueJob.objects.filter(kind="compaction", key=str(talk)).exists()
    say(alice, talk, *["word " * 240 for _ in range(14)])
    assert DueJob.objects.filter(kind="compaction", key=str(talk)).exists()
    work_off()
    assert runs_of(alice, talk)[-1].state == "succeeded"
    assert context_of(alice, talk).rests_below is None


@pytest.mark.django_db
def test_leaving_out_a_folded_message_takes_its_lines_from_the_summary(alice: Actor) -> None:
    talk = conversation(alice)
    said = say(alice, talk, "We decided to use MongoDB because it is fast.", *["Understood. " * 30 for _ in range(9)])
    compact(alice, talk)
    assert "MongoDB" in str(context_of(alice, talk).rolling_summary)
    with workspace(alice.workspace_id):
        messages_leave_out(alice, conversation_id=talk, message_ids=[said[0].id], excluded=True)
    assert "MongoDB" not in str(context_of(alice, talk).rolling_summary)
    with workspace(alice.workspace_id):
        assert "MongoDB" in str(summary_at(talk, 1))
        messages_leave_out(alice, conversation_id=talk, message_ids=[said[0].id], excluded=False)
    assert "MongoDB" in str(context_of(alice, talk).rolling_summary)
    assert history(alice, talk)[0].compacted_in == 1
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_a_fork_has_the_context_as_of_its_message(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "We decided to use PostgreSQL because we need strong consistency.", *["Understood. "] * 24)
    compact(alice, talk)
    say(alice, talk, *["The deadline must be 2026-12-01. " for _ in range(20)])
    compact(alice, talk)
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=talk, through_index=22)
    copies = history(alice, fork.id)
    assert [row.content for row in copies] == [row.content for row in history(alice, talk)[:23]]
    assert [row.compacted_in for row in copies] == [1] * 5 + [None] * 18
    summary = context_of(alice, fork.id).rolling_summary
    assert "PostgreSQL" in str(summary)
    assert "deadline" not in str(summary)
    check_invariants(alice, fork.id)
    check_invariants(alice, talk)


@pytest.mark.django_db
def test_a_fork_brings_nothing_back_that_was_left_out(alice: Actor) -> None:
    talk = conversation(alice)
    said = say(alice, talk, "We decided to use MongoDB because it is fast.", *["Understood. "] * 24)
    compact(alice, talk)
    say(alice, talk, *["And so on. "] * 20)
    compact(alice, talk)
    with workspace(alice.workspace_id):
        messages_leave_out(alice, conversation_id=talk, message_ids=[said[0].id], excluded=True)
        fork = conversation_fork(alice, conversation_id=talk, through_index=22)
    assert "MongoDB" not in str(context_of(alice, fork.id).rolling_summary)


@pytest.mark.django_db
def test_a_fork_after_an_undo_covers_nothing_twice(alice: Actor) -> None:
    talk = conversation(alice)
    said = say(alice, talk, "We decided to use PostgreSQL because it is safe.", *["Understood. "] * 24)
    run = compact(alice, talk)
    with workspace(alice.workspace_id):
        messages_leave_out(alice, conversation_id=talk, message_ids=[said[1].id], excluded=True)
    undo(alice, talk, run.id)
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=talk, through_index=24)
    assert all(row.compacted_in is None for row in history(alice, fork.id))
    assert "PostgreSQL" not in str(context_of(alice, fork.id).rolling_summary)


@pytest.mark.django_db
def test_asking_again_revives_a_compaction_whose_job_gave_up(alice: Actor) -> None:
    talk = long_talk(alice, messages=25, tokens=50)
    with workspace(alice.workspace_id):
        run = compaction_request(alice, conversation_id=talk, level=Level.LIGHT, policy=Policy())
    DueJob.objects.update(state="dead", attempts=5, last_error="worker_lost")
    assert work_off() == 0
    with workspace(alice.workspace_id):
        assert compaction_request(alice, conversation_id=talk, level=Level.LIGHT, policy=Policy()).id == run.id
    work_off()
    assert [found.state for found in runs_of(alice, talk)] == ["succeeded"]


@pytest.mark.django_db
def test_a_compaction_that_kills_its_worker_again_and_again_says_so(alice: Actor) -> None:
    talk = long_talk(alice, messages=25, tokens=50)
    with workspace(alice.workspace_id):
        run = compaction_request(alice, conversation_id=talk, level=Level.LIGHT, policy=Policy())
    DueJob.objects.update(attempts=5)
    work_off()
    assert [(found.state, found.error_code, found.retry_at) for found in runs_of(alice, talk)] == [
        ("failed", "worker_lost", None)
    ]
    with workspace(alice.workspace_id):
        assert operation_get(alice, run.operation_id).error == {
            "code": "worker_lost",
            "detail": "The worker ended without a word, again and again.",
        }


@pytest.mark.django_db
def test_enormous_messages_fold_within_a_run(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *["Yes. No. Why? Is it so? " * 16_000 for _ in range(12)])
    compact(alice, talk)
    assert [run.state for run in runs_of(alice, talk)] == ["succeeded"]
