from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models, transaction

_BATCH = 5_000
# What is there already was last changed when something was last said in it, or not much later.
_FROM_CHANGES = """
WITH part AS (
    SELECT id FROM conversations_conversation WHERE id > %s::uuid ORDER BY id LIMIT %s
), changed AS (
    UPDATE conversations_conversation AS row SET active_at = row.updated_at FROM part WHERE row.id = part.id
)
SELECT id FROM part ORDER BY id DESC LIMIT 1
"""
_LEAST = "00000000-0000-0000-0000-000000000000"


def from_changes(apps, editor):
    """In small units, so that nobody who writes waits for long."""
    last = _LEAST
    while last:
        with transaction.atomic(using=editor.connection.alias), editor.connection.cursor() as cursor:
            cursor.execute("SELECT set_config('app.operator', 'on', true)")
            cursor.execute(_FROM_CHANGES, [last, _BATCH])
            last = (cursor.fetchone() or [None])[0]


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("conversations", "0006_lately_active")]

    operations = [
        migrations.RunPython(from_changes, migrations.RunPython.noop),
        AddIndexConcurrently(
            model_name="conversation",
            index=models.Index(fields=["workspace", "owner", "-active_at", "-id"], name="conversation_lately_active"),
        ),
        RemoveIndexConcurrently(model_name="conversation", name="conversation_newest"),
    ]
