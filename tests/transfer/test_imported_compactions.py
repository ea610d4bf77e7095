"""Compactions in an import: the runs return with their versions, so that they can be undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun, SummaryVersion
from apps.compaction.selectors.contexts import context_state
from apps.conversations.models import Conversation, Message
from apps.engine.policy import Level
from apps.engine.summary.rendering import entry_text
from apps.llm.models import ModelUsage
from tests.compaction.corrections import correct
from tests.compaction.runs import check_invariants, compact, context_of
from tests.conversations.long_conversations import say
from tests.people import client_of
from tests.transfer.round_trips import exported, moved
from tests.transfer.test_export_round_trip import LONG, conversation_of
from tests.transfer.test_import_sources import Result, created, run

pytestmark = pytest.mark.django_db
Line = dict[str, Any]
SAME = (
    *("trigger", "level", "state", "base_version", "version", "at_index", "compacted_from", "compacted_through"),
    *("compacted_count", "tokens_before", "tokens_after", "preservation_ratio", "model", "created_at", "started_at"),
    "finished_at",
)


@pytest.fixture(scope="module")
def chat(shared_alice: Actor) -> UUID:
    return compacted_twice(shared_alice)


def compacted_twice(actor: Actor) -> UUID:
    """A conversation of the person's."""
    conversation_id = UUID(conversation_of(actor)[0])
    compact(actor, conversation_id)
    say(actor, conversation_id, *[f"{place}: {LONG} We agreed on Redis {place}." for place in range(10)])
    compact(actor, conversation_id, Level.DEEP)
    return conversation_id


def runs_in(actor: Actor) -> list[CompactionRun]:
    with workspace(actor.workspace_id):
        return list(CompactionRun.objects.order_by("version"))


def covered(actor: Actor) -> list[int | None]:
    with workspace(actor.workspace_id):
        return list(Message.objects.order_by("index").values_list("compacted_in", flat=True))


def texts(actor: Actor, conversation_id: UUID) -> list[str]:
    """What the summary says now."""
    with workspace(actor.workspace_id):
        return [entry_text(entry) for _, entry in context_state(conversation_id).summary.entries()]


def copy_of(actor: Actor) -> UUID:
    with workspace(actor.workspace_id):
        return Conversation.objects.get().id


def undo(actor: Actor, conversation_id: UUID, run_id: UUID, status: int = 200) -> None:
    answer = client_of(actor).post(f"/api/conversations/{conversation_id}/compactions/{run_id}/undo")
    assert answer.status_code == status, answer.content


def written(lines: list[Line], folder: Path, name: str = "changed.jsonl") -> Path:
    file = folder / name
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def versions_in(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line.get("kind") == "summary_version"]


def only(results: list[Result], kind: str = "summary_version") -> list[tuple[str, str]]:
    return [(one["status"], one["reason"]) for one in results if one["kind"] == kind]


def test_runs_return_as_they_were_and_cost_nothing_here(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    with workspace(alice.workspace_id):
        CompactionRun.objects.update(cost="0.25", model="claude-x")
    file, _ = exported(alice, tmp_path)
    run(charlie, "json", file)
    before, after = runs_in(alice), runs_in(charlie)
    assert [[getattr(one, name) for name in SAME] for one in after] == [
        [getattr(one, name) for name in SAME] for one in before
    ]
    assert not any(one.cost or one.operation_id for one in after)
    with workspace(charlie.workspace_id):
        assert not ModelUsage.objects.exists()


def test_imported_compactions_are_undone_in_their_order(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    file, _ = exported(alice, tmp_path)
    run(charlie, "json", file)
    copy, (first, second) = copy_of(charlie), runs_in(charlie)
    theirs = runs_in(alice)
    undo(charlie, copy, first.id, status=409)
    undo(charlie, copy, second.id)
    undo(alice, chat, theirs[1].id)
    assert covered(charlie) == covered(alice)
    assert {1, None} == set(covered(charlie))
    assert texts(charlie, copy) == texts(alice, chat) != []
    check_invariants(charlie, copy)
    undo(charlie, copy, first.id)
    assert set(covered(charlie)) == {None}
    assert texts(charlie, copy) == []
    assert [one.state for one in runs_in(charlie)] == ["undone", "undone"]
    check_invariants(charlie, copy)


def test_an_undone_compaction_returns_as_undone(alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path) -> None:
    undo(alice, chat, runs_in(alice)[1].id)
    file, lines = exported(alice, tmp_path)
    _, theirs = moved(file, charlie, tmp_path)
    assert [one.state for one in runs_in(charlie)] == ["succeeded", "undone"]
    assert covered(charlie) == covered(alice)
    assert context_of(charlie, copy_of(charlie)).paused_below == context_of(alice, chat).paused_below is not None
    assert len(versions_in(theirs)) == len(versions_in(lines)) == 3
    undo(charlie, copy_of(charlie), runs_in(charlie)[0].id)
    assert set(covered(charlie)) == {None}


def test_an_undo_returns_to_the_imported_version_though_a_compaction_ran_between(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    file, lines = exported(alice, tmp_path)
    later = versions_in(lines)[1]
    run(charlie, "json", written([line for line in lines if line != later], tmp_path))
    copy = copy_of(charlie)
    compact(charlie, copy, Level.AGGRESSIVE)
    with workspace(charlie.workspace_id):
        imported = SummaryVersion.objects.get(exported_as=1)
    run(charlie, "json", file)
    assert [(one.version, one.base_version, one.state) for one in runs_in(charlie)] == [
        (1, 0, "succeeded"),
        (2, 1, "undone"),
        (3, 1, "succeeded"),
    ]
    assert set(covered(charlie)) == {1, 3, None}
    with workspace(charlie.workspace_id):
        assert context_state(copy).compaction_count == 2
    undo(charlie, copy, runs_in(charlie)[2].id)
    assert set(covered(charlie)) == {1, None}
    with workspace(charlie.workspace_id):
        latest = SummaryVersion.objects.order_by("-version").first()
        assert latest is not None
        assert latest.rolling_summary == imported.rolling_summary
    check_invariants(charlie, copy)


def test_a_compaction_that_was_undone_since_the_first_import_is_undone_by_the_second(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    run(charlie, "json", exported(alice, tmp_path)[0])
    undo(alice, chat, runs_in(alice)[1].id)
    results = run(charlie, "json", exported(alice, tmp_path)[0])
    assert only(results) == [("existing", ""), ("existing", "updated"), ("created", "")]
    copy = copy_of(charlie)
    assert covered(charlie) == covered(alice)
    assert texts(charlie, copy) == texts(alice, chat)
    assert [one.state for one in runs_in(charlie)] == ["succeeded", "undone"]
    check_invariants(charlie, copy)
    assert not created(run(charlie, "json", exported(alice, tmp_path)[0]))


def test_the_summary_before_an_undone_one_holds_until_its_successor_arrives(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    run(charlie, "json", exported(alice, tmp_path)[0])
    undo(alice, chat, runs_in(alice)[1].id)
    _, lines = exported(alice, tmp_path)
    run(charlie, "json", written([line for line in lines if line != versions_in(lines)[2]], tmp_path))
    copy = copy_of(charlie)
    assert covered(charlie) == covered(alice)
    assert texts(charlie, copy) == texts(alice, chat)
    check_invariants(charlie, copy)


def test_what_a_person_corrected_here_stays_corrected(alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path) -> None:
    run(charlie, "json", exported(alice, tmp_path)[0])
    copy = copy_of(charlie)
    correct(charlie, copy, "goals", None, "Open the shop in May")
    say(alice, chat, *[f"{place}: {LONG} We agreed on Kafka {place}." for place in range(10)])
    compact(alice, chat, Level.DEEP)
    run(charlie, "json", exported(alice, tmp_path)[0])
    assert set(texts(charlie, copy)) == {*texts(alice, chat), "Open the shop in May"}
    check_invariants(charlie, copy)


def test_files_without_runs_are_read_as_before(alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path) -> None:
    _, lines = exported(alice, tmp_path)
    old = [{name: value for name, value in line.items() if name not in ("run", "version")} for line in lines[1:]]
    results = run(charlie, "json", written([lines[0], *old], tmp_path))
    assert {one["status"] for one in results} == {"created"}
    assert covered(charlie) == covered(alice)
    assert not runs_in(charlie)
    # A newer file of the same conversation adds no version twice.
    newer = run(charlie, "json", exported(alice, tmp_path)[0])
    assert only(newer) == [("existing", "known_version")] * 2
    assert covered(charlie) == covered(alice)


DAMAGES: dict[str, Callable[[Line], object]] = {
    "an unknown level": lambda one: one["run"].update(level="huge"),
    "an unknown trigger": lambda one: one["run"].update(trigger="cron"),
    "no level": lambda one: one["run"].pop("level"),
    "a count as text": lambda one: one["run"].update(count="many"),
    "a negative count": lambda one: one["run"].update(count=-1),
    "tokens beyond all numbers": lambda one: one["run"].update(tokens_before=2**70),
    "a ratio that is no number": lambda one: one["run"].update(preservation_ratio="60"),
    "a ratio above a hundred": lambda one: one["run"].update(preservation_ratio=10**400),
    "a date that is none": lambda one: one["run"].update(finished_at="yesterday"),
    "no date": lambda one: one["run"].pop("started_at"),
    "its own version as base": lambda one: one["run"].update(base=one["version"]),
    "a run without a number": lambda one: one.pop("version"),
    "a run of another cause": lambda one: one.update(cause="exclusion"),
    "a list as run": lambda one: one.update(run=["x"]),
    "a number as text": lambda one: one.update(version="2"),
    "zero as number": lambda one: one.update(version=0),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_run_is_refused_with_its_version(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path, damage: Callable[[Line], object]
) -> None:
    _, lines = exported(alice, tmp_path)
    damage(versions_in(lines)[1])
    results = run(charlie, "json", written(lines, tmp_path))
    (first, (status, reason)) = only(results)
    assert first == ("created", "")
    assert (status, bool(reason)) == ("refused", True)
    with workspace(charlie.workspace_id):
        assert SummaryVersion.objects.count() == CompactionRun.objects.count() == 1
    assert set(covered(charlie)) == {1, None}
    check_invariants(charlie, copy_of(charlie))


def test_a_run_whose_base_is_missing_is_reported_and_cannot_be_undone(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    _, lines = exported(alice, tmp_path)
    first, second = versions_in(lines)
    file = written([line for line in lines if line != first], tmp_path)
    results = {one["key"]: one for one in run(charlie, "json", file)}
    assert results[second["key"]]["status"] == "created"
    assert [one["code"] for one in results[second["key"]]["problems"]] == ["unknown_base"]
    assert not runs_in(charlie)
    assert set(covered(charlie)) == {1, None}


def compacted_without_summary(actor: Actor, conversation_id: UUID) -> set[int]:
    """The messages that the model would not see: compacted, and no summary is left."""
    if texts(actor, conversation_id):
        return set()
    return {place for place, version in enumerate(covered(actor)) if version is not None}


def test_an_undo_frees_what_a_later_version_without_its_run_covered(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    say(alice, chat, *[f"{place}: {LONG} We agreed on Kafka {place}." for place in range(10)])
    compact(alice, chat, Level.DEEP)
    _, lines = exported(alice, tmp_path)
    missing = versions_in(lines)[1]
    run(charlie, "json", written([line for line in lines if line != missing], tmp_path))
    copy, (first,) = copy_of(charlie), runs_in(charlie)
    assert set(covered(charlie)) == {1, 2, None}
    undo(charlie, copy, first.id)
    assert not compacted_without_summary(charlie, copy)
    with workspace(charlie.workspace_id):
        assert context_state(copy).compaction_count == 0
    check_invariants(charlie, copy)


def test_versions_in_another_order_leave_no_message_without_its_summary(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    _, lines = exported(alice, tmp_path)
    first, second = versions_in(lines)
    others = [line for line in lines if line not in (first, second)]
    run(charlie, "json", written([*others, second, first], tmp_path))
    copy, (restored,) = copy_of(charlie), runs_in(charlie)
    check_invariants(charlie, copy)
    undo(charlie, copy, restored.id)
    assert not compacted_without_summary(charlie, copy)
    check_invariants(charlie, copy)


def test_the_versions_of_a_second_server_replace_those_of_the_first(
    alice: Actor, charlie: Actor, chat: UUID, tmp_path: Path
) -> None:
    _, lines = exported(alice, tmp_path)
    run(charlie, "json", written(lines, tmp_path))
    elsewhere = [line | {"key": f"{line['key']}-2"} if line in versions_in(lines) else line for line in lines]
    assert only(run(charlie, "json", written(elsewhere, tmp_path, "elsewhere.jsonl"))) == [("created", "")] * 2
    copy = copy_of(charlie)
    assert [one.state for one in runs_in(charlie)] == ["undone", "undone", "succeeded", "succeeded"]
    assert set(covered(charlie)) == {3, 4, None}
    check_invariants(charlie, copy)
    for one in reversed(runs_in(charlie)[2:]):
        undo(charlie, copy, one.id)
        check_invariants(charlie, copy)
    assert set(covered(charlie)) == {None}
