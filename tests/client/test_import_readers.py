"""Readers of other stores: every version and shape, and nothing that harms the source or another item."""

from __future__ import annotations

import json
import os
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from continuity_client.hook.redaction import redacted_event
from continuity_client.imports import SOURCES, Item, SourceError, reader_of
from continuity_client.imports.batching import batches
from tests.client.claude_mem_databases import GENERATIONS, MODERN, Database
from tests.engine.agent_transcripts import SAMPLE, SESSION, lines

SKIPPED = {"session": 1, "prompt": 1, "observation": 1}
"""Rows of claude-mem's own sessions in every database but that of the first version."""


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path, request.param)
    yield opened
    opened.close()


def read(source: str, path: object) -> list[Item]:
    return list(reader_of(source)(str(path)))


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize("database", GENERATIONS, indirect=True)
def test_every_row_of_every_version_is_an_item(database: Database) -> None:
    items = read("claude-mem", database.path)
    kinds = Counter(item["kind"] for item in items)
    expected = Counter(database.counts())
    if database.generation == "v3":
        expected["transcript"] = 1
    else:
        expected.subtract(SKIPPED)
        expected["skip"] = sum(SKIPPED.values())
    assert kinds == +expected
    keys = [item["key"] for item in items]
    assert len(set(keys)) == len(keys)
    assert all(item["session_id"] for item in items if item["kind"] != "skip")


@pytest.mark.parametrize("database", GENERATIONS, indirect=True)
def test_reading_changes_no_byte_of_the_database_and_its_log(database: Database) -> None:
    before = database.digests()
    assert set(before) == {"claude-mem.db", "claude-mem.db-shm", "claude-mem.db-wal"}
    assert read("claude-mem", database.path)
    assert database.digests() == before


@pytest.mark.parametrize("database", ["v52"], indirect=True)
def test_rows_that_are_only_in_the_log_are_read(database: Database) -> None:
    without_log = sqlite3.connect(f"file:{database.path}?immutable=1", uri=True)
    assert without_log.execute("SELECT count(*) FROM observations").fetchone() == (0,)
    without_log.close()
    assert any(item["kind"] == "observation" for item in read("claude-mem", database.path.parent))


@pytest.mark.parametrize("database", MODERN, indirect=True)
def test_rows_are_read_with_their_sessions_dates_and_lists(database: Database) -> None:
    items = read("claude-mem", database.path)
    observations = {item.get("title"): item for item in items if item["kind"] == "observation"}
    assert observations["Use Redis"]["session_id"] == "s1"
    assert observations["Use Redis"]["facts"] == ["Redis 7"]
    assert observations["Use Redis"]["at"] == 1_772_359_200_000 + 600_000
    assert observations["Moved the limit"]["facts"] == ["one plain fact"]
    assert observations[None]["narrative"] == "Old free text about the tests"
    assert observations[None]["files"] == ["tests/test_limit.py"]
    orphan = observations["Nobody knows the session"]
    assert orphan["session_id"] == "lost"
    assert orphan["project"] == ("booking" if database.generation in ("v13", "v52") else "other")


@pytest.mark.parametrize("database", ["v13"], indirect=True)
def test_keys_do_not_depend_on_the_numbers_of_rows(database: Database, tmp_path: Path) -> None:
    before = {item["key"] for item in read("claude-mem", database.path)}
    database.connection.execute("UPDATE observations SET id = id + 100")
    database.connection.execute("UPDATE user_prompts SET id = id + 100")
    database.connection.commit()
    assert {item["key"] for item in read("claude-mem", database.path)} == before


def test_a_damaged_table_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    database = Database(tmp_path, "v9")
    database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (page,) = database.connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'user_prompts'").fetchone()
    (size,) = database.connection.execute("PRAGMA page_size").fetchone()
    database.close()
    content = bytearray(database.path.read_bytes())
    content[(page - 1) * size : page * size] = b"\x07" * size
    database.path.write_bytes(bytes(content))
    items = read("claude-mem", database.path)
    assert [item["reason"] for item in items if item["kind"] == "problem"] == ["damaged_table"]
    assert sum(item["kind"] == "observation" for item in items) == 6


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to look like one" * 20])
def test_what_is_no_database_is_refused_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "claude-mem.db"
    file.write_bytes(content)
    with pytest.raises(SourceError, match="not a claude-mem database"):
        read("claude-mem", file)


@pytest.mark.parametrize("source", SOURCES)
def test_a_path_that_does_not_exist_is_refused_with_a_sentence(tmp_path: Path, source: str) -> None:
    with pytest.raises(SourceError):
        read(source, tmp_path / "nothing")


def test_claude_mems_own_export_has_the_keys_of_its_database(tmp_path: Path) -> None:
    database = Database(tmp_path, "v13")
    database.connection.row_factory = sqlite3.Row
    document: dict[str, Any] = {"exportedAt": "2026-11-01", "totalObservations": 7}
    for name, query in {
        "observations": "SELECT * FROM observations ORDER BY created_at_epoch, id",
        "sessions": "SELECT * FROM sdk_sessions ORDER BY started_at_epoch",
        "summaries": "SELECT * FROM session_summaries ORDER BY created_at_epoch",
        "prompts": "SELECT * FROM user_prompts ORDER BY created_at_epoch",
    }.items():
        document[name] = [dict(row) for row in database.connection.execute(query)]
    items = read("json", write(tmp_path / "export.json", document))
    assert {item["key"] for item in items} == {item["key"] for item in read("claude-mem", database.path)}
    database.close()


def project(tmp_path: Path, content: bytes) -> Path:
    folder = tmp_path / "projects" / "-home-alice-booking"
    folder.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_bytes(content)
    return folder.parent


def test_a_transcript_is_one_item_without_its_bulk(tmp_path: Path) -> None:
    (item,) = read("transcripts", project(tmp_path, lines(SAMPLE)))
    assert (item["key"], item["session_id"], len(item["lines"])) == (SESSION, SESSION, len(SAMPLE))
    assert "agent_id" not in item
    assert "toolUseResult" not in json.dumps(item)
    assert "signature" not in json.dumps(item)


def test_damaged_lines_are_sent_as_they_are(tmp_path: Path) -> None:
    damaged = b'\xef\xbb\xbf{"type": "user"}\r\n{"type": "us\n\n{"a": "\xff"}\n[1]\n' + b"\x00" * 5
    (item,) = read("transcripts", project(tmp_path, damaged))
    assert item["lines"] == [{"type": "user"}, '{"type": "us', "", {"a": "\ufffd"}, "[1]", "\x00" * 5]
    assert [one["line"] for one in item["damaged"]] == [4]


def test_a_long_transcript_is_sent_in_parts_whose_first_ones_stay_the_same(tmp_path: Path) -> None:
    long = [{"type": "user", "uuid": str(n), "message": {"content": "x" * 100_000}} for n in range(40)]
    root = project(tmp_path, lines(long))
    before = read("transcripts", root)
    assert [item["key"] for item in before] == [SESSION, f"{SESSION}:2", f"{SESSION}:3"]
    assert [item["first_line"] for item in before] == [1, 15, 29]
    assert sum(len(item["lines"]) for item in before) == 40
    (root / "-home-alice-booking" / f"{SESSION}.jsonl").write_bytes(lines([*long, *SAMPLE]))
    assert read("transcripts", root)[:2] == before[:2]


def test_the_files_of_subagents_belong_to_their_session(tmp_path: Path) -> None:
    root = project(tmp_path, lines(SAMPLE))
    folder = root / "-home-alice-booking"
    nested = folder / SESSION / "subagents" / "workflows" / "wf_1"
    nested.mkdir(parents=True)
    (folder / SESSION / "subagents" / "agent-7.jsonl").write_bytes(lines(SAMPLE[:2]))
    (nested / "agent-8.jsonl").write_bytes(lines(SAMPLE[:2]))
    (nested / "agent-8.meta.json").write_text('{"agentType": "Explore", "toolUseId": "t1"}')
    (nested / "journal.jsonl").write_text("{}\n")
    # Older versions wrote them beside the sessions.
    (folder / "agent-9.jsonl").write_bytes(lines(SAMPLE[1:3]))
    (folder / "agent-lost.jsonl").write_text("{}\n")
    # The file of this one's session is missing.
    (folder / "other" / "subagents").mkdir(parents=True)
    (folder / "other" / "subagents" / "agent-10.jsonl").write_bytes(lines(SAMPLE[1:3]))
    items = read("transcripts", root)
    lost = next(one for one in items if one["kind"] == "problem")
    items.remove(lost)
    assert (lost["kind"], lost["reason"]) == ("problem", "no_session")
    assert read("transcripts", folder / "agent-9.jsonl") == [one for one in items if one["key"].endswith("agent-9")]
    found = [
        (item["key"], item["session_id"], item["project"], item.get("agent_id"), item.get("agent_type"))
        for item in items
    ]
    assert found == [
        (SESSION, SESSION, "-home-alice-booking", None, None),
        (f"{SESSION}/agent-7", SESSION, "-home-alice-booking", "7", ""),
        (f"{SESSION}/agent-8", SESSION, "-home-alice-booking", "8", "Explore"),
        (f"{SESSION}/agent-9", SESSION, "-home-alice-booking", "9", ""),
        (f"{SESSION}/agent-10", SESSION, "subagents", "10", ""),
    ]


def test_redaction_leaves_the_ids_of_entries(tmp_path: Path) -> None:
    (batch,) = batches(read("transcripts", project(tmp_path, lines(SAMPLE))))
    sent = [entry for item in batch for entry in item["lines"]]
    names = ("uuid", "parentUuid", "sessionId", "timestamp", "cwd")
    assert [[one.get(name) for name in names] for one in sent] == [[one.get(name) for name in names] for one in SAMPLE]


MEMORY = """---
name: no-tabs
description: "How Alice formats code"
metadata:
  node_type: memory
  type: feedback
  originSessionId: 5f0c1d1e-0000-4000-8000-000000000001
  modified: 2026-09-08T19:29:56.864Z
---

Use spaces, never tabs.
"""


def test_memory_files_are_read_with_their_fields(tmp_path: Path) -> None:
    root = project(tmp_path, lines(SAMPLE))
    folder = root / "-home-alice-booking" / "memory"
    folder.mkdir()
    (folder / "no-tabs.md").write_text(MEMORY, encoding="utf-8")
    (folder / "plain.md").write_text("The port is 8080.", encoding="utf-8")
    (folder / "MEMORY.md").write_text("# Memory\n- [No tabs](no-tabs.md): spaces\nThe team meets on Mondays.\n")
    items = {item["name"]: item for item in read("claude-memory", root)}
    assert set(items) == {"no-tabs", "plain", "MEMORY"}
    tabs = items["no-tabs"]
    assert (tabs["type"], tabs["folder"], tabs["at"]) == ("feedback", "booking", "2026-09-08T19:29:56.864+00:00")
    assert tabs["content"] == "How Alice formats code\n\nUse spaces, never tabs."
    assert tabs["session_id"] == SESSION
    assert items["MEMORY"]["content"] == "The team meets on Mondays."
    assert items["plain"]["content"] == "The port is 8080."
    alone = read("claude-memory", folder / "no-tabs.md")
    assert [item["key"] for item in alone] == [tabs["key"]]


MEM0 = [{"id": "1", "memory": "Prefers tea", "categories": ["preferences"], "created_at": "2026-01-02T03:04:05+00:00"}]
HONCHO = {
    "conclusions": [{"id": "c1", "content": "Alice works at night", "created_at": "2026-01-02T03:04:05Z"}],
    "messages": [
        {"id": "m1", "peer_id": "alice", "session_id": "s1", "content": "Hi", "created_at": "2026-01-02T03:04:05Z"},
        {"id": "m2", "peer_id": "assistant", "session_id": "s1", "content": "Hello"},
    ],
}
OWN = {"format": "continuity-memory-tree", "version": 1, "nodes": [{"uri": "mem://user/events/a", "content": "A"}]}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (MEM0, [("memory", "Prefers tea")]),
        ({"results": MEM0}, [("memory", "Prefers tea")]),
        ({"memories": [*MEM0, {"id": 2}, 7]}, [("memory", "Prefers tea"), ("problem", None), ("problem", None)]),
        (HONCHO, [("memory", "Alice works at night"), ("conversation", None)]),
        (OWN, [("node", None)]),
        (OWN["nodes"], [("node", None)]),
    ],
)
def test_json_exports_are_known_by_their_shape(tmp_path: Path, document: Any, expected: list[Any]) -> None:
    items = read("json", write(tmp_path / "export.json", document))
    assert [(item["kind"], item.get("content")) for item in items] == expected


def test_json_lines_and_peers_are_read(tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    file.write_text('{"memory": "A"}\nbroken\n{"content": "B"}\n')
    assert [item["kind"] for item in read("json", file)] == ["memory", "problem", "memory"]
    (conversation,) = [one for one in read("json", write(tmp_path / "h.json", HONCHO)) if one["kind"] == "conversation"]
    assert [(one["role"], one.get("name")) for one in conversation["messages"]] == [
        ("user", "alice"),
        ("assistant", None),
    ]


def node(name: str, parent: str | None, role: str, *parts: Any, children: list[str] | None = None) -> dict[str, Any]:
    content = {"content_type": "text", "parts": list(parts)}
    message = {"id": name, "author": {"role": role}, "create_time": 1_772_359_200.5, "content": content}
    return {"id": name, "message": message, "parent": parent, "children": children or []}


CHATGPT = [
    {
        "title": "Easter",
        "conversation_id": "c1",
        "current_node": "d",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["a"]},
            "a": node("a", "root", "user", "When is Easter?", children=["b", "d"]),
            "b": node("b", "a", "assistant", "An older answer."),
            "d": node("d", "a", "assistant", "On 5 April.", {"content_type": "image_asset_pointer"}),
        },
    },
    {"title": "Broken", "mapping": None},
    {"title": "Cycle", "id": "c2", "mapping": {"a": {**node("a", "a", "user", "Hi"), "children": []}}},
]
CLAUDE_AI = [
    {
        "uuid": "c1",
        "name": "Easter",
        "chat_messages": [
            {"uuid": "1", "sender": "human", "text": "When?", "created_at": "2026-03-01T10:00:00Z"},
            {
                "uuid": "2",
                "sender": "assistant",
                "text": "",
                "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "On 5 April."}],
            },
            {"uuid": "3", "sender": "human", "text": "See", "attachments": [{"file_name": "plan.pdf"}]},
        ],
    },
    7,
]


@pytest.mark.parametrize("form", ["file", "zip", "folder"])
@pytest.mark.parametrize(
    ("source", "document", "expected"),
    [
        ("chatgpt", CHATGPT, [("user", "When is Easter?"), ("assistant", "On 5 April.\n\n[image]")]),
        ("claude-ai", CLAUDE_AI, [("user", "When?"), ("assistant", "On 5 April."), ("user", "See\n\n[plan.pdf]")]),
    ],
)
def test_exports_of_chats_are_read_on_their_last_branch(
    tmp_path: Path, form: str, source: str, document: Any, expected: list[Any]
) -> None:
    path = write(tmp_path / "conversations.json", document)
    if form == "zip":
        with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
            archive.write(path, "user/conversations.json")
            archive.writestr("user.json", "{}")
    path = {"file": path, "zip": tmp_path / "export.zip", "folder": tmp_path}[form]
    items = read(source, path)
    conversations = [item for item in items if item["kind"] == "conversation"]
    assert [(one["role"], one["content"]) for one in conversations[0]["messages"]] == expected
    assert sum(item["kind"] == "problem" for item in items) == 1
    assert conversations[0]["messages"][0]["created_at"].startswith("2026-03-01T10:00:00")


def test_a_long_conversation_is_sent_in_parts(tmp_path: Path) -> None:
    messages = [{"uuid": str(n), "sender": "human", "text": f"Message {n}"} for n in range(1_201)]
    items = read("claude-ai", write(tmp_path / "c.json", [{"uuid": "c", "name": "Long", "chat_messages": messages}]))
    assert [(item["key"], item["first_number"], len(item["messages"])) for item in items] == [
        ("c", 1, 500),
        ("c:2", 501, 500),
        ("c:3", 1_001, 201),
    ]


def test_an_export_without_conversations_is_refused(tmp_path: Path) -> None:
    os.mkdir(tmp_path / "empty")
    with pytest.raises(SourceError, match=r"conversations\.json"):
        read("chatgpt", tmp_path / "empty")
    broken = tmp_path / "conversations.json"
    broken.write_text("[{")
    with pytest.raises(SourceError, match="not valid JSON"):
        read("chatgpt", broken)


def test_items_survive_redaction(tmp_path: Path) -> None:
    item = {"key": "1", "kind": "memory", "content": "The password is Hunter2!x", "session_id": SESSION}
    assert redacted_event(item)["content"] == "The password is [redacted:password]"
    assert redacted_event(item)["session_id"] == SESSION


@pytest.mark.parametrize("before", range(700, 760, 4))
def test_no_part_of_a_secret_survives_the_cut_of_a_long_argument(tmp_path: Path, before: int) -> None:
    secret = "ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9bC2dE4fG6"
    text = "x" * before + f" {secret} " + "y" * 900
    inner = "z" * before + " <private>the name is Sam</private> " + "z" * 900
    content = [
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": text, "lines": ["<private>a", "Sam"]}},
        {"type": "tool_result", "tool_use_id": "t1", "content": inner * 5},
    ]
    entry = {"type": "user", "message": {"role": "user", "content": content}}

    (item,) = read("transcripts", project(tmp_path, f"{json.dumps(entry)}\n{text * 200}\n".encode()))

    sent = json.dumps(item)
    assert "ghp_aB" not in sent and "E4fG6" not in sent and "Sam" not in sent and "name is" not in sent
    assert "characters omitted" in sent
