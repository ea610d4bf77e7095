"""The export of all that belongs to a person, and its way back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession, Observation
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.extraction.models import ReadPosition
from apps.extraction.selectors.unread import unread_rows
from apps.memory.models import Passage, PinnedMemory, UserMemory
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.user_memory import user_memory_for_pack
from apps.transfer.services.export.account import account_export
from apps.transfer.services.imports.restore import export
from tests.people import client_of
from tests.transfer.test_import_sources import created, run

IDS = ("key", "message", "external_id", "conversation", "sources")


def exported(actor: Actor, folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    with workspace(actor.workspace_id):
        text = "".join(account_export(actor))
    file = folder / f"{actor.user_id}.jsonl"
    file.write_text(text, encoding="utf-8")
    return file, [json.loads(line) for line in text.splitlines()]


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_ids(inner) for name, inner in value.items() if name not in IDS}
    return [without_ids(one) for one in value] if isinstance(value, list) else value


def fill(actor: Actor) -> None:
    """A conversation with a pin, an exclusion and a tool, a session of an agent, user memory and memories."""
    client = client_of(actor)
    conversation = client.post("/api/conversations", {"title": "Atlas", "system_prompt": "Be brief."}).json()["id"]
    call = {"kind": "tool_call", "call_id": "c1", "name": "search", "text": '{"q": "Atlas"}'}
    result = {"kind": "tool_result", "call_id": "c1", "name": "search", "text": "Nothing", "summary": "None"}
    messages = [
        {"role": "user", "content": "Find Atlas. 東京 ☕", "created_at": "2026-03-01T10:00:00Z"},
        {"role": "assistant", "content": "", "parts": [call]},
        {"role": "tool", "content": "", "parts": [result]},
        {"role": "assistant", "content": "There is none <private>yet</private>.", "external_id": "m4"},
    ]
    answer = client.post(f"/api/conversations/{conversation}/messages", {"messages": messages})
    ids = [one["id"] for one in answer.json()["data"]]
    pin = {"message_id": ids[0], "category": "decision"}
    assert client.post(f"/api/conversations/{conversation}/pins", pin).status_code == 201
    excluded = {"message_ids": [ids[3]], "excluded": True}
    assert client.post(f"/api/conversations/{conversation}/exclusions", excluded).status_code == 200
    fact = {"type": "fact", "key": "editor", "content": "Vim", "is_active": False}
    assert client.post("/api/user-memory", fact).status_code == 201
    event = {"hook_event_name": "PostToolUse", "session_id": "agent-1", "tool_use_id": "t1", "tool_name": "Edit"}
    more = {"tool_input": {"file_path": "a.py"}, "tool_response": "The file was edited.", "cwd": "/home/alice/atlas"}
    assert client.post("/api/hooks/claude-code", {**event, **more}).status_code == 200
    node = {"uri": "mem://user/events/release", "content": "We released.", "tags": ["atlas"]}
    assert client.post("/api/memories", node).status_code == 201


def test_everything_of_a_person_returns_as_it_was(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    fill(alice)
    file, lines = exported(alice, tmp_path)
    kinds = {line.get("kind") for line in lines[1:]}
    known = {"user_memory", "node", "node_history", "conversation", "pin", "agent_session", "agent_observation"}
    assert kinds == known
    results = run(charlie, "json", file)
    assert {one["status"] for one in results} == {"created"}, results
    _, theirs = exported(charlie, tmp_path)
    nodes = ("node", "node_history")
    same = [line for line in without_ids(theirs) if line.get("kind") not in nodes]
    # The client takes secrets and private parts out of whatever it sends.
    expected = json.loads(json.dumps(without_ids(lines)).replace("<private>yet</private>", "[private]"))
    assert same == [line for line in expected if line.get("kind") not in nodes]
    with workspace(charlie.workspace_id):
        assert PinnedMemory.objects.get().message == Message.objects.get(content="Find Atlas. 東京 ☕")
        assert Observation.objects.get().message is not None
        assert Message.objects.filter(excluded=True).count() == 1


def test_user_memory_returns_with_its_dates_and_its_order(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    client = client_of(alice)
    for key in ("editor", "tea"):
        fact = {"type": "fact", "key": key, "content": f"About {key}."}
        assert client.post("/api/user-memory", fact).status_code == 201
    with workspace(alice.workspace_id):
        for key, year in (("editor", 2025), ("tea", 2024)):
            dates = {"created_at": datetime(2023, 1, 1, tzinfo=UTC), "updated_at": datetime(year, 6, 1, tzinfo=UTC)}
            UserMemory.objects.filter(key=key).update(**dates)
    file, lines = exported(alice, tmp_path)
    assert {one["status"] for one in run(charlie, "json", file)} == {"created"}
    assert without_ids(exported(charlie, tmp_path)[1]) == without_ids(lines)
    with workspace(charlie.workspace_id):
        assert [one.key for one in user_memory_for_pack(charlie, most=10)] == ["editor", "tea"]
        assert [one.occurred_at.year for one in Passage.objects.order_by("occurred_at")] == [2024, 2025]
        assert not tree_faults()


@pytest.mark.parametrize(
    ("dates", "reason"),
    [
        ({"created_at": "2026-01-02T00:00:00Z"}, "missing_field"),
        ({"updated_at": "2026-01-02T00:00:00Z"}, "missing_field"),
        ({"created_at": "once", "updated_at": "2026-01-01T00:00:00Z"}, "bad_date"),
        ({}, ""),
    ],
)
def test_dates_of_user_memory_are_both_there_or_both_absent(
    alice: Actor, tmp_path: Path, dates: dict[str, str], reason: str
) -> None:
    item = {"key": "user_memory:1", "kind": "user_memory", "type": "fact", "name": "tea", "content": "Green."}
    head = {"format": "continuity-export", "version": 2}
    file = tmp_path / "one.jsonl"
    file.write_text("\n".join(map(json.dumps, (head, {**item, **dates}))), encoding="utf-8")
    (result,) = run(alice, "json", file)
    assert (result["status"], result["reason"]) == ("refused" if reason else "created", reason)
    with workspace(alice.workspace_id):
        assert UserMemory.objects.exists() is not bool(reason)


def test_dates_of_user_memory_are_in_order_and_in_the_past(alice: Actor, tmp_path: Path) -> None:
    head = {"format": "continuity-export", "version": 2}
    item = {"key": "user_memory:1", "kind": "user_memory", "type": "fact", "name": "tea", "content": "Green."}
    dates = {"created_at": "2096-01-02T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
    file = tmp_path / "one.jsonl"
    file.write_text("\n".join(map(json.dumps, (head, {**item, **dates}))), encoding="utf-8")
    run(alice, "json", file)
    with workspace(alice.workspace_id):
        row = UserMemory.objects.get()
    assert row.created_at == row.updated_at <= timezone.now()


def test_a_second_import_of_an_export_creates_nothing(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    fill(alice)
    file, _ = exported(alice, tmp_path)
    run(charlie, "json", file)
    assert not created(run(charlie, "json", file))


def test_an_export_changes_nothing_where_it_came_from(alice: Actor, tmp_path: Path) -> None:
    fill(alice)
    file, lines = exported(alice, tmp_path)
    assert not created(run(alice, "json", file))
    _, again = exported(alice, tmp_path)
    assert without_ids(again) == without_ids(lines)


def test_an_export_has_only_what_belongs_to_the_person(alice: Actor, bob: Actor, tmp_path: Path) -> None:
    fill(alice)
    assert [line.get("kind") for line in exported(bob, tmp_path)[1]] == [None]


def test_long_conversations_are_exported_in_parts(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    client = client_of(alice)
    conversation = client.post("/api/conversations", {}).json()["id"]
    for start in range(0, 450, 50):
        listed = [{"role": "user", "content": f"Message {start + place}"} for place in range(50)]
        assert client.post(f"/api/conversations/{conversation}/messages", {"messages": listed}).status_code == 201
    file, lines = exported(alice, tmp_path)
    assert [line["first_number"] for line in lines if line.get("kind") == "conversation"] == [1, 201, 401]
    run(charlie, "json", file)
    with workspace(charlie.workspace_id):
        assert Conversation.objects.get().message_count == 450
        assert not AgentSession.objects.exists()
        assert not UserMemory.objects.exists()


def test_settings_of_a_conversation_return_before_its_first_message(
    alice: Actor, charlie: Actor, tmp_path: Path
) -> None:
    """What the person excluded from learning is not read for memories where it returns."""
    client = client_of(alice)
    chat = client.post("/api/conversations", {"token_budget": 9_000}).json()["id"]
    off = client.patch(f"/api/conversations/{chat}", {"remembers": False}, headers={"If-Match": "*"})
    assert off.status_code == 200, off.content
    listed = [{"role": "user", "content": f"Remember that I like tea number {place}."} for place in range(50)]
    for _ in range(5):
        assert client.post(f"/api/conversations/{chat}/messages", {"messages": listed}).status_code == 201
    archived = client.patch(f"/api/conversations/{chat}", {"archived": True}, headers={"If-Match": "*"})
    assert archived.status_code == 200, archived.content
    file, _ = exported(alice, tmp_path)
    assert {one["status"] for one in run(charlie, "json", file)} == {"created"}
    with workspace(alice.workspace_id):
        before = Conversation.objects.get()
    with workspace(charlie.workspace_id):
        row = Conversation.objects.get()
        assert (row.remembers, row.token_budget, row.archived_at) == (False, 9_000, before.archived_at)
        assert row.message_count == 250
        position = ReadPosition.objects.get(conversation=row)
        assert not unread_rows(position).exists()
        assert not UserMemory.objects.exists()
    assert not created(run(charlie, "json", file))


def test_a_second_session_of_a_conversation_harms_no_other_item(
    alice: Actor, charlie: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(alice)
    file, lines = exported(alice, tmp_path)
    (session,) = [line for line in lines if line.get("kind") == "agent_session"]
    second = {**session, "key": "agent_session:second", "session_id": "agent-2"}
    file.write_text("\n".join(map(json.dumps, [*lines, second])), encoding="utf-8")
    results = {one["key"]: one for one in run(charlie, "json", file)}
    assert results[second["key"]]["reason"] == "session_recorded"
    assert {one["status"] for key, one in results.items() if key != second["key"]} == {"created"}
    # The row may appear after the check.
    monkeypatch.setattr(export, "session_of_conversation", lambda conversation_id: None)
    third = {**second, "key": "agent_session:third"}
    file.write_text("\n".join(map(json.dumps, [lines[0], third])), encoding="utf-8")
    (result,) = run(charlie, "json", file)
    assert (result["status"], result["reason"]) == ("refused", "not_storable")
