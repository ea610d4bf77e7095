from django.db import migrations


class Migration(migrations.Migration):
    # A foreign key needs the unique constraint, which exists only after the migration that creates the table.
    dependencies = [("compaction", "0001_initial"), ("conversations", "0001_initial")]

    operations = [
        # A message can be marked as compacted only where the summary that covers it is stored.
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
