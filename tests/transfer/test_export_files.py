"""Files of our own export that are old, damaged or another person's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.memory.models import MemNode, MemRevision, MemSource
from apps.memory.selectors.integrity_checks import tree_faults
from continuity_client.imports import SourceError
from continuity_client.imports.json_export import OWN_VERSION, read_items
from tests.memory.trees import write
from tests.people import client_of
from tests.transfer.test_import_sources import run

pytestmark = pytest.mark.django_db
NODE, CHANGE, WHEN = "00000000-0000-7000-8000-000000000001", str(uuid4()), "2026-03-01T10:00:00+00:00"
HISTORY = {"key": "node_history:x", "kind": "node_history", "node": NODE, "number": 1}
REVISION = {"change": CHANGE, "operation": "create", "created_at": WHEN, "after": {"l2_content": "We released."}}
FIRST = {
    "key": f"node:{NODE}",
    "kind": "node",
    "node": {
        "uri": "mem://user/events/release",
        "content": "We released.",
        "trust": "direct_user",
        "occurred_at": WHEN,
        "sources": [{"kind": "person", "reference": "01a215e7-8dae-7cf5-882d-46d35d6ecd1d"}],
    },
}
SUMMARY = {
    "key": "summary_version:x",
    "kind": "summary_version",
    "conversation": "c-1",
    "cause": "compaction",
    "created_at": WHEN,
    "summary": {"goals": [{"text": "Ship it", "sources": ["m-1"]}]},
    "covers": [["m-1", "m-1"]],
}
CHAT = {
    "key": "conversation:x:0",
    "kind": "conversation",
    "external_id": "c-1",
    "is_own": True,
    "messages": [{"external_id": "m-1", "role": "user", "content": "Ship it."}, {"role": "user", "content": "Now."}],
}


def written(folder: Path, *items: dict[str, Any], version: int = OWN_VERSION) -> Path:
    file = folder / f"{uuid4()}.jsonl"
    lines = [{"format": "continuity-export", "version": version}, *items]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file


def test_a_file_of_the_first_version_still_imports(alice: Actor, tmp_path: Path) -> None:
    old = {name: value for name, value in CHAT.items() if name != "active_at"}
    results = run(alice, "json", written(tmp_path, FIRST, old, version=1))

    assert {one["status"] for one in results} == {"created"}
    with workspace(alice.workspace_id):
        node = MemNode.objects.get(uri="mem://user/events/release")
        assert node.trust == "model_inference"
        assert MemSource.objects.filter(node=node, kind="person").exists()
        assert [one.operation for one in MemRevision.objects.filter(node=node)] == ["import"]
        assert Conversation.objects.get().message_count == 2


def test_the_client_refuses_a_file_of_a_later_version(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="reads versions up to"):
        list(read_items(str(written(tmp_path, FIRST, version=OWN_VERSION + 1))))


def test_a_damaged_line_loses_only_itself(tmp_path: Path) -> None:
    file = written(tmp_path, FIRST, CHAT)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines[:2], '{"key": "node:2", "ki\n', "\n", lines[2]]), encoding="utf-8")

    assert [item["kind"] for item in read_items(str(file))] == ["node", "problem", "conversation"]


@pytest.mark.parametrize(
    "item",
    [
        {**HISTORY, "revisions": [{}]},
        {**HISTORY, "revisions": [5]},
        {**HISTORY, "revisions": {}},
        {**HISTORY, "revisions": [{**REVISION, "operation": "explode"}]},
        {**HISTORY, "revisions": [{**REVISION, "created_at": "yesterday"}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"trust": "divine"}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"uri": "mem://user/../x"}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"last_access": "soon"}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"tags": 5}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"merged_from": 5}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"base_relevance": "high"}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"l2_content": ["a"]}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": {"superseded_by": 5, "valid_to": 5}}]},
        {**HISTORY, "revisions": [{**REVISION, "after": []}], "merged_from": "x"},
        {**HISTORY, "number": 7, "revisions": [REVISION]},
        {**HISTORY, "node": "", "revisions": [REVISION]},
        {**HISTORY, "node": "another", "revisions": [REVISION]},
        {**FIRST, "key": "node:2", "state": {"base_relevance": "high", "created_at": WHEN}},
        {**FIRST, "key": "node:3", "state": {"base_relevance": 1}},
        {**FIRST, "key": "node:4", "state": 5},
        {**SUMMARY, "summary": {"goals": [5]}},
        {**SUMMARY, "summary": {"references": [{"type": "song", "value": "x", "note": "", "sources": []}]}},
        {**SUMMARY, "cause": "boredom"},
        {**SUMMARY, "covers": [["m-1"]]},
        {**SUMMARY, "removed": [{"field": "goals"}]},
        {**SUMMARY, "conversation": "unknown"},
        {
            "key": "node_conflict:x",
            "kind": "node_conflict",
            "earlier": NODE,
            "later": "?",
            "reason": "r",
            "decision": "open",
        },
        {"key": "node_conflict:x", "kind": "node_conflict", "earlier": NODE},
    ],
)
def test_a_bad_item_is_refused_with_a_reason_and_harms_no_other(
    alice: Actor, tmp_path: Path, item: dict[str, Any]
) -> None:
    *others, bad = run(alice, "json", written(tmp_path, FIRST, CHAT, item))

    assert {one["status"] for one in others} == {"created"}
    assert bad["status"] in ("refused", "skipped", "existing"), bad
    assert bad["reason"]
    with workspace(alice.workspace_id):
        assert not tree_faults()
        assert not Message.objects.filter(compacted_in__isnull=False).exists()
        assert [one.number for one in MemRevision.objects.filter(node__uri=FIRST["node"]["uri"])] == [1]


def test_a_history_never_gives_a_memory_of_the_importer_another_past(alice: Actor, tmp_path: Path) -> None:
    own = write(alice, "mem://user/events/release", "We released.")
    results = run(alice, "json", written(tmp_path, FIRST, {**HISTORY, "revisions": [REVISION, REVISION]}))

    assert [(one["status"], one["reason"]) for one in results] == [("existing", ""), ("existing", "known_memory")]
    with workspace(alice.workspace_id):
        assert MemRevision.objects.get(node=own.id).operation == "create"


def test_a_summary_never_replaces_that_of_a_conversation_which_no_import_created(alice: Actor, tmp_path: Path) -> None:
    chat = client_of(alice).post("/api/conversations", {"external_id": "c-1"}).json()["id"]
    message = {"role": "user", "content": "Ship it.", "external_id": "m-1"}
    client_of(alice).post(f"/api/conversations/{chat}/messages", {"messages": [message]})
    (result,) = run(alice, "json", written(tmp_path, SUMMARY))

    assert (result["status"], result["reason"]) == ("existing", "conversation_exists")
    with workspace(alice.workspace_id):
        assert Message.objects.get().compacted_in is None


def test_revisions_of_a_file_cannot_name_another_owner(alice: Actor, bob: Actor, tmp_path: Path) -> None:
    change = {**REVISION, "operation": "edit", "before": {"owner": str(bob.user_id)}, "after": {"owner": ["x"]}}
    run(alice, "json", written(tmp_path, FIRST, {**HISTORY, "revisions": [REVISION, change]}))
    with workspace(alice.workspace_id):
        row = MemRevision.objects.get(node__owner=alice.user_id, number=2, node__uri=FIRST["node"]["uri"])
        assert (row.before, row.after) == ({}, {})
