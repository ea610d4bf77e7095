"""Previews of our own export: items that depend on an earlier batch are counted as the import will count them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.accounts.actors import Actor
from apps.transfer.files.earlier_items import EarlierItems
from apps.transfer.records import ImportedResult
from continuity_client.imports import batching
from tests.memory.trees import write
from tests.people import client_of
from tests.transfer.round_trips import exported
from tests.transfer.test_export_round_trip import full
from tests.transfer.test_import_files import report_of

__all__ = ["full"]
pytestmark = pytest.mark.django_db
NODES, CHATS = 26, 22
"""More than a batch of each."""


def kept(counts: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    return {kind: {status: many for status, many in by.items() if many} for kind, by in counts.items()}


@pytest.mark.slow("it imports several batches twice")
def test_a_preview_of_several_batches_is_what_the_import_does(
    full: Actor, charlie: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "MOST_ITEMS", 20)
    for number in range(NODES):
        write(full, f"mem://user/events/event-{number}", f"Event {number}.")
    for number in range(CHATS):
        chat = client_of(full).post("/api/conversations", {"title": f"Chat {number}"}).json()["id"]
        client_of(full).post(f"/api/conversations/{chat}/messages", {"messages": [{"role": "user", "content": "Hi."}]})
        pin = {"content": f"Pin {number}.", "category": "decision"}
        assert client_of(full).post(f"/api/conversations/{chat}/pins", pin).status_code == 201
    write(charlie, "mem://user/events/event-7", "Event 7.")
    file, _ = exported(full, tmp_path)
    files = {"continuity.jsonl": file.read_bytes()}
    preview, done = (report_of(charlie, files, query) for query in ("?dry_run=true", ""))
    assert kept(preview["counts"]) == kept(done["counts"])
    assert preview["counts"]["node_history"]["created"] > NODES
    assert preview["counts"]["pin"]["created"] > CHATS
    assert preview["problems"] == done["problems"]


def test_what_is_nowhere_in_the_files_is_still_reported(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    write(alice, "mem://user/events/release", "We released.")
    _, lines = exported(alice, tmp_path)
    without = [line for line in lines if line.get("kind") != "node"]
    report = report_of(
        charlie, {"continuity.jsonl": "".join(json.dumps(line) + "\n" for line in without).encode()}, "?dry_run=true"
    )
    assert set(report["counts"]["node_history"]) == {"skipped"}
    assert {one["reason"] for one in report["problems"]} == {"memory_not_imported"}


def test_earlier_items_survive_a_killed_worker(tmp_path: Path) -> None:
    file = tmp_path / "earlier.jsonl"
    nodes = [{"key": f"node:{one}", "kind": "node"} for one in "abc"]
    statuses = ("created", "existing", "refused")
    results = [ImportedResult(f"node:{one}", "node", status) for one, status in zip("abc", statuses, strict=True)]
    EarlierItems(file).corrected(nodes, results)
    with file.open("a") as stored:
        stored.write('["node", "d", "crea')
    EarlierItems(file).corrected([{"key": "node:e", "kind": "node"}], [ImportedResult("node:e", "node", "created")])
    missing = ImportedResult("x", "node_history", "skipped", "memory_not_imported")
    corrected = EarlierItems(file).corrected([{"node": one} for one in "abcde"], [missing] * 5)
    assert [(one.status, one.reason) for one in corrected] == [
        ("created", ""),
        ("existing", "known_memory"),
        ("skipped", "memory_not_imported"),
        ("skipped", "memory_not_imported"),
        ("created", ""),
    ]
