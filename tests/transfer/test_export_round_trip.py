"""What an export has returns in another workspace: the second export has the same items."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun, ConversationContext, SummaryVersion
from apps.compaction.selectors.contexts import context_state
from apps.compaction.selectors.session_archives import archive_address
from apps.compaction.services.archive.scheduling import KIND
from apps.conversations.models import Conversation, Message
from apps.engine.memory.trust import Source
from apps.extraction.models import ReadPosition
from apps.extraction.selectors.unread import own_names, unread_rows
from apps.extraction.services.positions import off_span_begin, off_span_end, position_advance, position_lock
from apps.jobs.models import DueJob
from apps.memory.models import MemConflict, MemNode, MemRevision, MemSource
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.merge import nodes_merge
from apps.memory.services.tree.undo.change_undo import change_undo
from apps.transfer.services.export import memories
from tests.compaction.runs import compact, run_due_jobs
from tests.memory.facts import learn, learned, said
from tests.memory.test_tree_properties import Play, sessions
from tests.memory.trees import at, read, replayed, told_state, write
from tests.people import client_of
from tests.transfer.round_trips import comparable, exported, moved
from tests.transfer.test_export import fill
from tests.transfer.test_import_sources import created, run

pytestmark = pytest.mark.django_db
LONG = "We decided to use PostgreSQL 18 for Atlas because it is fast. The deadline is 4 May. "


def conversation_of(actor: Actor, count: int = 30, *, learns: bool = False, **more: Any) -> tuple[str, list[str]]:
    client = client_of(actor)
    chat = client.post("/api/conversations", {"title": "Long", **more}).json()["id"]
    roles = ("user", "assistant")
    listed = [{"role": roles[place % 2], "content": f"{place}: {LONG}"} for place in range(count)]
    if not learns:
        off = client.patch(f"/api/conversations/{chat}", {"remembers": False}, headers={"If-Match": "*"})
        assert off.status_code == 200, off.content
    answer = client.post(f"/api/conversations/{chat}/messages", {"messages": listed})
    return chat, [one["id"] for one in answer.json()["data"]]


def fork_of(actor: Actor, chat: str, index: int) -> str:
    answer = client_of(actor).post(f"/api/conversations/{chat}/fork", {"through_index": index})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def remember(actor: Actor, message_id: str) -> None:
    """Memories with a history: edited, undone, archived, merged, superseded, proposed, and two that may contradict."""
    diet = write(actor, "mem://user/preferences/food/diet", "Vegetarian.")
    with workspace(actor.workspace_id):
        vegan = node_edit(actor, node_id=diet.id, changes={"content": "Vegan."}, version=1)
        edit = MemRevision.objects.get(node_id=vegan.id, number=2)
        change_undo(actor, node_id=diet.id, change_id=edit.change)
    for name in ("one", "two"):
        write(actor, f"mem://user/entities/atlas/{name}", f"Part {name} of the summer house.", tags=["atlas"])
    gone = write(actor, "mem://user/events/gone", "An archived event.")
    with workspace(actor.workspace_id):
        node_archive(actor, node_id=gone.id)
        parts = [at(actor, f"mem://user/entities/atlas/{name}").id for name in ("one", "two")]
        nodes_merge(actor, source_ids=parts[:1], target_id=parts[1], version=1)
    learn(actor, learned("Rome", 1))
    learn(actor, said("Oslo", 9, UUID(message_id)))
    learn(actor, learned("Paris", 20, source=Source.ASSISTANT))


def edit_archive(actor: Actor) -> None:
    """A conversation with an archive that a program compiled and a person edited."""
    chat, _ = conversation_of(actor, 4, learns=True, title="Archived")
    DueJob.objects.filter(kind=KIND, key=chat).update(due_at=timezone.now())
    run_due_jobs()
    with workspace(actor.workspace_id):
        row = MemNode.objects.get(uri=archive_address(UUID(chat)).text)
        node_edit(actor, node_id=row.id, changes={"content": "About Atlas."}, version=row.version)


def shared_lines(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those without private parts, which the client takes out."""
    return [one for one in comparable(lines) if "<private>" not in str(one) and "[private]" not in str(one)]


@pytest.fixture(scope="module")
def full(shared_alice: Actor) -> Actor:
    """Alice, who used everything that is exported."""
    alice = shared_alice
    fill(alice)
    chat, ids = conversation_of(alice)
    compact(alice, UUID(chat))
    undone, _ = conversation_of(alice, title="Undone")
    run_id = compact(alice, UUID(undone)).id
    assert client_of(alice).post(f"/api/conversations/{undone}/compactions/{run_id}/undo").status_code == 200
    compact(alice, UUID(undone))
    fork_of(alice, chat, 20)
    remember(alice, ids[0])
    edit_archive(alice)
    with workspace(alice.workspace_id):
        Message.objects.filter(pk=ids[29]).update(status="partial", error_code="stopped", utc_offset=-480)
        Conversation.objects.filter(pk=chat).update(others_could_write=True, own_names=["Al"])
    return alice


def test_the_second_export_has_the_same_items(full: Actor, charlie: Actor, tmp_path: Path) -> None:
    file, lines = exported(full, tmp_path)
    kinds = {line.get("kind") for line in lines[1:]}
    assert {"summary_version", "node_history", "node_conflict", "agent_session", "pin", "session_memory"} <= kinds
    results, theirs = moved(file, charlie, tmp_path)
    assert {one["status"] for one in results} == {"created"}, [one for one in results if one["status"] != "created"]
    assert shared_lines(theirs) == shared_lines(lines)
    with workspace(charlie.workspace_id):
        assert not tree_faults()
        for row in MemNode.objects.filter(node_type="leaf", uri__startswith="mem://user"):
            state, now = replayed(row.id), told_state(row)
            assert {name for name in now if state[name] != now[name]} <= {
                "base_relevance",
                "last_access",
                "access_count",
            }


def test_nothing_is_doubled_by_a_second_import(full: Actor, charlie: Actor, tmp_path: Path) -> None:
    file, _ = exported(full, tmp_path)
    _, first = moved(file, charlie, tmp_path)
    results, second = moved(file, charlie, tmp_path)
    assert not created(results)
    assert second == first


def test_an_interrupted_import_is_resumed(full: Actor, charlie: Actor, tmp_path: Path) -> None:
    file, lines = exported(full, tmp_path)
    text = file.read_text(encoding="utf-8").splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    for end in range(2, len(text), 25):
        part.write_text("".join(text[:end]), encoding="utf-8")
        run(charlie, "json", part)
    _, theirs = moved(file, charlie, tmp_path)
    assert shared_lines(theirs) == shared_lines(lines)


def test_an_export_changes_nothing_of_its_owner(full: Actor, tmp_path: Path) -> None:
    file, lines = exported(full, tmp_path)
    results, again = moved(file, full, tmp_path)
    assert not created(results)
    assert not [one for one in results if one["status"] == "refused"], results
    assert again == lines


def test_messages_are_compacted_as_their_summary_says(full: Actor, charlie: Actor, tmp_path: Path) -> None:
    file, _ = exported(full, tmp_path)
    run(charlie, "json", file)
    with workspace(full.workspace_id):
        originals = Conversation.objects.filter(title__in=("Long", "Undone"), copied_from=None)
        before = {row.title: row for row in originals}
        states = {title: context_state(row.id) for title, row in before.items()}
    with workspace(charlie.workspace_id):
        rows = list(Conversation.objects.filter(title__in=("Long", "Undone")))
        contexts = {row.conversation_id: row for row in ConversationContext.objects.all()}
        assert CompactionRun.objects.count() == 3
    assert len(rows) == 3
    for row in rows:
        with workspace(charlie.workspace_id):
            state, messages = context_state(row.id), Message.objects.filter(conversation=row)
            live = messages.filter(compacted_in=None, excluded=False)
            covered = messages.filter(compacted_in__isnull=False)
            assert state.summary
            assert row.live_count == live.count()
            assert covered.exists()
            assert contexts[row.id].version == SummaryVersion.objects.filter(conversation=row).count()
            sources = {source for _, entry in state.summary.entries() for source in entry.sources}
            assert sources
            assert Message.objects.filter(conversation=row, pk__in=sources).count() == len(sources)
        if row.copied_from_id is None:
            assert state.compaction_count == states[row.title].compaction_count
            assert row.live_tokens == before[row.title].live_tokens or row.title == "Long"


def test_a_compaction_since_the_import_gives_way_to_the_summary_of_the_file(
    alice: Actor, charlie: Actor, tmp_path: Path
) -> None:
    chat, _ = conversation_of(alice)
    compact(alice, UUID(chat))
    file, _ = exported(alice, tmp_path)
    text = file.read_text(encoding="utf-8").splitlines(keepends=True)
    summaries = [line for line in text if '"summary_version"' in line]
    without = tmp_path / "without.jsonl"
    without.write_text("".join(line for line in text if line not in summaries), encoding="utf-8")
    run(charlie, "json", without)
    with workspace(charlie.workspace_id):
        row = Conversation.objects.get()
    compact(charlie, row.id)
    _, theirs = moved(file, charlie, tmp_path)
    assert len([line for line in theirs if line.get("kind") == "summary_version"]) == 2
    with workspace(alice.workspace_id):
        expected = Message.objects.filter(compacted_in__isnull=False).count()
    with workspace(charlie.workspace_id):
        assert list(SummaryVersion.objects.order_by("version").values_list("undone", flat=True)) == [True, False]
        assert set(Message.objects.values_list("compacted_in", flat=True)) == {None, 2}
        assert Message.objects.filter(compacted_in=2).count() == expected
        runs = CompactionRun.objects.order_by("version")
        assert list(runs.values_list("state", flat=True)) == ["undone", "succeeded"]


def test_provenance_leads_to_the_imported_messages(full: Actor, charlie: Actor, tmp_path: Path) -> None:
    file, _ = exported(full, tmp_path)
    run(charlie, "json", file)
    with workspace(charlie.workspace_id):
        oslo = MemNode.objects.get(value="Oslo")
        message = MemSource.objects.get(node=oslo, kind="message")
        assert Message.objects.get(pk=message.reference).content == f"0: {LONG}"
        rome = MemNode.objects.get(value="Rome")
        assert rome.superseded_by == oslo
        merged = MemNode.objects.get(uri="mem://user/entities/atlas/one")
        assert merged.merged_into is not None
        assert merged.archived_at is not None
        assert MemConflict.objects.get().earlier == oslo
        fork = Conversation.objects.get(copied_from__isnull=False)
        copies = Message.objects.filter(conversation=fork).order_by("index")
        assert fork.copied_through == 20
        originals = Message.objects.filter(conversation=fork.copied_from_id, index__lte=20).order_by("index")
        assert [one.copied_from for one in copies] == [one.id for one in originals]


def test_an_import_never_raises_trust(full: Actor, charlie: Actor, tmp_path: Path) -> None:
    file, _ = exported(full, tmp_path)
    run(charlie, "json", file)
    with workspace(charlie.workspace_id):
        assert not MemNode.objects.filter(trust="direct_user", sources__kind="import").exists()
        for revision in MemRevision.objects.filter(node__sources__kind="import"):
            assert "direct_user" not in (revision.before.get("trust"), revision.after.get("trust"))
        paris = MemNode.objects.get(value="Paris")
        assert (paris.arrival, paris.trust) == ("proposed", "model_inference") or paris.arrival == "proposed"
        # Others could write there, so no message counts as the importer's own words.
        chat = Conversation.objects.get(title="Long", copied_from=None)
        assert not own_names(chat.id)


def test_what_was_read_for_memories_is_not_read_again_and_what_is_never_read_stays_so(
    alice: Actor, charlie: Actor, tmp_path: Path
) -> None:
    chat, _ = conversation_of(alice, learns=True)
    with workspace(alice.workspace_id):
        conversation_id = UUID(chat)
        off_span_begin(conversation_id, 4)
        off_span_end(conversation_id, 8)
        position = position_lock(conversation_id)
        position_advance(position, passed=range(20), read=[index for index in range(20) if index != 2])
        position.save()
        expected = list(unread_rows(position).order_by("index").values_list("index", flat=True))
    file, _ = exported(alice, tmp_path)
    run(charlie, "json", file)
    with workspace(charlie.workspace_id):
        position = ReadPosition.objects.get()
        assert list(unread_rows(position).order_by("index").values_list("index", flat=True)) == expected
        assert expected == [2, *range(20, 30)]


def test_a_memory_that_changed_since_keeps_its_own_history(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    write(alice, "mem://user/events/release", "We released.")
    file, _ = exported(alice, tmp_path)
    text = file.read_text(encoding="utf-8").splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_text("".join(line for line in text if '"node_history"' not in line), encoding="utf-8")
    run(charlie, "json", part)
    mine = at(charlie, "mem://user/events/release")
    with workspace(charlie.workspace_id):
        node_edit(charlie, node_id=mine.id, changes={"content": "We did not."}, version=1)
    results = {one["key"].partition(":")[0]: one for one in run(charlie, "json", file)}
    assert results["node_history"]["reason"] == "changed_since"
    assert read(charlie, mine.id).content == "We did not."
    with workspace(charlie.workspace_id):
        assert [one.operation for one in MemRevision.objects.filter(node=mine.id).order_by("number")] == [
            "import",
            "edit",
        ]


@given(session=sessions)
@settings(max_examples=4, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck))
def test_any_history_of_a_tree_returns(
    alice: Actor, bob: Actor, charlie: Actor, tmp_path: Path, session: list[tuple[bool, tuple[Any, ...]]]
) -> None:
    with transaction.atomic():
        play = Play(alice, bob)
        play.begin()
        for _, (name, *values) in session:
            play.step(alice, name, *values)
        file, lines = exported(alice, tmp_path)
        results, theirs = moved(file, charlie, tmp_path)
        assert {one["status"] for one in results} == {"created"}, results
        assert comparable(theirs) == comparable(lines)
        with workspace(charlie.workspace_id):
            assert not tree_faults()
        transaction.set_rollback(True)


def test_a_long_history_is_exported_in_parts(
    alice: Actor, charlie: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "_REVISIONS", 2)
    node = write(alice, "mem://user/events/release", "Draft 0.")
    with workspace(alice.workspace_id):
        for number in range(1, 6):
            node_edit(alice, node_id=node.id, changes={"content": f"Draft {number}."}, version=number)
    file, lines = exported(alice, tmp_path)
    parts = [line for line in lines if line.get("node") == str(node.id)]
    assert [(line["number"], len(line["revisions"])) for line in parts] == [(1, 2), (3, 2), (5, 2)]
    results, theirs = moved(file, charlie, tmp_path)
    assert {one["status"] for one in results} == {"created"}
    assert comparable(theirs) == comparable(lines)
    with workspace(charlie.workspace_id):
        assert not tree_faults()


def test_imported_changes_can_be_undone(full: Actor, charlie: Actor, tmp_path: Path) -> None:
    file, _ = exported(full, tmp_path)
    run(charlie, "json", file)
    with workspace(charlie.workspace_id):
        oslo, rome = MemNode.objects.get(value="Oslo"), MemNode.objects.get(value="Rome")
        for uri in ("mem://user/preferences/food/diet", "mem://user/events/gone", "mem://user/entities/atlas/two"):
            node = MemNode.objects.get(uri=uri)
            last = MemRevision.objects.get(node=node, number=node.version)
            change_undo(charlie, node_id=node.id, change_id=last.change)
        replaced = MemRevision.objects.get(node=rome, number=rome.version)
        assert MemRevision.objects.filter(node=oslo, change=replaced.change).exists()
        change_undo(charlie, node_id=rome.id, change_id=replaced.change)
        assert MemNode.objects.get(uri="mem://user/preferences/food/diet").l2_content == "Vegan."
        assert MemNode.objects.get(uri="mem://user/events/gone").archived_at is None
        part = MemNode.objects.get(uri="mem://user/entities/atlas/one")
        assert (part.archived_at, part.merged_into) == (None, None)
        assert MemNode.objects.get(value="Rome").superseded_by is None
        assert not tree_faults()
        assert not MemNode.objects.filter(trust="direct_user", sources__kind="import").exists()
