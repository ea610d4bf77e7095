"""Words that are folded alike in texts and queries; what is indexed already is analyzed again by the sweep of the index."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.db import migrations, models

_FUNCTIONS = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0012_bank_indexes"), ("jobs", "0002_priorities")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="passage",
            name="words_version",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text="The version of the analysis that `words` are of."
            ),
        ),
        migrations.RunSQL(_FUNCTIONS, "DROP FUNCTION stemmed_words(text)"),
    ]
