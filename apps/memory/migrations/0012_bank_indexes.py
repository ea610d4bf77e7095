"""The signs in the index of their bank, and an index of passages by time, built beside reads and writes."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [("memory", "0011_sign_bits")]
    operations: ClassVar = [
        # Of a migration that was interrupted: an index that is not complete keeps its name.
        migrations.RunSQL(
            [
                "DROP INDEX CONCURRENTLY IF EXISTS embedding_signs_in_bank",
                "DROP INDEX CONCURRENTLY IF EXISTS passage_by_time",
            ],
            migrations.RunSQL.noop,
        ),
        AddIndexConcurrently(
            model_name="embedding",
            index=models.Index(
                fields=["workspace", "bank", "space"], include=("passage", "signs"), name="embedding_signs_in_bank"
            ),
        ),
        RemoveIndexConcurrently(model_name="embedding", name="embedding_in_bank"),
        AddIndexConcurrently(
            model_name="passage",
            index=models.Index(
                fields=["workspace", "bank", "occurred_at", "id"],
                include=("word_count", "node", "message", "user_memory"),
                name="passage_by_time",
            ),
        ),
    ]
