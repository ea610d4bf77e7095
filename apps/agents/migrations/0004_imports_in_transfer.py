"""Imports belong to `apps.transfer`; their tables stay as they are."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("hooks", "0003_imported_kinds")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel("ImportedItem"), migrations.DeleteModel("ImportRun")]
        )
    ]
