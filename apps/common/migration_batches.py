"""Changes of many rows as a migration operation, in short transactions, so that others can read and write."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.migrations.operations import RunPython


def in_batches(table: str, change: str, *, size: int) -> RunPython:
    """Return the operation that locks `size` rows of `table` at a time and runs `change` with their ids, `%(ids)s`.

    The migration must not be atomic. If it is interrupted it starts from the first row again.
    """
    # The ids are a query of their own: the change then sees what was committed while it waited for the locks.
    lock = f"SELECT id FROM {table} WHERE id > %s ORDER BY id LIMIT {size} FOR NO KEY UPDATE"  # noqa: S608  # constants

    def forward(_apps: Any, schema_editor: Any) -> None:
        connection, ids = schema_editor.connection, ["00000000-0000-0000-0000-000000000000"]
        while ids:
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                cursor.execute("SELECT set_config('app.operator', 'on', true)")
                ids = [row_id for (row_id,) in cursor.execute(lock, [ids[-1]]).fetchall()]
                if ids:
                    cursor.execute(change, {"ids": ids})

    return RunPython(forward, RunPython.noop)
