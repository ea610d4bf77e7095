"""Passages of user memory, so that searches find it too. The next sweep indexes the items that exist already."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("accounts", "0004_tour_done"),
        ("conversations", "0004_fork_index"),
        ("memory", "0001_initial"),
    ]
    operations: ClassVar = [
        migrations.RemoveConstraint(model_name="passage", name="passage_of_one_thing"),
        migrations.AddField(
            model_name="passage",
            name="user_memory",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="memory.usermemory",
            ),
        ),
        migrations.AddConstraint(
            model_name="passage",
            constraint=models.UniqueConstraint(
                condition=models.Q(("user_memory__isnull", False)),
                fields=("workspace", "user_memory"),
                name="passage_of_user_memory_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="passage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("message__isnull", True), ("node__isnull", False), ("user_memory__isnull", True)),
                    models.Q(("message__isnull", False), ("node__isnull", True), ("user_memory__isnull", True)),
                    models.Q(("message__isnull", True), ("node__isnull", True), ("user_memory__isnull", False)),
                    _connector="OR",
                ),
                name="passage_of_one_thing",
            ),
        ),
    ]
