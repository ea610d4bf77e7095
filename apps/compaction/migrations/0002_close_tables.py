from django.db import migrations

from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("compaction", "0001_initial"), ("conversations", "0001_initial")]

    operations = [
        close_table("conversation_context"),
        close_table("compaction_summaryversion"),
        close_table("compaction_compactionrun"),
        # A message can only be marked as folded where the summary that covers it is stored.
        migrations.RunSQL(
            """
            ALTER TABLE conversations_message ADD CONSTRAINT message_covered_by_a_summary
            FOREIGN KEY (workspace_id, conversation_id, compacted_in)
            REFERENCES compaction_summaryversion (workspace_id, conversation_id, version)
            DEFERRABLE INITIALLY DEFERRED
            """,
            "ALTER TABLE conversations_message DROP CONSTRAINT message_covered_by_a_summary",
        ),
    ]
