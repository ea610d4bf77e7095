"""Texts of tool messages in the index."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0004_inbox")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="passage",
            name="tool_text",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
    ]
