"""Read the SQLite database of claude-mem, of every version; the database is copied and never opened itself."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable

from continuity_client.imports import Item, SourceError
from continuity_client.imports.claude_mem_rows import Rows, Sessions
from continuity_client.imports.items import problem
from continuity_client.imports.transcripts import transcript_items

FILE = "claude-mem.db"
_TRIES, _PAUSE = 5, 0.2
_ORDERS = ("started_at_epoch", "created_at_epoch", "captured_at_epoch", "event_index", "prompt_number", "id")


def read_items(path: str | None) -> Iterator[Item]:
    """Sessions first, then prompts, tool uses, observations and summaries, each oldest first."""
    file = _database(path)
    with _copy_of(file) as copy:
        yield from database_items(copy)


def _database(path: str | None) -> str:
    place = os.path.expanduser(path) if path else _data_directory()
    file = os.path.join(place, FILE) if os.path.isdir(place) else place
    if not os.path.isfile(file):
        raise SourceError(f"There is no claude-mem database at {file}. Name its place with --path.")
    return file


def _data_directory() -> str:
    usual = os.path.join(os.path.expanduser("~"), ".claude-mem")
    try:
        with open(os.path.join(usual, "settings.json"), encoding="utf-8") as file:
            settings = json.load(file)
    except (OSError, ValueError):
        settings = {}
    named = settings.get("CLAUDE_MEM_DATA_DIR") if isinstance(settings, dict) else None
    return os.path.expanduser(
        os.environ.get("CLAUDE_MEM_DATA_DIR") or (named if isinstance(named, str) else "") or usual
    )


@contextmanager
def _copy_of(file: str) -> Iterator[sqlite3.Connection]:
    """Open a copy of the database and its write-ahead log, taken while nobody wrote.

    Opening the database itself would change its `-shm` file, and could check its log in.
    """
    with tempfile.TemporaryDirectory(prefix="continuity-import-") as folder:
        copy = os.path.join(folder, FILE)
        try:
            _copy_files(file, copy)
            connection = sqlite3.connect(copy)
        except (OSError, sqlite3.Error) as error:
            raise SourceError(f"{file} cannot be read: {error}.") from None
        try:
            yield connection
        finally:
            connection.close()


def _copy_files(file: str, copy: str) -> None:
    for _ in range(_TRIES):
        before = _state(file)
        for ending in ("", "-wal"):
            if os.path.exists(file + ending):
                shutil.copyfile(file + ending, copy + ending)
            elif os.path.exists(copy + ending):
                os.remove(copy + ending)
        if _state(file) == before:
            return
        time.sleep(_PAUSE)
    raise SourceError(f"{file} is being written. Stop claude-mem (or Claude Code) and run the import again.")


def _state(file: str) -> list[tuple[int, int] | None]:
    return [_stat(file + ending) for ending in ("", "-wal")]


def _stat(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def database_items(connection: sqlite3.Connection) -> Iterator[Item]:
    """The items of an open database."""
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    try:
        tables = _columns(connection)
    except sqlite3.DatabaseError as error:
        raise SourceError(f"This is not a claude-mem database: {error}.") from None
    if not {"sdk_sessions", "sessions"} & set(tables):
        raise SourceError("This is not a claude-mem database: it has no sessions.")
    sessions = Sessions()
    for table in ("sdk_sessions", "sessions", "streaming_sessions"):
        sessions.add(_rows(connection, tables, table))
    rows = Rows(sessions)
    readers: list[tuple[str, Callable[[dict[str, Any]], Iterator[Item]]]] = [
        ("sessions", rows.session),
        ("streaming_sessions", rows.session),
        ("sdk_sessions", rows.session),
        ("user_prompts", rows.prompt),
        ("tool_uses", rows.tool_use),
        ("memories", rows.memory),
        ("observations", rows.observation),
        ("diagnostics", rows.diagnostic),
        ("overviews", rows.overview),
        ("session_summaries", rows.summary),
    ]
    for table, reader in readers:
        yield from _table_items(connection, tables, table, reader)
    yield from _transcripts(connection, tables, sessions)


def _columns(connection: sqlite3.Connection) -> dict[str, list[str]]:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: [row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')] for name in names}


def _rows(connection: sqlite3.Connection, tables: dict[str, list[str]], table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table, oldest first; none if there is no such table."""
    columns = tables.get(table)
    if not columns:
        return
    order = ", ".join(f'"{column}"' for column in _ORDERS if column in columns) or "rowid"
    for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY {order}'):  # noqa: S608  # a name of its own list
        yield dict(row)


def _table_items(
    connection: sqlite3.Connection,
    tables: dict[str, list[str]],
    table: str,
    reader: Callable[[dict[str, Any]], Iterator[Item]],
) -> Iterator[Item]:
    """Items of one table; where the file is damaged, the others are still read."""
    try:
        for row in _rows(connection, tables, table):
            yield from reader(row)
    except sqlite3.DatabaseError as error:
        yield problem(f"{table}:damaged", "damaged_table", f"{table}: {error}")


def _transcripts(connection: sqlite3.Connection, tables: dict[str, list[str]], sessions: Sessions) -> Iterator[Item]:
    """The events that the oldest versions stored, one transcript for each session."""
    lines: dict[str, list[bytes]] = {}
    try:
        for row in _rows(connection, tables, "transcript_events"):
            lines.setdefault(str(row.get("session_id")), []).append(str(row.get("raw_json") or "").encode())
    except sqlite3.DatabaseError as error:
        yield problem("transcript_events:damaged", "damaged_table", f"transcript_events: {error}")
    for session_id, events in lines.items():
        yield from transcript_items(session_id, events, sessions.project(session_id), prefix="transcript:")
