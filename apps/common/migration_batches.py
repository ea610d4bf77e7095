"""Changes of many rows as a migration operation, in short transactions, so that others can read and write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.migrations.operations import RunPython

Change = Callable[[Any, list[UUID]], None]


def in_batches(table: str, change: str | Change, *, size: int) -> RunPython:
    """Return the operation that locks `size` rows of `table` at a time and runs `change` with their ids.

    `change` is a statement with `%(ids)s`, or a function of the cursor and the ids.

    The migration must not be atomic. If it is interrupted it starts from the first row again.
    """
    # The ids are a query of their own: the change then sees what was committed while it waited for the locks.
    lock = f"SELECT id FROM {table} WHERE id > %s ORDER BY id LIMIT {size} FOR NO KEY UPDATE"  # noqa: S608  # constants

    def forward(_apps: Any, schema_editor: Any) -> None:
        connection, ids = schema_editor.connection, [UUID(int=0)]
        while ids:
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                cursor.execute("SELECT set_config('app.operator', 'on', true)")
                ids = [row_id for (row_id,) in cursor.execute(lock, [ids[-1]]).fetchall()]
                if ids and isinstance(change, str):
                    cursor.execute(change, {"ids": ids})
                elif ids and callable(change):
                    change(cursor, ids)

    return RunPython(forward, RunPython.noop)
