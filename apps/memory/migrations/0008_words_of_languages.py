"""The words of what is indexed already, in its language."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.db import migrations

from apps.common.migration_batches import in_batches

_CHANGE = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [("memory", "0007_index_tools"), ("conversations", "0007_used_count")]
    operations: ClassVar = [in_batches("mem_passages", _CHANGE, size=500)]
