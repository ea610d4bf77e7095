"""Databases of claude-mem as its versions made them, with rows that real ones have: old spellings, orphans, repeats."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.engine.agent_transcripts import SAMPLE

SCHEMAS = Path(__file__).parent / "claude_mem_schemas"
GENERATIONS = ("v3", "v5", "v8", "v9", "v12", "v13", "v52")
MODERN = GENERATIONS[1:]
EPOCH = 1_772_359_200_000
"""1 March 2026, 10:00 UTC."""
KINDS = {
    "sessions": "session",
    "sdk_sessions": "session",
    "user_prompts": "prompt",
    "tool_uses": "tool_use",
    "memories": "observation",
    "observations": "observation",
    "diagnostics": "observation",
    "overviews": "summary",
    "session_summaries": "summary",
}


class Database:
    """A database that its program has open, with rows that are only in the write-ahead log."""

    def __init__(self, folder: Path, generation: str) -> None:
        self.generation = generation
        self.path = folder / "claude-mem.db"
        self.connection = sqlite3.connect(self.path)
        self.connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;{_schema(generation)}")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.execute("PRAGMA foreign_keys = OFF")
        (_add_old if generation == "v3" else _add_modern)(self)
        self.connection.commit()

    def add(self, table: str, **values: Any) -> None:
        """Insert a row with those of the values for which this version has a column."""
        columns = {row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")}
        known = {name: value for name, value in _renamed(values, columns).items() if name in columns}
        names, places = ", ".join(known), ", ".join("?" * len(known))
        self.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", list(known.values()))  # noqa: S608  # names of this file

    def counts(self) -> dict[str, int]:
        """The numbers of rows by the kind of item that they become."""
        counts: dict[str, int] = {}
        tables = {row[0] for row in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in tables & KINDS.keys():
            (count,) = self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608  # names of this file
            counts[KINDS[table]] = counts.get(KINDS[table], 0) + count
        return counts

    def digests(self) -> dict[str, str]:
        """Hashes of all the database's files."""
        files = sorted(self.path.parent.iterdir())
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}

    def close(self) -> None:
        self.connection.close()


def _schema(generation: str) -> str:
    return (SCHEMAS / f"{generation}.sql").read_text()


def _renamed(values: dict[str, Any], columns: set[str]) -> dict[str, Any]:
    """The values with the names of the session ids that this version uses."""
    if "claude_session_id" not in columns and "sdk_session_id" not in columns:
        return values
    old = {"content_session_id": "claude_session_id", "memory_session_id": "sdk_session_id"}
    return {old.get(name, name): value for name, value in values.items()}


def _at(minutes: int) -> dict[str, Any]:
    return {"created_at": f"2026-03-01T10:{minutes:02}:00.000Z", "created_at_epoch": EPOCH + minutes * 60_000}


def _add_old(database: Database) -> None:
    for number in (1, 2):
        database.add("sessions", session_id=f"s{number}", project="booking", **_at(number))
    hierarchical = {"title": "Limits", "facts": '["3 a day"]', "concepts": '["pattern"]', "files_touched": "models.py"}
    database.add("memories", session_id="s1", text="Bookings are limited.", project="booking", **hierarchical, **_at(3))
    database.add("memories", session_id="s1", text="Redis is the queue.", keywords="redis", project="booking", **_at(4))
    database.add("memories", session_id="lost", text="Nobody knows the session.", project="booking", **_at(5))
    database.add("overviews", session_id="s1", content="The limit was added.", project="booking", **_at(6))
    database.add("diagnostics", session_id=None, message="Compression failed", project="booking", **_at(7))
    for index, entry in enumerate(SAMPLE):
        event = {"event_index": index, "raw_json": json.dumps(entry), "captured_at": "x", "captured_at_epoch": EPOCH}
        database.add("transcript_events", session_id="s2", project="booking", **event)


def _add_modern(database: Database) -> None:
    _add_sessions(database)
    about = {"project": "booking", "memory_session_id": "m1"}
    rows: list[dict[str, Any]] = [
        {"type": "decision", "title": "Use Redis", "narrative": "It is fast.", "facts": '["Redis 7"]'},
        {"type": "bugfix", "title": "Fixed the limit", "concepts": '["problem-solution: the query", "gotcha"]'},
        {"type": "discovery", "text": "Old free text about the tests", "files_read": "tests/test_limit.py"},
        {"type": "refactor", "title": "Moved the limit", "subtitle": "Into the model", "facts": "one plain fact"},
    ]
    for number, row in enumerate(rows):
        database.add("observations", content_hash=f"h{number}", prompt_number=1, **about, **row, **_at(10 + number))
    # The same text twice, an orphan, a merged project and one of claude-mem's own sessions.
    database.add("observations", content_hash="h8", **about, **rows[0], **_at(10))
    lost = {"type": "feature", "title": "Nobody knows the session", "project": "other", "memory_session_id": "lost"}
    database.add("observations", content_hash="h9", merged_into_project="booking", **lost, **_at(20))
    own = {"project": "observer-sessions", "memory_session_id": "m3", "type": "change", "title": "Observed"}
    database.add("observations", content_hash="h10", **own, **_at(21))
    database.add("session_summaries", request="Limit bookings", completed="Done", **about, **_at(30))
    database.add("session_summaries", learned="Tests need Redis", next_steps="Deploy", **about, **_at(31))
    tool = {"tool_use_id": "t1", "tool_name": "Bash", "tool_input": '{"command": "ls"}', "tool_response": "models.py"}
    if database.generation == "v52":
        database.add("tool_uses", content_session_id="s1", project="booking", **tool, **_at(9))
    if database.generation not in ("v5",):
        queued = {"session_db_id": 1, "content_session_id": "s1", "message_type": "observation"}
        database.add("pending_messages", **queued, created_at_epoch=EPOCH)


def _add_sessions(database: Database) -> None:
    for number, project in enumerate(("booking", "booking", "observer-sessions"), start=1):
        started = {"started_at": f"2026-03-01T0{number}:00:00Z", "started_at_epoch": EPOCH - 3_600_000 * (4 - number)}
        ids = {"content_session_id": f"s{number}", "memory_session_id": f"m{number}"}
        database.add(
            "sdk_sessions", project=project, user_prompt=f"Task {number}", status="completed", **ids, **started
        )
    for number, text in enumerate(("Limit the bookings.", "Now 5 a day.", "Привет, 東京 ☕"), start=1):
        ids = {"session_db_id": 1, "content_session_id": "s1"}
        database.add("user_prompts", prompt_number=number, prompt_text=text, **ids, **_at(number))
    database.add(
        "user_prompts", prompt_number=1, prompt_text="Observe.", session_db_id=3, content_session_id="s3", **_at(5)
    )
