import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.ids
import apps.common.tenancy
from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_close_tables")]

    operations = [
        migrations.CreateModel(
            name="ContextSettings",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "knowledge_depth",
                    models.CharField(
                        choices=[("minimal", "minimal"), ("standard", "standard"), ("deep", "deep")],
                        default="standard",
                        max_length=8,
                    ),
                ),
                ("history_first", models.BooleanField(default=False)),
                (
                    "token_budget",
                    models.PositiveIntegerField(blank=True, help_text="Empty: the workspace's.", null=True),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        default=apps.common.tenancy.current_workspace_id,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "context settings",
                "constraints": [models.UniqueConstraint(fields=("workspace", "user"), name="context_settings_once")],
            },
        ),
        close_table("accounts_contextsettings"),
    ]
