from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("compaction", "0002_close_tables")]

    operations = [
        migrations.AddField(
            model_name="compactionrun",
            name="at_index",
            field=models.PositiveIntegerField(blank=True, help_text="The newest index when it began.", null=True),
        ),
        migrations.AddField(
            model_name="compactionrun",
            name="stage",
            field=models.CharField(blank=True, db_default="", help_text="How far a running one is.", max_length=10),
        ),
        migrations.AlterField(
            model_name="compactionrun",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("running", "Running"),
                    ("succeeded", "Succeeded"),
                    ("failed", "Failed"),
                    ("undone", "Undone"),
                    ("stopped", "Stopped"),
                ],
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="summaryversion",
            name="cause",
            field=models.CharField(
                choices=[
                    ("compaction", "Compaction"),
                    ("exclusion", "Exclusion"),
                    ("undo", "Undo"),
                    ("fork", "Fork"),
                    ("correction", "Correction"),
                ],
                max_length=10,
            ),
        ),
    ]
