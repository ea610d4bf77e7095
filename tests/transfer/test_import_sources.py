"""Imports of whole sources: read by the client, sent through the API, and counted against the source itself."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession, Observation
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemSource
from apps.memory.services.bulk.export import subtree_json
from continuity_client.imports import reader_of
from continuity_client.imports.batching import batches
from tests.client.claude_mem_databases import GENERATIONS, Database
from tests.engine.agent_transcripts import SAMPLE, SESSION, lines
from tests.people import client_of

Result = dict[str, Any]


def run(actor: Actor, source: str, path: object, *, dry_run: bool = False) -> list[Result]:
    """Import as the client does, and return the results of all items."""
    client, import_id, results = client_of(actor), str(uuid4()), []
    for batch in batches(reader_of(source)(str(path))):
        body = {"import_id": import_id, "dry_run": dry_run, "confirmed": True, "items": batch}
        answer = client.post(f"/api/imports/{source}", body)
        assert answer.status_code == 200, answer.content
        results += answer.json()["results"]
    if not dry_run:
        report = client.get(f"/api/imports/{import_id}").json()
        assert sum(one["created"] for one in report["counts"]) == sum(one["status"] == "created" for one in results)
    return results


def created(results: list[Result]) -> Counter[str]:
    return Counter(one["kind"] for one in results if one["status"] == "created")


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path, request.param)
    yield opened
    opened.close()


@pytest.mark.parametrize("database", GENERATIONS, indirect=True)
def test_every_version_of_claude_mem_is_imported_once(database: Database, alice: Actor) -> None:
    before = database.digests()
    dry = run(alice, "claude-mem", database.path, dry_run=True)
    first = run(alice, "claude-mem", database.path)
    second = run(alice, "claude-mem", database.path)
    assert database.digests() == before
    is_old = database.generation == "v3"
    expected = Counter(database.counts())
    if is_old:
        expected["transcript"] = 1
    else:
        expected.subtract({"session": 1, "prompt": 1, "observation": 1})
    assert created(first) == created(dry) == +expected
    assert not created(second)
    assert Counter(one["status"] for one in second) == Counter(
        {"existing": sum(expected.values())} if is_old else {"existing": sum(expected.values()), "skipped": 3}
    )


@pytest.mark.parametrize("database", ["v52"], indirect=True)
def test_rows_of_claude_mem_become_sessions_messages_observations_and_memories(
    database: Database, alice: Actor
) -> None:
    results = run(alice, "claude-mem", database.path)
    with workspace(alice.workspace_id):
        assert set(AgentSession.objects.values_list("client_session_id", "client")) == {
            ("s1", "import"),
            ("s2", "import"),
            ("lost", "import"),
        }
        assert list(Message.objects.order_by("index").values_list("content", flat=True)) == [
            "Limit the bookings.",
            "Now 5 a day.",
            "Привет, 東京 ☕",
        ]
        assert Counter(Observation.objects.values_list("kind", flat=True)) == {"imported": 6, "summary": 2, "tool": 1}
        memories = MemNode.objects.filter(node_type="leaf").exclude(uri__startswith="mem://sessions")
        assert Counter(memories.values_list("category", flat=True)) == {
            "events": 3,
            "cases": 1,
            "entities": 1,
        }
        assert {row.trust for row in memories} == {"model_inference"}
        for row in memories:
            assert {"hook", "import"} <= set(MemSource.objects.filter(node=row).values_list("kind", flat=True))
        session = AgentSession.objects.get(client_session_id="s1")
        archive = MemNode.objects.get(uri=f"mem://sessions/{session.conversation_id}/summary")
        assert archive.l2_content.splitlines()[0] == "Goal: Limit bookings"
    repeated = [one for one in results if one["reason"] == "known_memory"]
    assert len(repeated) == 1


def test_transcripts_are_imported_once_and_their_damage_is_reported(alice: Actor, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-alice-booking"
    folder.mkdir(parents=True)
    damaged = b"\n".join(
        [*lines(SAMPLE[:9]).splitlines(), b'{"type": "us\xff', b"\x00\x00", *lines(SAMPLE[9:]).splitlines()]
    )
    (folder / f"{SESSION}.jsonl").write_bytes(damaged + b'\n{"type": "user", "message": {"content": "\\ud83d"}, "uuid"')
    (folder / "empty.jsonl").write_bytes(b'{"type": "summary", "summary": "Nothing", "leafUuid": "x"}\n')
    results = {one["key"]: one for one in run(alice, "transcripts", folder.parent)}
    assert results[SESSION]["messages"] == 6
    assert [(one["line"], one["code"]) for one in results[SESSION]["problems"]] == [
        (10, "invalid_json"),
        (len(SAMPLE) + 3, "truncated"),
    ]
    assert (results["empty"]["status"], results["empty"]["reason"]) == ("skipped", "no_messages")
    again = run(alice, "transcripts", folder.parent)
    assert {one["status"] for one in again} == {"existing", "skipped"}
    with workspace(alice.workspace_id):
        assert Message.objects.count() == 6
        assert AgentSession.objects.get().project == "booking"


def test_a_memory_file_belongs_to_the_session_in_which_it_was_written(alice: Actor, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-alice-booking"
    (folder / "memory").mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_bytes(lines(SAMPLE))
    head = f"---\nname: limit\ntype: project\noriginSessionId: {SESSION}\nmodified: 2026-03-02T00:00:00Z\n---\n"
    (folder / "memory" / "limit.md").write_text(f"{head}The limit is 5 bookings a day.")
    run(alice, "transcripts", folder.parent)
    (result,) = run(alice, "claude-memory", folder.parent)
    assert (result["status"], result["address"]) == ("created", "mem://user/entities/booking/limit")
    with workspace(alice.workspace_id):
        session = AgentSession.objects.get()
        assert result["session_id"] == str(session.id)
        row = MemNode.objects.get(pk=result["node_id"])
        assert row.occurred_at.date().isoformat() == "2026-03-02"
        kinds = set(MemSource.objects.filter(node=row).values_list("kind", flat=True))
        assert kinds == {"message", "import"}


def test_our_own_export_returns_without_loss(alice: Actor, bob: Actor, tmp_path: Path) -> None:
    owner = client_of(alice)
    for node in (
        {
            "uri": "mem://user/events/release",
            "content": "We released.",
            "tags": ["atlas"],
            "occurred_at": "2026-03-01T00:00:00Z",
        },
        {"uri": "mem://user/entities/acme/owner", "content": "Acme belongs to Dora."},
    ):
        assert owner.post("/api/memories", node).status_code == 201
    file = tmp_path / "memories.json"
    with workspace(alice.workspace_id):
        file.write_text("".join(subtree_json(alice, Address("mem://user"))))
    results = run(bob, "json", file)
    assert {one["status"] for one in results} <= {"created", "existing"}
    with workspace(alice.workspace_id):
        for uri in ("mem://user/events/release", "mem://user/entities/acme/owner"):
            theirs, ours = (MemNode.objects.get(uri=uri, owner_id=one.user_id) for one in (alice, bob))
            assert (ours.l2_content, ours.tags, ours.occurred_at) == (
                theirs.l2_content,
                theirs.tags,
                theirs.occurred_at,
            )
    assert not created(run(bob, "json", file))


@pytest.mark.parametrize(
    ("source", "document"),
    [
        (
            "claude-ai",
            [{"uuid": "c", "name": "Easter", "chat_messages": [{"uuid": "1", "sender": "human", "text": "When?"}]}],
        ),
        (
            "chatgpt",
            [
                {
                    "id": "c",
                    "title": "Easter",
                    "mapping": {
                        "a": {
                            "message": {
                                "id": "1",
                                "author": {"role": "user"},
                                "create_time": 1_772_359_200,
                                "content": {"content_type": "text", "parts": ["When?"]},
                            }
                        }
                    },
                }
            ],
        ),
    ],
)
def test_chats_become_conversations_once(alice: Actor, tmp_path: Path, source: str, document: Any) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(document))
    assert created(run(alice, source, file)) == {"conversation": 1}
    assert not created(run(alice, source, file))
    with workspace(alice.workspace_id):
        assert list(Conversation.objects.values_list("title", "external_id")) == [("Easter", f"{source}:c")]
        assert Message.objects.get().content == "When?"
