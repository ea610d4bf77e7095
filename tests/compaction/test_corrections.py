"""Corrections of the summary hold through compactions, rewrites, undoing, forks and exclusions."""

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
from apps.turns.services.messages import messages_leave_out
from tests.compaction.correcting import correct, summary_now
from tests.compaction.work import check_invariants, compact, context_of, runs_of, work_off
from tests.conversations.talk import conversation, history, say
from tests.providers.anthropic_server import ProviderServer

MONGO = "We decided to use MongoDB because it is fast."
FILLING = ("Understood, that is noted.",) * 9

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(alice: Actor) -> UUID:
    """A conversation whose summary holds one decision."""
    talk = conversation(alice)
    say(alice, talk, MONGO, *FILLING)
    compact(alice, talk)
    assert [line.text for line in summary_now(alice, talk).decisions] == ["We decided to use MongoDB"]
    return talk


def decisions(actor: Actor, talk: UUID) -> list[tuple[str, bool]]:
    return [(line.text, line.corrected) for line in summary_now(actor, talk).decisions]


def test_a_correction_is_a_version_of_its_own(alice: Actor, talk: UUID) -> None:
    before = summary_now(alice, talk)
    record = correct(alice, talk, "decisions", 0, "We use PostgreSQL")
    assert (record.version, record.cause, record.covers_through) == (2, "correction", 5)
    assert summary_now(alice, talk).decisions[0].sources == before.decisions[0].sources
    assert context_of(alice, talk).summary_tokens == record.summary_tokens
    with workspace(alice.workspace_id):
        assert "MongoDB" in str(summary_get(alice, talk, 1).rolling_summary["decisions"])
    check_invariants(alice, talk)


@pytest.mark.parametrize("level", list(Level))
def test_no_compaction_overwrites_it_or_brings_the_old_line_back(alice: Actor, talk: UUID, level: Level) -> None:
    correct(alice, talk, "decisions", 0, "We use PostgreSQL")
    correct(alice, talk, "goals", None, "Open the shop in May")
    say(alice, talk, MONGO, "Noted.", "We decided to use Redis because it is small.", *FILLING * 3)
    compact(alice, talk, level)
    assert ("We use PostgreSQL", True) in decisions(alice, talk)
    assert ("We decided to use Redis", False) in decisions(alice, talk)
    assert Line("Open the shop in May", (), corrected=True) in summary_now(alice, talk).goals
    assert "MongoDB" not in summary_text(summary_now(alice, talk))
    check_invariants(alice, talk)


def test_what_was_taken_out_does_not_come_back_when_the_live_messages_are_read_again(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, MONGO, "Good.")
    compact(alice, talk)
    correct(alice, talk, "decisions", 0, None)
    compact(alice, talk, Level.AGGRESSIVE)
    assert decisions(alice, talk) == []


@pytest.mark.django_db(transaction=True)
def test_a_model_cannot_overwrite_it_either(alice: Actor, provider: ProviderServer) -> None:
    talk = conversation(alice)
    say(alice, talk, MONGO, *FILLING)
    compact(alice, talk)
    (line,) = summary_now(alice, talk).requirements
    correct(alice, talk, "requirements", 0, "Never use MongoDB")
    correct(alice, talk, "goals", None, "Open the shop in May")
    say(alice, talk, MONGO, *FILLING * 3)
    compact(alice, talk)
    assert {run.model for run in runs_of(alice, talk)} != {"offline"}
    assert '"corrected": true' in str(provider.requests[-1].body)
    summary = summary_now(alice, talk)
    assert Line("Never use MongoDB", line.sources, corrected=True) in summary.requirements
    assert line.text not in [found.text for found in summary.requirements]
    assert summary.goals == (Line("Open the shop in May", (), corrected=True),)
    check_invariants(alice, talk)


def test_an_undo_keeps_what_was_corrected_since(alice: Actor, talk: UUID) -> None:
    say(alice, talk, *("And so on and so forth.",) * 30)
    run = compact(alice, talk)
    correct(alice, talk, "decisions", 0, "We use PostgreSQL")
    correct(alice, talk, "goals", None, "Open the shop in May")
    with workspace(alice.workspace_id):
        compaction_undo(alice, conversation_id=talk, run_id=run.id, policy=Policy())
    assert decisions(alice, talk) == [("We use PostgreSQL", True)]
    assert [line.text for line in summary_now(alice, talk).goals] == ["Open the shop in May"]
    check_invariants(alice, talk)


def test_an_undo_brings_nothing_back_that_was_taken_out_since(alice: Actor, talk: UUID) -> None:
    say(alice, talk, *("And so on and so forth.",) * 30)
    run = compact(alice, talk)
    correct(alice, talk, "decisions", 0, None)
    with workspace(alice.workspace_id):
        compaction_undo(alice, conversation_id=talk, run_id=run.id, policy=Policy())
    assert decisions(alice, talk) == []


def test_leaving_the_source_out_takes_a_rewritten_line_but_none_of_the_persons_own(alice: Actor, talk: UUID) -> None:
    correct(alice, talk, "decisions", 0, "We use PostgreSQL")
    correct(alice, talk, "goals", None, "Open the shop in May")
    with workspace(alice.workspace_id):
        messages_leave_out(alice, conversation_id=talk, message_ids=[history(alice, talk)[0].id], excluded=True)
    assert decisions(alice, talk) == []
    assert [line.text for line in summary_now(alice, talk).goals] == ["Open the shop in May"]


def test_a_fork_keeps_corrections_and_what_was_taken_out(alice: Actor, talk: UUID) -> None:
    correct(alice, talk, "decisions", 0, None)
    correct(alice, talk, "goals", None, "Open the shop in May")
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=talk, through_index=9)
    summary = summary_now(alice, fork.id)
    assert [line.text for line in summary.goals] == ["Open the shop in May"]
    assert summary.dismissed == ("We decided to use MongoDB",)
    check_invariants(alice, fork.id)


def test_a_correction_during_a_run_makes_it_begin_again(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, talk, *("And so on and so forth.",) * 30)
    real, corrections = pipeline.summarised, ["We use PostgreSQL"]

    def summarised(*values: object) -> object:
        if corrections:
            correct(alice, talk, "decisions", 0, corrections.pop())
        return real(*values)  # type: ignore[arg-type]  # handed through

    monkeypatch.setattr(pipeline, "summarised", summarised)
    compact(alice, talk)
    work_off()
    assert decisions(alice, talk) == [("We use PostgreSQL", True)]
    assert [run.state for run in runs_of(alice, talk)] == ["succeeded", "succeeded"]


def test_a_correction_of_an_older_version_is_refused(alice: Actor, talk: UUID) -> None:
    correction = Correction("goals", None, Line("Late", ()))
    with workspace(alice.workspace_id), pytest.raises(Stale):
        summary_correct(alice, conversation_id=talk, correction=correction, version=0, policy=Policy())


def test_undoing_a_correction_gives_the_line_back_as_it_was(alice: Actor, talk: UUID) -> None:
    before = summary_now(alice, talk)
    version = correct(alice, talk, "decisions", 0, None).version
    with workspace(alice.workspace_id):
        record = summary_correction_undo(alice, conversation_id=talk, version=version)
    assert (record.version, record.cause) == (version + 1, "undo")
    assert summary_now(alice, talk) == before
