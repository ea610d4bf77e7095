import apps.common.ids
import apps.common.tenancy
import django.db.models.deletion
from django.db import migrations, models

from apps.common.rls import close_table


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
        ('compaction', '0003_corrections_and_stages'),
        ('conversations', '0007_list_lately_active'),
    ]

    operations = [
        migrations.CreateModel(
            name='SegmentSummary',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('level', models.PositiveSmallIntegerField()),
                ('ordinal', models.PositiveIntegerField()),
                ('first_index', models.PositiveIntegerField()),
                ('last_index', models.PositiveIntegerField()),
                ('tokens_through', models.BigIntegerField(help_text='Of the conversation up to its last message, as it was closed.')),
                ('text', models.TextField(blank=True)),
                ('source_hash', models.CharField(blank=True, help_text='Names what the text was made of.', max_length=32)),
                ('prompt_version', models.CharField(blank=True, max_length=20)),
                ('model', models.CharField(blank=True, help_text='Who made the text.', max_length=120)),
                ('tries_left', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('conversation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='conversations.conversation')),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
            ],
            options={
                'verbose_name_plural': 'segment summaries',
                'indexes': [models.Index(fields=['workspace', 'conversation', 'level', '-first_index'], name='segment_newest'), models.Index(condition=models.Q(('source_hash', '')), fields=['workspace', 'conversation', '-first_index', 'level'], name='segment_to_tell'), models.Index(condition=models.Q(('tries_left__gt', 0)), fields=['workspace', 'conversation', '-first_index', 'level'], name='segment_to_better')],
                'constraints': [models.UniqueConstraint(fields=('workspace', 'conversation', 'level', 'ordinal'), name='segment_once')],
            },
        ),
        close_table("compaction_segmentsummary"),
    ]
