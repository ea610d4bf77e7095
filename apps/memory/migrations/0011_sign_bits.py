"""The signs of every vector, beside it. The table of embeddings is locked while it is rewritten."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from apps.memory.models.passages import SignBitsField

# Plain storage from the first row on: a value in packed storage is copied each time that it is compared, and an index
# has values as the table stored them.
_ADD = """
ALTER TABLE mem_embeddings
    ADD COLUMN signs bit varying STORAGE PLAIN GENERATED ALWAYS AS (binary_quantize(vector)) STORED
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0010_index_sweeps")]
    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(_ADD, "ALTER TABLE mem_embeddings DROP COLUMN signs")],
            [
                migrations.AddField(
                    model_name="embedding",
                    name="signs",
                    field=models.GeneratedField(
                        db_persist=True,
                        expression=models.Func("vector", function="binary_quantize"),
                        output_field=SignBitsField(),
                    ),
                )
            ],
        )
    ]
