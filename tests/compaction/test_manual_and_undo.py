"""Manual compactions, and undo in last-in-first-out order."""

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
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import check_invariants, compact, context_of, run_due_jobs, runs_of, without_debounce
from tests.conversations.long_conversations import conversation, history, long_talk, row_of, say


def undo(actor: Actor, conversation_id: UUID, run_id: UUID) -> RunRecord:
    with workspace(actor.workspace_id):
        return compaction_undo(actor, conversation_id=conversation_id, run_id=run_id, policy=Policy())


@pytest.mark.django_db
def test_a_manual_compaction_covers_messages_older_than_the_newest_twenty(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=25, tokens=50)
    compact(alice, conversation_id)
    assert [row.compacted_in for row in history(alice, conversation_id)] == [1] * 5 + [None] * 20
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_with_fewer_than_twenty_messages_all_but_the_newest_four_are_compacted(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=10, tokens=50)
    compact(alice, conversation_id)
    assert [row.compacted_in for row in history(alice, conversation_id)] == [1] * 6 + [None] * 4


@pytest.mark.django_db
def test_with_nothing_to_compact_the_live_messages_are_summarized_again(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, "We decided to use PostgreSQL because we need strong consistency.", "Good.")
    run = compact(alice, conversation_id)
    assert [row.compacted_in for row in history(alice, conversation_id)] == [None, None]
    assert context_of(alice, conversation_id).rolling_summary["decisions"]
    with workspace(alice.workspace_id):
        operation = operation_get(alice, run.operation_id)
    assert (operation.state, operation.progress) == ("succeeded", 100)


@pytest.mark.django_db
def test_a_second_request_returns_the_queued_run(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=10)
    with workspace(alice.workspace_id):
        first = compaction_request(alice, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())
        second = compaction_request(alice, conversation_id=conversation_id, level=Level.DEEP, policy=Policy())
    assert first.id == second.id


@pytest.mark.django_db
def test_charlie_cannot_request_a_compaction(alice: Actor, charlie: Actor) -> None:
    conversation_id = long_talk(alice, messages=10)
    with workspace(charlie.workspace_id), pytest.raises(NotFound):
        compaction_request(charlie, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())


@pytest.mark.django_db
def test_an_undo_restores_summary_and_messages(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=25, tokens=50)
    first = compact(alice, conversation_id)
    say(alice, conversation_id, *["and on " * 20 for _ in range(10)])
    before = context_of(alice, conversation_id).rolling_summary
    second = compact(alice, conversation_id)
    with pytest.raises(Conflict):
        undo(alice, conversation_id, first.id)
    undo(alice, conversation_id, second.id)
    assert context_of(alice, conversation_id).rolling_summary == before
    assert [row.compacted_in for row in history(alice, conversation_id)] == [1] * 5 + [None] * 30
    undo(alice, conversation_id, first.id)
    assert not summary_from_json(context_of(alice, conversation_id).rolling_summary)
    assert row_of(alice, conversation_id).live_count == 35
    assert [run.state for run in runs_of(alice, conversation_id)] == ["undone", "undone"]
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_an_undo_pauses_automatic_compaction_until_the_next_level(alice: Actor, settings: Settings) -> None:
    without_debounce(settings)
    conversation_id = long_talk(alice, messages=40)
    run_due_jobs()
    (run,) = runs_of(alice, conversation_id)
    undo(alice, conversation_id, run.id)
    say(alice, conversation_id, "go on", "yes")
    assert not DueJob.objects.filter(kind="compaction", key=str(conversation_id)).exists()
    say(alice, conversation_id, *["word " * 240 for _ in range(14)])
    assert DueJob.objects.filter(kind="compaction", key=str(conversation_id)).exists()
    run_due_jobs()
    assert runs_of(alice, conversation_id)[-1].state == "succeeded"
    assert context_of(alice, conversation_id).paused_below is None


@pytest.mark.django_db
def test_excluding_a_compacted_message_removes_its_lines_from_the_summary(alice: Actor) -> None:
    conversation_id = conversation(alice)
    messages = say(
        alice,
        conversation_id,
        "We decided to use MongoDB because it is fast.",
        *["Understood. " * 30 for _ in range(9)],
    )
    compact(alice, conversation_id)
    assert "MongoDB" in str(context_of(alice, conversation_id).rolling_summary)
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=conversation_id, message_ids=[messages[0].id], excluded=True)
    assert "MongoDB" not in str(context_of(alice, conversation_id).rolling_summary)
    with workspace(alice.workspace_id):
        assert "MongoDB" in str(summary_at(conversation_id, 1))
        messages_set_excluded(alice, conversation_id=conversation_id, message_ids=[messages[0].id], excluded=False)
    assert "MongoDB" in str(context_of(alice, conversation_id).rolling_summary)
    assert history(alice, conversation_id)[0].compacted_in == 1
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_a_fork_has_the_context_as_of_its_last_message(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(
        alice,
        conversation_id,
        "We decided to use PostgreSQL because we need strong consistency.",
        *["Understood. "] * 24,
    )
    compact(alice, conversation_id)
    say(alice, conversation_id, *["The deadline must be 2026-12-01. " for _ in range(20)])
    compact(alice, conversation_id)
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=conversation_id, through_index=22)
    copies = history(alice, fork.id)
    assert [row.content for row in copies] == [row.content for row in history(alice, conversation_id)[:23]]
    assert [row.compacted_in for row in copies] == [1] * 5 + [None] * 18
    summary = context_of(alice, fork.id).rolling_summary
    assert "PostgreSQL" in str(summary)
    assert "deadline" not in str(summary)
    check_invariants(alice, fork.id)
    check_invariants(alice, conversation_id)


@pytest.mark.django_db
def test_a_fork_does_not_restore_excluded_content(alice: Actor) -> None:
    conversation_id = conversation(alice)
    messages = say(alice, conversation_id, "We decided to use MongoDB because it is fast.", *["Understood. "] * 24)
    compact(alice, conversation_id)
    say(alice, conversation_id, *["And so on. "] * 20)
    compact(alice, conversation_id)
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=conversation_id, message_ids=[messages[0].id], excluded=True)
        fork = conversation_fork(alice, conversation_id=conversation_id, through_index=22)
    assert "MongoDB" not in str(context_of(alice, fork.id).rolling_summary)


@pytest.mark.django_db
def test_a_fork_after_an_undo_covers_no_message_twice(alice: Actor) -> None:
    conversation_id = conversation(alice)
    messages = say(alice, conversation_id, "We decided to use PostgreSQL because it is safe.", *["Understood. "] * 24)
    run = compact(alice, conversation_id)
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=conversation_id, message_ids=[messages[1].id], excluded=True)
    undo(alice, conversation_id, run.id)
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=conversation_id, through_index=24)
    assert all(row.compacted_in is None for row in history(alice, fork.id))
    assert "PostgreSQL" not in str(context_of(alice, fork.id).rolling_summary)


@pytest.mark.django_db
def test_a_new_request_revives_a_compaction_whose_job_is_dead(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=25, tokens=50)
    with workspace(alice.workspace_id):
        run = compaction_request(alice, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())
    DueJob.objects.update(state="dead", attempts=5, last_error="worker_lost")
    assert run_due_jobs() == 0
    with workspace(alice.workspace_id):
        assert (
            compaction_request(alice, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy()).id == run.id
        )
    run_due_jobs()
    assert [row.state for row in runs_of(alice, conversation_id)] == ["succeeded"]


@pytest.mark.django_db
def test_a_compaction_that_keeps_crashing_its_worker_fails_with_worker_lost(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=25, tokens=50)
    with workspace(alice.workspace_id):
        run = compaction_request(alice, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())
    DueJob.objects.update(attempts=5)
    run_due_jobs()
    assert [(row.state, row.error_code, row.retry_at) for row in runs_of(alice, conversation_id)] == [
        ("failed", "worker_lost", None)
    ]
    with workspace(alice.workspace_id):
        assert operation_get(alice, run.operation_id).error == {
            "code": "worker_lost",
            "detail": "The compaction crashed several times.",
        }


@pytest.mark.slow("it summarizes messages of the largest size")
@pytest.mark.django_db
def test_huge_messages_are_compacted_in_one_run(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *["Yes. No. Why? Is it so? " * 16_000 for _ in range(12)])
    compact(alice, conversation_id)
    assert [run.state for run in runs_of(alice, conversation_id)] == ["succeeded"]
