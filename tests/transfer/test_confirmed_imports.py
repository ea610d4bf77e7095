"""Imports count as a person's own only if they say so: otherwise every memory waits, and nothing known is changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.inbox.selectors.open_items import waiting_count
from apps.inbox.services.decisions import inbox_decline
from apps.memory.models import MemNode, MemRevision, NodeType, UserMemory
from apps.memory.selectors.quotable import quotable_elsewhere
from apps.memory.services.tree.undo.change_undo import change_undo
from apps.transfer.formats.items import ImportSource
from apps.transfer.records import ImportedResult
from apps.turns.services.fork import conversation_fork
from tests.api.callers import Caller
from tests.compaction.runs import run_due_jobs
from tests.extraction.runs import make_due
from tests.memory.trees import at, write
from tests.people import client_of
from tests.transfer.round_trips import exported
from tests.transfer.test_import_files import MEMORY, send
from tests.transfer.test_imports import SESSION_ITEMS, run, statuses

pytestmark = pytest.mark.django_db
AT = "2026-03-01T10:00:00Z"
TEA = {"key": "tea", "kind": "memory", "content": "Alice prefers tea to coffee.", "at": AT}
TEE = {"key": "tee", "kind": "memory", "content": "Alice wohnt seit 2019 in Köln.", "at": AT}
ITEMS: list[dict[str, Any]] = [TEA, TEE]
CHAT = {
    "key": "chat",
    "kind": "conversation",
    "external_id": "chat",
    "title": "Dinner",
    "messages": [{"role": "user", "content": "I'm a vet.", "created_at": AT}],
}


def memories(actor: Actor) -> list[tuple[str, str]]:
    """The trust and arrival of all memories, archives of sessions aside."""
    with workspace(actor.workspace_id):
        rows = MemNode.objects.filter(node_type=NodeType.LEAF).exclude(uri__startswith="mem://sessions")
        return sorted(rows.values_list("trust", "arrival"))


WAITING, ACCEPTED = ("imported", "proposed"), ("model_inference", "accepted")


def waiting(actor: Actor) -> int:
    with workspace(actor.workspace_id):
        return waiting_count(actor)


def unconfirmed(actor: Actor, items: list[Any], **more: Any) -> list[ImportedResult]:
    return run(actor, items, confirmed=False, **more)


def test_memories_wait_unless_a_person_says_that_they_are_their_own(alice: Actor) -> None:
    assert statuses(unconfirmed(alice, ITEMS)) == [("created", "waiting")] * 2
    assert memories(alice) == [WAITING] * 2
    assert statuses(unconfirmed(alice, ITEMS)) == [("existing", "waiting")] * 2
    assert waiting(alice) == 2


def test_a_confirmed_import_accepts_what_waits_from_an_earlier_one_and_does_so_once(alice: Actor) -> None:
    unconfirmed(alice, ITEMS)
    assert statuses(run(alice, ITEMS, dry_run=True)) == [("existing", "confirmed")] * 2
    assert memories(alice) == [WAITING] * 2
    assert statuses(run(alice, ITEMS)) == [("existing", "confirmed")] * 2
    assert (memories(alice), waiting(alice)) == ([ACCEPTED] * 2, 0)
    assert statuses(run(alice, ITEMS)) == [("existing", "")] * 2
    assert statuses(unconfirmed(alice, ITEMS)) == [("existing", "")] * 2
    assert memories(alice) == [ACCEPTED] * 2


def test_accepting_by_a_confirmed_import_can_be_undone(alice: Actor) -> None:
    unconfirmed(alice, [TEA])
    (result,) = run(alice, [TEA])
    assert result.node_id
    with workspace(alice.workspace_id):
        accepted = MemRevision.objects.get(node_id=result.node_id, number=2)
        change_undo(alice, node_id=result.node_id, change_id=accepted.change)
    assert memories(alice) == [WAITING]


def test_what_a_person_declined_stays_declined(alice: Actor) -> None:
    (result,) = unconfirmed(alice, [TEA])
    assert result.node_id
    with workspace(alice.workspace_id):
        inbox_decline(alice, item_ids=[result.node_id])
    assert statuses(run(alice, [TEA])) == [("existing", "")]
    assert waiting(alice) == 0


def test_where_every_memory_waits_a_confirmed_import_waits_too(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, memory_mode="nothing")
    assert statuses(run(alice, [TEA])) == [("created", "waiting")]
    assert memories(alice) == [("model_inference", "proposed")]


def test_observations_and_sessions_are_stored_and_only_their_memories_wait(alice: Actor) -> None:
    results = unconfirmed(alice, SESSION_ITEMS)
    assert statuses(results) == [("created", "")] * 3 + [("created", "waiting"), ("created", "")]
    with workspace(alice.workspace_id):
        assert Message.objects.count() == 1
        assert not Conversation.objects.get().confirmed
        archive = MemNode.objects.get(pk=results[4].node_id)
        assert (archive.trust, archive.arrival) == ("imported", "accepted")
    assert statuses(run(alice, SESSION_ITEMS))[3] == ("existing", "confirmed")
    with workspace(alice.workspace_id):
        assert Conversation.objects.get().confirmed


def test_a_file_that_claims_to_be_our_own_export_is_no_more_trusted(
    alice: Actor, charlie: Actor, tmp_path: Path
) -> None:
    write(alice, "mem://user/preferences/tea", "I prefer tea.")
    Caller(alice).post("/user-memory", {"type": "fact", "key": "job", "content": "I am a vet."})
    _, (_, *items) = exported(alice, tmp_path)
    unconfirmed(charlie, items, source=ImportSource.JSON)
    assert memories(charlie) == [WAITING] * 2
    with workspace(charlie.workspace_id):
        assert not UserMemory.objects.exists()
    run(charlie, items, source=ImportSource.JSON)
    assert memories(charlie) == [ACCEPTED] * 2
    assert at(charlie, "mem://user/preferences/tea").content == "I prefer tea."


def test_what_people_say_in_a_chat_that_nobody_confirmed_waits(alice: Actor) -> None:
    assert statuses(unconfirmed(alice, [CHAT], source=ImportSource.CHATGPT)) == [("created", "")]
    make_due()
    assert memories(alice) == [WAITING]
    assert statuses(run(alice, [CHAT], source=ImportSource.CHATGPT)) == [("existing", "confirmed")]
    later = {**CHAT, "messages": [{"role": "user", "content": "I live in Porto.", "created_at": AT}]}
    run(alice, [later], source=ImportSource.CHATGPT)
    make_due()
    assert ("direct_user", "accepted") in memories(alice)


def test_a_chat_that_nobody_confirmed_makes_nothing_forgotten_and_no_profile(alice: Actor) -> None:
    knees = "I have arthritis in both knees."
    chat = Caller(alice).post("/conversations", {"title": "Own"})["id"]
    Caller(alice).post(f"/conversations/{chat}/messages", {"role": "user", "content": knees})
    make_due()
    said = ("Could you forget what I told you about my arthritis?", "Please keep your answers short, always.")
    messages = [{"role": "user", "content": one, "created_at": AT} for one in said]
    unconfirmed(alice, [{**CHAT, "messages": messages}], source=ImportSource.CHATGPT)
    make_due()
    with workspace(alice.workspace_id):
        rows = MemNode.objects.filter(node_type=NodeType.LEAF, l2_content=knees, archived_at__isnull=True)
        assert rows.exists()
        others = MemNode.objects.filter(node_type=NodeType.LEAF, arrival="accepted").exclude(l2_content=knees)
        assert not others.exclude(uri__startswith="mem://sessions").exists()


def test_no_other_chat_quotes_a_chat_that_nobody_confirmed(alice: Actor) -> None:
    unconfirmed(alice, [CHAT], source=ImportSource.CHATGPT)

    def quotable() -> int:
        with workspace(alice.workspace_id):
            return len(quotable_elsewhere(alice.user_id, list(Message.objects.values_list("pk", flat=True))))

    assert quotable() == 0
    run(alice, [CHAT], source=ImportSource.CHATGPT)
    assert quotable() == 1


def test_a_copy_and_an_export_of_a_chat_that_nobody_confirmed_are_not_confirmed(
    alice: Actor, charlie: Actor, tmp_path: Path
) -> None:
    (result,) = unconfirmed(alice, [CHAT], source=ImportSource.CHATGPT)
    assert result.conversation_id
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=result.conversation_id, through_index=0).id
        assert not Conversation.objects.get(pk=fork).confirmed
    _, (_, *items) = exported(alice, tmp_path)
    run(charlie, items, source=ImportSource.JSON)
    with workspace(charlie.workspace_id):
        assert set(Conversation.objects.values_list("confirmed", flat=True)) == {False}


def test_every_way_in_takes_the_persons_word(alice: Actor) -> None:
    body = {"import_id": "01a20077-eedd-7a52-9079-c9fae50639c6", "items": [TEA]}
    client = client_of(alice)
    assert client.post("/api/imports/json", body).json()["results"][0]["reason"] == "waiting"
    (result,) = client.post("/api/imports/json", {**body, "confirmed": True}).json()["results"]
    assert (result["status"], result["reason"]) == ("existing", "confirmed")
    assert client.post("/api/imports/json", {**body, "confirmed": "yes"}).status_code == 400


def test_uploaded_files_take_it_too_and_the_report_counts_what_waits(alice: Actor) -> None:
    def report(query: str) -> tuple[int, int]:
        operation = send(alice, {"tabs.md": MEMORY}, query)
        run_due_jobs()
        found = Caller(alice).get(f"/operations/{operation['id']}")["result"]
        return found["waiting"], found["updated"]

    assert report("?dry_run=true") == (1, 0)
    assert report("") == (1, 0)
    assert memories(alice) == [WAITING]
    assert report("?confirmed=true&dry_run=true") == (0, 1)
    assert report("?confirmed=true") == (0, 1)
    assert memories(alice) == [ACCEPTED]
