"""Texts of tool messages in the index. The next sweep indexes conversations again from their first tool message on."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

DROP_BEHIND_TOOLS = """
WITH tools AS (
    SELECT workspace_id, conversation_id, min("index") AS place FROM conversations_message
    WHERE NOT excluded AND (role = 'tool' OR parts @> '[{"kind": "tool_result"}]')
    GROUP BY workspace_id, conversation_id
),
dropped AS (
    DELETE FROM mem_passages AS passage USING tools
    WHERE passage.workspace_id = tools.workspace_id AND passage.bank = tools.conversation_id
        AND passage.place >= tools.place
    RETURNING passage.workspace_id, passage.id
)
DELETE FROM mem_embeddings AS embedding USING dropped
WHERE embedding.workspace_id = dropped.workspace_id AND embedding.passage_id = dropped.id
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("conversations", "0006_others_could_write"),
        ("memory", "0004_inbox"),
    ]
    operations: ClassVar = [
        migrations.AddField(
            model_name="passage",
            name="tool_text",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.RunSQL(
            f"SET LOCAL app.operator = 'on'; {DROP_BEHIND_TOOLS}; SET LOCAL app.operator = '';",
            migrations.RunSQL.noop,
        ),
    ]
