import django.db.models.deletion
from django.db import migrations, models

import apps.common.ids
import apps.common.tenancy
from apps.common.rls import close_table


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_close_tables"), ("llm", "0003_usage_of_message")]

    operations = [
        migrations.CreateModel(
            name="ModelCalibration",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=apps.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("model", models.CharField(max_length=120)),
                ("estimator", models.CharField(max_length=40)),
                ("reported_tokens", models.PositiveBigIntegerField()),
                ("estimated_tokens", models.PositiveBigIntegerField()),
                ("calls", models.PositiveIntegerField()),
                (
                    "percent",
                    models.PositiveSmallIntegerField(
                        help_text="Tokens of the provider for a hundred of the estimator."
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("workspace", "model", "estimator"), name="model_calibration_once"
                    )
                ],
            },
        ),
        close_table("llm_modelcalibration"),
    ]
