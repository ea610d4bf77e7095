"""Deleting a message: its text is in no table afterwards, and its place remains."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.memory.models import MemNode
from tests.api.callers import Caller, viewer_of
from tests.api.test_imports import imported
from tests.compaction.runs import check_invariants, compact, run_due_jobs
from tests.conversations.long_conversations import conversation, history, say
from tests.jobs.requests import make_due

pytestmark = pytest.mark.django_db
SECRET = "Zanzibar"
DECISION = f"We decided to use {SECRET} because it is fast."


def rows_with(actor: Actor, word: str) -> dict[str, int]:
    """The number of rows of the workspace's tables that contain the word, by table."""
    tables = [name for name in connection.introspection.table_names() if not name.startswith("django_")]
    counts = {}
    with workspace(actor.workspace_id), connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'SELECT count(*) FROM "{table}" AS t WHERE t::text ILIKE %s', [f"%{word}%"])  # noqa: S608
            if found := cursor.fetchone()[0]:
                counts[table] = found
    return counts


def index_messages() -> None:
    """Run the jobs, and those that they request."""
    for _ in range(2):
        make_due()
        run_due_jobs()


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    """A conversation titled by its first message, which is compacted, pinned, corrected, indexed and packed."""
    talk = conversation(shared_alice, title=f"We decided to use {SECRET}…")
    say(shared_alice, talk, DECISION, *("Understood. " * 30,) * 9)
    compact(shared_alice, talk)
    caller, path = Caller(shared_alice), f"/conversations/{talk}"
    caller.post(f"{path}/pins", {"message_id": ids_of(shared_alice, talk)[0]})
    caller.get(f"{path}/context")
    index_messages()
    return talk


def ids_of(actor: Actor, talk: UUID) -> list[str]:
    return [str(row.id) for row in history(actor, talk)]


def message_path(actor: Actor, talk: UUID, index: int = 0) -> str:
    return f"/conversations/{talk}/messages/{ids_of(actor, talk)[index]}"


def test_no_table_holds_its_words_afterwards(alice: Actor, talk: UUID) -> None:
    for table in ("conversations_message", "compaction_summaryversion", "conversation_context", "mem_passages"):
        assert table in rows_with(alice, SECRET), table
    Caller(alice).delete(message_path(alice, talk))
    index_messages()
    Caller(alice).get(f"/conversations/{talk}/context")
    assert rows_with(alice, SECRET) == {}
    check_invariants(alice, talk)


def test_a_line_that_a_person_corrected_goes_with_its_message(alice: Actor, talk: UUID) -> None:
    caller, path = Caller(alice), f"/conversations/{talk}/summary"
    etag = f'"{caller.get(path)["version"]}"'
    change = {"field": "decisions", "place": 0, "line": {"text": f"{SECRET}, then", "reason": ""}}
    caller.post(f"{path}/corrections", change, status=200, If_Match=etag)
    caller.delete(message_path(alice, talk))
    assert rows_with(alice, SECRET) == {}


def test_its_place_and_role_remain_and_the_others_are_unchanged(alice: Actor, talk: UUID) -> None:
    caller, path = Caller(alice), f"/conversations/{talk}"
    before = caller.get(f"{path}/messages")["data"]
    caller.delete(message_path(alice, talk))
    after = caller.get(f"{path}/messages")["data"]
    assert after[1:] == before[1:]
    emptied = {"content": "", "parts": [], "state": "deleted"}
    assert after[0] == before[0] | emptied
    shown = caller.get(path)
    assert (shown["message_count"], shown["title"]) == (10, "")


def test_a_title_without_the_private_parts_of_the_message_is_deleted_with_it(alice: Actor) -> None:
    talk = conversation(alice, title="Plan the move…")
    say(alice, talk, "Plan <private>my divorce</private> the **move** to Porto.", "Gladly.")
    Caller(alice).delete(message_path(alice, talk))
    assert Caller(alice).get(f"/conversations/{talk}")["title"] == ""


def test_a_second_deletion_changes_nothing(alice: Actor, talk: UUID) -> None:
    path, caller = message_path(alice, talk), Caller(alice)
    caller.delete(path)
    before = caller.get(f"/conversations/{talk}/live")
    caller.delete(path)
    assert caller.get(f"/conversations/{talk}/live") == before


def test_a_deleted_message_is_neither_listed_as_excluded_nor_included_again(alice: Actor, talk: UUID) -> None:
    path, caller = message_path(alice, talk), Caller(alice)
    caller.delete(path)
    assert caller.get(f"/conversations/{talk}/exclusions")["data"] == []
    refused = caller.patch(path, {"excluded": False}, status=409)
    assert refused["code"] == "message_deleted"


def test_a_message_that_was_excluded_before_is_deleted_too(alice: Actor, talk: UUID) -> None:
    path, caller = message_path(alice, talk), Caller(alice)
    caller.patch(path, {"excluded": True})
    caller.delete(path)
    assert rows_with(alice, SECRET) == {}


def test_an_undo_of_the_compaction_does_not_bring_it_back(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    caller.delete(message_path(alice, talk))
    (run,) = caller.get(f"/conversations/{talk}/compactions")["data"]
    caller.post(f"/conversations/{talk}/compactions/{run['id']}/undo", {}, status=200)
    assert rows_with(alice, SECRET) == {}
    check_invariants(alice, talk)


def test_a_memory_that_came_from_it_alone_is_archived(alice: Actor, talk: UUID) -> None:
    (message_id, *_), caller = ids_of(alice, talk), Caller(alice)
    memory = {"uri": "mem://user/preferences/database", "content": "A database", "sources": [source(message_id)]}
    node = caller.post("/memories", memory)
    caller.delete(message_path(alice, talk))
    with workspace(alice.workspace_id):
        assert MemNode.objects.get(pk=node["id"]).archived_at is not None


def source(message_id: str) -> dict[str, str]:
    return {"kind": "message", "reference": message_id}


def test_no_import_brings_it_back(alice: Actor) -> None:
    lines = b'{"role": "user", "content": "%s", "external_id": "m1"}' % SECRET.encode()
    (first,) = imported(alice, lines, "?name=trip.jsonl")["conversations"]
    talk = UUID(first["id"])
    Caller(alice).delete(message_path(alice, talk))
    assert imported(alice, lines, "?name=trip.jsonl")["stored"] == 0
    assert Caller(alice).get(f"/conversations/{talk}/messages")["data"][0]["content"] == ""


def test_a_fork_made_later_has_the_empty_message(alice: Actor, talk: UUID) -> None:
    Caller(alice).delete(message_path(alice, talk))
    fork = Caller(alice).post(f"/conversations/{talk}/fork", {"through_index": 3})
    messages: Any = Caller(alice).get(f"/conversations/{fork['id']}/messages")["data"]
    assert [message["state"] for message in messages] == ["deleted", "live", "live", "live"]


def test_only_the_owner_deletes_a_message(acme: Workspace, alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello")
    path = message_path(alice, talk)
    Caller(bob).delete(path, status=404)
    Caller(charlie).delete(path, status=404)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org"})
    Caller(bob).delete(path, status=403)
    Caller(viewer_of(acme)).delete(path, status=403)
    assert Caller(alice).get(path)["content"] == "Hello"


def test_it_is_not_deleted_while_a_reply_is_being_written(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello")
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(turn_until="2999-01-01T00:00:00Z")
    assert Caller(alice).delete(message_path(alice, talk), status=409)["code"] == "turn_running"
