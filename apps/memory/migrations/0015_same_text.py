"""The hash of each memory's text in its normal form, by which a repeated memory is found, and an index of it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models, transaction

from apps.engine.memory.same_text import same_text_hash

_SIZE = 500
_FIRST = "00000000-0000-0000-0000-000000000000"
_READ = """
SELECT id, l2_content FROM mem_nodes WHERE id > %s AND node_type = 'leaf' ORDER BY id LIMIT %s FOR NO KEY UPDATE
"""
_WRITE = """
UPDATE mem_nodes SET same_text_hash = input.hash FROM unnest(%s::uuid[], %s::text[]) AS input (id, hash)
WHERE mem_nodes.id = input.id
"""


def fill(_apps: Any, schema_editor: Any) -> None:
    """Fill the column in short transactions; an interrupted migration starts from the first row again."""
    connection, last = schema_editor.connection, _FIRST
    while last:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('app.operator', 'on', true)")
            rows = cursor.execute(_READ, [last, _SIZE]).fetchall()
            cursor.execute(_WRITE, [[row[0] for row in rows], [same_text_hash(row[1]) for row in rows]])
            last = rows[-1][0] if rows else None


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [("memory", "0014_renew_words")]
    operations: ClassVar = [
        # Of a migration that was interrupted.
        migrations.RunSQL(
            [
                "DROP INDEX CONCURRENTLY IF EXISTS mem_node_same_text",
                "ALTER TABLE mem_nodes DROP COLUMN IF EXISTS same_text_hash",
            ],
            migrations.RunSQL.noop,
        ),
        migrations.AddField(
            model_name="memnode",
            name="same_text_hash",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=32),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        AddIndexConcurrently(
            model_name="memnode",
            index=models.Index(
                fields=["workspace", "owner", "same_text_hash"],
                name="mem_node_same_text",
                condition=~models.Q(same_text_hash=""),
            ),
        ),
    ]
