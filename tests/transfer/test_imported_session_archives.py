"""What a person wrote into the archive of a session, and beside it, in an export and an import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import OBSERVATIONS, SUMMARY, archive_address
from apps.compaction.services.archive.scheduling import KIND, OBSERVATIONS_KIND
from apps.conversations.models import Conversation
from apps.engine.memory.addresses import Address
from apps.jobs.models import DueJob
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.move import node_move
from apps.memory.services.tree.undo.change_undo import change_undo
from apps.transfer.formats.items import ImportSource
from apps.transfer.services.imports.restore import memories
from apps.transfer.services.imports.restore.session_archives import archive_check
from apps.transfer.services.imports.run import items_import
from apps.turns.services.delete import conversation_delete
from apps.turns.services.messages import messages_set_excluded
from tests.agents.agents import Agent, claude
from tests.compaction.runs import run_due_jobs
from tests.compaction.test_session_archive import TALK
from tests.conversations.long_conversations import conversation, history, say
from tests.memory.trees import replayed, told_state, write
from tests.transfer.round_trips import comparable, exported, moved
from tests.transfer.test_import_sources import Result, created, run

pytestmark = pytest.mark.django_db
Line = dict[str, Any]
EDIT, NOTE = "About seats, says Alice.", "A good talk."


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    """Alice's conversation, whose archive she edited, with a note of hers beside it."""
    conversation_id = conversation(shared_alice, title="Bookings")
    say(shared_alice, conversation_id, *TALK)
    compile_archives()
    edit(shared_alice, conversation_id, EDIT)
    write(shared_alice, note_of(conversation_id), NOTE)
    return conversation_id


def compile_archives() -> None:
    """Run the jobs that wait for a pause now."""
    DueJob.objects.filter(kind__in=(KIND, OBSERVATIONS_KIND)).update(due_at=timezone.now())
    run_due_jobs()


def note_of(conversation_id: UUID) -> str:
    return archive_address(conversation_id, "note").text


def archive(actor: Actor, conversation_id: UUID, name: str = SUMMARY) -> MemNode:
    with workspace(actor.workspace_id):
        return MemNode.objects.get(uri=archive_address(conversation_id, name).text)


def edit(actor: Actor, conversation_id: UUID, content: str, name: str = SUMMARY) -> None:
    row = archive(actor, conversation_id, name)
    with workspace(actor.workspace_id):
        node_edit(actor, node_id=row.id, changes={"content": content}, version=row.version)


def copy_of(actor: Actor) -> UUID:
    """The conversation that the person owns."""
    with workspace(actor.workspace_id):
        return Conversation.objects.get(owner_id=actor.user_id).id


def revisions(actor: Actor, row: MemNode) -> list[tuple[str, str, bool]]:
    with workspace(actor.workspace_id):
        rows = list(MemRevision.objects.filter(node=row).order_by("number"))
    return [(one.operation, one.made_by, one.actor_id == actor.user_id) for one in rows]


def in_sessions() -> QuerySet[MemNode]:
    return MemNode.objects.filter(uri__startswith="mem://sessions")


def written(lines: list[Line], folder: Path) -> Path:
    file = folder / "changed.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def of_sessions(results: list[Result]) -> list[tuple[str, str]]:
    return [(one["status"], one["reason"]) for one in results if one["kind"] == "session_memory"]


def test_an_edited_archive_returns_with_its_history_and_is_not_compiled_again(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    file, lines = exported(alice, tmp_path)
    results, theirs = moved(file, charlie, tmp_path)
    assert {one["status"] for one in results} == {"created"}, results
    assert comparable(theirs) == comparable(lines)
    copy = copy_of(charlie)
    compile_archives()
    say(charlie, copy, "We agreed that the desk opens at nine.", "Noted.")
    compile_archives()
    row = archive(charlie, copy)
    assert (row.l2_content, row.trust, row.arrival, row.owner_id) == (EDIT, "tool", "accepted", charlie.user_id)
    assert revisions(charlie, row) == [("create", "session-archive-1", False), ("edit", "", True)]
    with workspace(charlie.workspace_id):
        assert not tree_faults()
        assert not MemNode.objects.filter(uri__contains=str(talk)).exists()
        state, now = replayed(row.id), told_state(row)
        assert {name for name in now if state[name] != now[name]} <= {"base_relevance", "last_access", "access_count"}
        assert MemNode.objects.get(uri=note_of(copy)).l2_content == NOTE


def test_the_edit_of_an_imported_archive_can_be_undone(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    run(charlie, "json", exported(alice, tmp_path)[0])
    row = archive(charlie, copy_of(charlie))
    with workspace(charlie.workspace_id):
        change_undo(charlie, node_id=row.id, change_id=MemRevision.objects.get(node=row, number=2).change)
        assert not tree_faults()
    assert archive(charlie, copy_of(charlie)).l2_content.startswith("# Bookings\n\n## Decisions")


def test_a_note_that_was_moved_elsewhere_returns_to_the_imported_session(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    with workspace(alice.workspace_id):
        note = MemNode.objects.get(uri=note_of(talk))
        node_move(alice, node_id=note.id, to=Address("mem://sessions/ideas/talk"), version=note.version)
    file, lines = exported(alice, tmp_path)
    _, theirs = moved(file, charlie, tmp_path)
    assert comparable(theirs) == comparable(lines)
    with workspace(charlie.workspace_id):
        copied = MemNode.objects.get(uri="mem://sessions/ideas/talk")
        change = MemRevision.objects.get(node=copied, operation="move").change
        change_undo(charlie, node_id=copied.id, change_id=change)
        assert MemNode.objects.get(pk=copied.id).uri == note_of(copy_of(charlie))
        assert not tree_faults()


def test_a_second_import_adds_nothing(alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path) -> None:
    file, _ = exported(alice, tmp_path)
    _, first = moved(file, charlie, tmp_path)
    results, second = moved(file, charlie, tmp_path)
    assert not created(results)
    assert second == first


def test_an_import_where_it_came_from_changes_nothing(alice: Actor, talk: UUID, tmp_path: Path) -> None:
    file, lines = exported(alice, tmp_path)
    results, again = moved(file, alice, tmp_path)
    assert not created(results)
    assert set(of_sessions(results)) == {("existing", "conversation_exists")}
    assert again == lines


def test_an_archive_that_was_compiled_before_its_edit_arrived_gives_way(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    file, lines = exported(alice, tmp_path)
    run(charlie, "json", written([line for line in lines if line.get("kind") in (None, "conversation")], tmp_path))
    compile_archives()
    copy = copy_of(charlie)
    assert archive(charlie, copy).l2_content != EDIT
    run(charlie, "json", file)
    row = archive(charlie, copy)
    assert row.l2_content == EDIT
    assert revisions(charlie, row) == [("create", "session-archive-1", False), ("edit", "", True)]
    with workspace(charlie.workspace_id):
        assert not tree_faults()


def test_an_archive_that_a_person_edited_here_stays(alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path) -> None:
    file, lines = exported(alice, tmp_path)
    run(charlie, "json", written([line for line in lines if line.get("kind") in (None, "conversation")], tmp_path))
    compile_archives()
    edit(charlie, copy_of(charlie), "About seats, says Charlie.")
    results = run(charlie, "json", file)
    assert ("existing", "archive_changed") in of_sessions(results)
    assert archive(charlie, copy_of(charlie)).l2_content == "About seats, says Charlie."
    with workspace(charlie.workspace_id):
        assert not tree_faults()


def test_what_bob_imports_of_alice_is_trusted_as_an_import(
    alice: Actor, bob: Actor, talk: UUID, tmp_path: Path
) -> None:
    _, lines = exported(alice, tmp_path)
    for line in lines:
        if line.get("kind") == "session_memory":
            line["node"]["trust"] = "direct_user"
    run(bob, "json", written(lines, tmp_path))
    copy = copy_of(bob)
    assert copy != talk
    row = archive(bob, copy)
    assert (row.owner_id, row.author_id, row.trust, row.arrival) == (bob.user_id, bob.user_id, "tool", "accepted")
    with workspace(bob.workspace_id):
        note = MemNode.objects.get(uri=note_of(copy))
        assert (note.owner_id, note.trust) == (bob.user_id, "model_inference")
        assert not MemRevision.objects.filter(node__owner_id=bob.user_id, actor_id=alice.user_id).exists()
        assert "direct_user" not in str(
            list(MemRevision.objects.filter(node__in=[row, note]).values("before", "after"))
        )
    assert archive(alice, talk).owner_id == alice.user_id
    assert [line for line in exported(bob, tmp_path)[1] if line.get("kind") == "session_memory"]


def test_archives_that_nobody_edited_and_temporary_chats_are_not_exported(alice: Actor, tmp_path: Path) -> None:
    for title in ("Compiled", "Temporary"):
        conversation_id = conversation(alice, title=title)
        say(alice, conversation_id, *TALK)
        compile_archives()
    edit(alice, conversation_id, EDIT)
    write(alice, note_of(conversation_id), NOTE)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=conversation_id).update(temporary=True)
    _, lines = exported(alice, tmp_path)
    assert "mem://sessions" not in json.dumps(lines)


def test_a_note_about_a_deleted_session_keeps_its_address(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    with workspace(alice.workspace_id):
        conversation_delete(alice, conversation_id=talk)
    file, lines = exported(alice, tmp_path)
    results, theirs = moved(file, charlie, tmp_path)
    assert {one["status"] for one in results} == {"created"}
    assert comparable(theirs) == comparable(lines)
    with workspace(charlie.workspace_id):
        assert in_sessions().get(node_type="leaf").uri == note_of(talk)
        assert not tree_faults()


def test_nothing_is_stored_of_an_archive_without_its_conversation(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    _, lines = exported(alice, tmp_path)
    results = run(charlie, "json", written([one for one in lines if one.get("kind") != "conversation"], tmp_path))
    assert set(of_sessions(results)) == {("refused", "unknown_conversation")}
    with workspace(charlie.workspace_id):
        assert not in_sessions().exists()


def test_an_archived_archive_stays_in_the_archive(alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path) -> None:
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=MemNode.objects.get(uri=archive_address(talk).text).id)
    file, lines = exported(alice, tmp_path)
    _, theirs = moved(file, charlie, tmp_path)
    assert comparable(theirs) == comparable(lines)
    compile_archives()
    row = archive(charlie, copy_of(charlie))
    assert (row.l2_content, row.archived_at is None) == (EDIT, False)


def test_words_of_an_excluded_message_leave_an_imported_archive(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    with workspace(alice.workspace_id):
        compiled = MemRevision.objects.get(node__uri=archive_address(talk).text, number=1).after["l2_content"]
    edit(alice, talk, f"{EDIT}\n\n{compiled}")
    run(charlie, "json", exported(alice, tmp_path)[0])
    copy = copy_of(charlie)
    with workspace(charlie.workspace_id):
        messages_set_excluded(charlie, conversation_id=copy, message_ids=[history(charlie, copy)[2].id], excluded=True)
    row = archive(charlie, copy)
    assert row.l2_content.startswith(EDIT)
    assert "transactions" not in row.l2_content
    with workspace(charlie.workspace_id):
        assert "transactions" not in str(list(MemRevision.objects.filter(node=row).values("before", "after")))


def test_an_edited_archive_of_observations_returns_and_stays(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    agent = Agent(alice)
    agent.send(claude("UserPromptSubmit", prompt="Fix the cart.", prompt_id="p1"))
    ran: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": "ok"}
    agent.send(claude("PostToolUse", **ran, tool_use_id="t1"))
    compile_archives()
    edit(alice, copy_of(alice), EDIT, OBSERVATIONS)
    agent.send(claude("PostToolUse", **ran, tool_use_id="t2"))
    compile_archives()
    assert archive(alice, copy_of(alice), OBSERVATIONS).l2_content == EDIT
    file, lines = exported(alice, tmp_path)
    _, theirs = moved(file, charlie, tmp_path)
    assert comparable(theirs) == comparable(lines)
    compile_archives()
    assert archive(charlie, copy_of(charlie), OBSERVATIONS).l2_content == EDIT
    with workspace(charlie.workspace_id):
        assert not tree_faults()


@pytest.mark.parametrize(
    "uri", ["mem://user/events/x", "mem://sessions", "mem://sessions/talk/summary", "", None, 7, "mem://sessions/%/x"]
)
def test_an_address_outside_the_folder_of_a_conversation_is_refused(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path, uri: Any
) -> None:
    _, lines = exported(alice, tmp_path)
    for line in lines:
        if line.get("kind") == "session_memory":
            line["node"]["uri"] = uri
    results = run(charlie, "json", written(lines, tmp_path))
    assert set(of_sessions(results)) == {("refused", "bad_address")}
    with workspace(charlie.workspace_id):
        assert not in_sessions().exists()


def test_an_unreadable_archive_is_refused_and_compiled_again(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path
) -> None:
    _, lines = exported(alice, tmp_path)
    run(charlie, "json", written([line for line in lines if line.get("kind") in (None, "conversation")], tmp_path))
    compile_archives()
    compiled = archive(charlie, copy_of(charlie)).l2_content
    for line in lines:
        if line.get("kind") == "session_memory" and line["node"]["uri"].endswith("/summary"):
            line["node"]["slot"] = 7
    results = run(charlie, "json", written(lines, tmp_path))
    assert ("refused", "bad_item") in of_sessions(results)
    compile_archives()
    assert archive(charlie, copy_of(charlie)).l2_content == compiled


def test_an_edit_while_a_batch_is_read_stays(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, lines = exported(alice, tmp_path)
    run(charlie, "json", written([line for line in lines if line.get("kind") in (None, "conversation")], tmp_path))
    compile_archives()

    def check_and_edit(conversation: Conversation, address: Address) -> bool:
        is_archive = archive_check(conversation, address)
        if is_archive:
            edit(charlie, conversation.id, "About seats, says Charlie.")
        return is_archive

    monkeypatch.setattr(memories, "archive_check", check_and_edit)
    assert ("existing", "archive_changed") in of_sessions(run(charlie, "json", file))
    assert archive(charlie, copy_of(charlie)).l2_content == "About seats, says Charlie."
    with workspace(charlie.workspace_id):
        assert not tree_faults()


@pytest.mark.parametrize(
    "change",
    [
        {"conversation": "a\x00b"},
        {"superseded_by": "a\x00b"},
        {"sources": [{"kind": "message", "conversation": "a\x00b", "message": "x"}]},
        {"sources": [{"kind": "node", "reference": "a\x00b"}]},
    ],
)
def test_a_name_that_the_database_refuses_fails_no_batch(
    alice: Actor, charlie: Actor, talk: UUID, tmp_path: Path, change: dict[str, Any]
) -> None:
    _, lines = exported(alice, tmp_path)
    for line in lines:
        if line.get("kind") == "node_history":
            line["revisions"][-1]["after"].update(change)
        elif line.get("kind") == "session_memory" and "sources" in change:
            line["node"].update(change)
    items = lines[1:]
    with workspace(charlie.workspace_id):
        results = items_import(charlie, source=ImportSource.JSON, import_id=uuid7(), batch_items=items, confirmed=True)
    assert [one.status for one in results if one.kind == "conversation"] == ["created"]
