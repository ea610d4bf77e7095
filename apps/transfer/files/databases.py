"""SQLite databases that anybody may have written: opened so that reading them runs nothing of theirs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from apps.common.errors import Unprocessable

LONGEST_VALUE = 16 * 1024 * 1024
_STEPS = 10_000
_SAFE = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON", "temp_store = MEMORY")


@contextmanager
def database_open(file: Path, until: float) -> Iterator[sqlite3.Connection]:
    """Open a database, with its write-ahead log if that was uploaded too; queries stop at the time `until`.

    Raises `Unprocessable` for what is no intact database.
    """
    # A log is part of the database only if SQLite may build an index of it, so then the copy is not immutable.
    has_log = file.with_name(f"{file.name}-wal").exists()
    mode = "mode=rw" if has_log else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?{mode}", uri=True)) as connection:
            _protect(connection, until)
            yield connection
    except sqlite3.Error as error:
        detail = f"{file.name} is not a database that can be read: {error}."
        raise Unprocessable(detail, code="bad_database") from error


def _protect(connection: sqlite3.Connection, until: float) -> None:
    """Trust nothing that the schema defines, and bound values, statements and time."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 50)
    for setting in _SAFE:
        connection.execute(f"PRAGMA {setting}")
    connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
