"""The tables of imports, which `apps.agents` created, with their content types, so that permissions stay granted."""

import apps.common.ids
import apps.common.tenancy
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


MODELS = ("importrun", "importeditem")


def content_types_move(apps, schema_editor, before="hooks", after="transfer"):
    content_types = apps.get_model("contenttypes", "ContentType").objects
    content_types.filter(app_label=before, model__in=MODELS).update(app_label=after)


def content_types_return(apps, schema_editor):
    content_types_move(apps, schema_editor, before="transfer", after="hooks")


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0007_time_zone'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('hooks', '0004_imports_in_transfer'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='ImportedItem',
                    fields=[
                        ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('source', models.CharField(max_length=16)),
                        ('key', models.CharField(max_length=200)),
                        ('kind', models.CharField(max_length=32)),
                        ('digest', models.CharField(help_text="Of the item's fields.", max_length=64)),
                        ('status', models.CharField(choices=[('created', 'Created'), ('existing', 'Existing'), ('skipped', 'Skipped'), ('refused', 'Refused')], max_length=8)),
                        ('reason', models.CharField(blank=True, max_length=60)),
                        ('run', models.UUIDField(blank=True, null=True)),
                        ('last_run', models.UUIDField()),
                        ('node', models.UUIDField(blank=True, null=True)),
                        ('conversation', models.UUIDField(blank=True, null=True)),
                        ('session', models.UUIDField(blank=True, null=True)),
                        ('message_count', models.PositiveIntegerField(default=0)),
                        ('problems', models.JSONField(blank=True, default=list, help_text='Damaged lines and messages: number, code, detail.')),
                        ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('workspace', models.ForeignKey(db_constraint=False, db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                    ],
                    options={
                        'db_table': 'hooks_importeditem',
                        'indexes': [models.Index(fields=['workspace', 'user', 'run'], name='imported_item_of_run'), models.Index(fields=['workspace', 'user', 'last_run'], name='imported_item_of_last_run')],
                        'constraints': [models.UniqueConstraint(fields=('workspace', 'user', 'source', 'key'), name='imported_item_once')],
                    },
                ),
                migrations.CreateModel(
                    name='ImportRun',
                    fields=[
                        ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('import_id', models.UUIDField()),
                        ('source', models.CharField(max_length=16)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('updated_at', models.DateTimeField(auto_now=True)),
                        ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                    ],
                    options={
                        'db_table': 'hooks_importrun',
                        'constraints': [models.UniqueConstraint(fields=('workspace', 'user', 'import_id'), name='import_run_once')],
                    },
                ),
            ]
        ),
        migrations.RunPython(content_types_move, content_types_return),
    ]
