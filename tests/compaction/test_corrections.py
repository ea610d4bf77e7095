"""Corrections of the summary survive compactions, rewrites, undo, forks and exclusions."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.errors import Stale
from apps.common.tenancy import workspace
from apps.compaction.selectors.contexts import summary_get
from apps.compaction.services import pipeline
from apps.compaction.services.corrections import summary_correct, summary_correction_undo
from apps.compaction.services.undo import compaction_undo
from apps.engine.policy import Level, Policy
from apps.engine.summary.corrections import Correction
from apps.engine.summary.rendering import summary_text
from apps.engine.summary.rolling_summary import Line
from apps.turns.services.fork import conversation_fork
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.corrections import correct, summary_now
from tests.compaction.runs import check_invariants, compact, context_of, run_due_jobs, runs_of
from tests.conversations.long_conversations import conversation, history, say
from tests.providers.anthropic_server import ProviderServer

MONGO = "We decided to use MongoDB because it is fast."
FILLING = ("Understood, that is noted.",) * 9

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation_id(alice: Actor) -> UUID:
    """A conversation whose summary has one decision."""
    conversation_id = conversation(alice)
    say(alice, conversation_id, MONGO, *FILLING)
    compact(alice, conversation_id)
    assert [line.text for line in summary_now(alice, conversation_id).decisions] == ["We decided to use MongoDB"]
    return conversation_id


def decisions(actor: Actor, conversation_id: UUID) -> list[tuple[str, bool]]:
    return [(line.text, line.corrected) for line in summary_now(actor, conversation_id).decisions]


def test_a_correction_creates_a_new_version(alice: Actor, conversation_id: UUID) -> None:
    before = summary_now(alice, conversation_id)
    record = correct(alice, conversation_id, "decisions", 0, "We use PostgreSQL")
    assert (record.version, record.cause, record.covers_through) == (2, "correction", 5)
    assert summary_now(alice, conversation_id).decisions[0].sources == before.decisions[0].sources
    assert context_of(alice, conversation_id).summary_tokens == record.summary_tokens
    with workspace(alice.workspace_id):
        assert "MongoDB" in str(summary_get(alice, conversation_id, 1).rolling_summary["decisions"])
    check_invariants(alice, conversation_id)


@pytest.mark.parametrize("level", list(Level))
def test_no_compaction_overwrites_a_correction_or_restores_the_old_line(
    alice: Actor, conversation_id: UUID, level: Level
) -> None:
    correct(alice, conversation_id, "decisions", 0, "We use PostgreSQL")
    correct(alice, conversation_id, "goals", None, "Open the shop in May")
    say(alice, conversation_id, MONGO, "Noted.", "We decided to use Redis because it is small.", *FILLING * 3)
    compact(alice, conversation_id, level)
    assert ("We use PostgreSQL", True) in decisions(alice, conversation_id)
    assert ("We decided to use Redis", False) in decisions(alice, conversation_id)
    assert Line("Open the shop in May", (), corrected=True) in summary_now(alice, conversation_id).goals
    assert "MongoDB" not in summary_text(summary_now(alice, conversation_id))
    check_invariants(alice, conversation_id)


def test_a_removed_line_does_not_return_when_live_messages_are_summarized_again(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, MONGO, "Good.")
    compact(alice, conversation_id)
    correct(alice, conversation_id, "decisions", 0, None)
    compact(alice, conversation_id, Level.AGGRESSIVE)
    assert decisions(alice, conversation_id) == []


@pytest.mark.django_db(transaction=True)
def test_a_model_cannot_overwrite_a_correction(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, MONGO, *FILLING)
    compact(alice, conversation_id)
    (line,) = summary_now(alice, conversation_id).requirements
    correct(alice, conversation_id, "requirements", 0, "Never use MongoDB")
    correct(alice, conversation_id, "goals", None, "Open the shop in May")
    say(alice, conversation_id, MONGO, *FILLING * 3)
    compact(alice, conversation_id)
    assert {run.model for run in runs_of(alice, conversation_id)} != {"offline"}
    assert '"corrected": true' in str(provider.requests[-1].body)
    summary = summary_now(alice, conversation_id)
    assert Line("Never use MongoDB", line.sources, corrected=True) in summary.requirements
    assert line.text not in [entry.text for entry in summary.requirements]
    assert summary.goals == (Line("Open the shop in May", (), corrected=True),)
    check_invariants(alice, conversation_id)


def test_an_undo_preserves_later_corrections(alice: Actor, conversation_id: UUID) -> None:
    say(alice, conversation_id, *("And so on and so forth.",) * 30)
    run = compact(alice, conversation_id)
    correct(alice, conversation_id, "decisions", 0, "We use PostgreSQL")
    correct(alice, conversation_id, "goals", None, "Open the shop in May")
    with workspace(alice.workspace_id):
        compaction_undo(alice, conversation_id=conversation_id, run_id=run.id, policy=Policy())
    assert decisions(alice, conversation_id) == [("We use PostgreSQL", True)]
    assert [line.text for line in summary_now(alice, conversation_id).goals] == ["Open the shop in May"]
    check_invariants(alice, conversation_id)


def test_an_undo_does_not_restore_lines_removed_later(alice: Actor, conversation_id: UUID) -> None:
    say(alice, conversation_id, *("And so on and so forth.",) * 30)
    run = compact(alice, conversation_id)
    correct(alice, conversation_id, "decisions", 0, None)
    with workspace(alice.workspace_id):
        compaction_undo(alice, conversation_id=conversation_id, run_id=run.id, policy=Policy())
    assert decisions(alice, conversation_id) == []


def test_excluding_the_source_removes_a_rewritten_line_but_not_a_user_s_own(
    alice: Actor, conversation_id: UUID
) -> None:
    correct(alice, conversation_id, "decisions", 0, "We use PostgreSQL")
    correct(alice, conversation_id, "goals", None, "Open the shop in May")
    with workspace(alice.workspace_id):
        messages_set_excluded(
            alice, conversation_id=conversation_id, message_ids=[history(alice, conversation_id)[0].id], excluded=True
        )
    assert decisions(alice, conversation_id) == []
    assert [line.text for line in summary_now(alice, conversation_id).goals] == ["Open the shop in May"]


def test_a_fork_preserves_corrections_and_removals(alice: Actor, conversation_id: UUID) -> None:
    correct(alice, conversation_id, "decisions", 0, None)
    correct(alice, conversation_id, "goals", None, "Open the shop in May")
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=conversation_id, through_index=9)
    summary = summary_now(alice, fork.id)
    assert [line.text for line in summary.goals] == ["Open the shop in May"]
    assert summary.dismissed == ("We decided to use MongoDB",)
    check_invariants(alice, fork.id)


def test_a_correction_during_a_run_restarts_it(
    alice: Actor, conversation_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, conversation_id, *("And so on and so forth.",) * 30)
    original, corrections = pipeline.summarized, ["We use PostgreSQL"]

    def summarized(*args: object) -> object:
        if corrections:
            correct(alice, conversation_id, "decisions", 0, corrections.pop())
        return original(*args)  # type: ignore[arg-type]  # passed through

    monkeypatch.setattr(pipeline, "summarized", summarized)
    compact(alice, conversation_id)
    run_due_jobs()
    assert decisions(alice, conversation_id) == [("We use PostgreSQL", True)]
    assert [run.state for run in runs_of(alice, conversation_id)] == ["succeeded", "succeeded"]


def test_a_correction_of_an_older_version_is_refused(alice: Actor, conversation_id: UUID) -> None:
    correction = Correction("goals", None, Line("Late", ()))
    with workspace(alice.workspace_id), pytest.raises(Stale):
        summary_correct(alice, conversation_id=conversation_id, correction=correction, version=0, policy=Policy())


def test_undoing_a_correction_restores_the_line(alice: Actor, conversation_id: UUID) -> None:
    before = summary_now(alice, conversation_id)
    version = correct(alice, conversation_id, "decisions", 0, None).version
    with workspace(alice.workspace_id):
        record = summary_correction_undo(alice, conversation_id=conversation_id, version=version)
    assert (record.version, record.cause) == (version + 1, "undo")
    assert summary_now(alice, conversation_id) == before
