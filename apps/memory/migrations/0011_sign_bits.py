"""The signs of every vector in the index of its bank, and an index of passages by time.

The table of embeddings is rewritten, in about three seconds for 100,000 vectors.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from apps.memory.models.passages import SignBitsField


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0010_index_sweeps")]
    operations: ClassVar = [
        migrations.RemoveIndex(model_name="embedding", name="embedding_in_bank"),
        migrations.AddField(
            model_name="embedding",
            name="signs",
            field=models.GeneratedField(
                db_persist=True,
                expression=models.Func("vector", function="binary_quantize"),
                output_field=SignBitsField(),
            ),
        ),
        # A value in packed storage is copied each time that it is compared.
        migrations.RunSQL(
            "ALTER TABLE mem_embeddings ALTER COLUMN signs SET STORAGE PLAIN", migrations.RunSQL.noop
        ),
        migrations.AddIndex(
            model_name="embedding",
            index=models.Index(
                fields=["workspace", "bank", "space"], include=("passage", "signs"), name="embedding_in_bank"
            ),
        ),
        migrations.AddIndex(
            model_name="passage",
            index=models.Index(
                fields=["workspace", "bank", "occurred_at", "id"],
                include=("word_count", "node", "message", "user_memory"),
                name="passage_by_time",
            ),
        ),
    ]
