from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('compaction', '0004_segment_summaries'),
    ]

    operations = [
        migrations.AddField(
            model_name='compactionrun',
            name='fell_back',
            field=models.CharField(blank=True, db_default='', help_text='Why the engine wrote it though a model is configured.', max_length=20),
        ),
        migrations.AddField(
            model_name='summaryversion',
            name='gone',
            field=models.JSONField(db_default=[], default=list, help_text='Lines that left with this version, and why.'),
        ),
    ]
