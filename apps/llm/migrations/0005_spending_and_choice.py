import apps.common.ids
import apps.common.tenancy
import django.db.models.deletion
from django.db import migrations, models

from apps.common.rls import close_table


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_context_settings'),
        ('llm', '0004_model_calibration'),
    ]

    operations = [
        migrations.AddField(
            model_name='modelusage',
            name='cost_micros',
            field=models.PositiveBigIntegerField(blank=True, help_text='Millionths of a dollar by the price file; empty where it knows no price.', null=True),
        ),
        migrations.CreateModel(
            name='ModelSettings',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('backend', models.CharField(blank=True, choices=[('claude-cli', 'claude-cli'), ('ollama', 'ollama'), ('anthropic', 'anthropic'), ('gemini', 'gemini'), ('openrouter', 'openrouter'), ('openai', 'openai'), ('compatible', 'compatible'), ('offline', 'offline')], max_length=12)),
                ('by_purpose', models.JSONField(blank=True, default=dict, help_text='Names of models by purpose.')),
                ('local_allowed', models.BooleanField(default=False, help_text="May use this server's own Claude CLI and Ollama. Operators decide.", verbose_name='local models')),
                ('version', models.PositiveIntegerField(default=0)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
            ],
            options={
                'verbose_name_plural': 'model settings',
                'constraints': [models.UniqueConstraint(fields=('workspace',), name='model_settings_once')],
            },
        ),
        migrations.CreateModel(
            name='ProviderKey',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('backend', models.CharField(choices=[('claude-cli', 'claude-cli'), ('ollama', 'ollama'), ('anthropic', 'anthropic'), ('gemini', 'gemini'), ('openrouter', 'openrouter'), ('openai', 'openai'), ('compatible', 'compatible'), ('offline', 'offline')], max_length=12)),
                ('sealed', models.BinaryField()),
                ('last_four', models.CharField(max_length=4)),
                ('base_url', models.CharField(blank=True, help_text="Empty: the provider's own address.", max_length=300)),
                ('tested_at', models.DateTimeField(blank=True, help_text='When the provider last accepted it.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('workspace', 'backend'), name='provider_key_once')],
            },
        ),
        migrations.CreateModel(
            name='RejectedAnswer',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('purpose', models.CharField(choices=[('chat', 'Chat'), ('compaction', 'Compaction'), ('extraction', 'Extraction'), ('merge', 'Merge'), ('intent', 'Intent')], max_length=12)),
                ('model', models.CharField(max_length=120)),
                ('problem', models.CharField(max_length=500)),
                ('text', models.TextField()),
                ('conversation_id', models.UUIDField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
            ],
            options={
                'indexes': [models.Index(fields=['workspace', 'created_at'], name='rejected_answer_by_time'), models.Index(fields=['workspace', 'conversation_id'], name='rejected_answer_of')],
            },
        ),
        migrations.CreateModel(
            name='SpendDay',
            fields=[
                ('id', models.UUIDField(default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('day', models.DateField()),
                ('tokens', models.BigIntegerField(default=0)),
                ('cost_micros', models.BigIntegerField(default=0, help_text='Millionths of a dollar.')),
                ('workspace', models.ForeignKey(db_index=False, default=apps.common.tenancy.current_workspace_id, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('workspace', 'day'), name='spend_day_once')],
            },
        ),
        close_table("llm_modelsettings"),
        close_table("llm_providerkey"),
        close_table("llm_spendday"),
        close_table("llm_rejectedanswer"),
    ]
