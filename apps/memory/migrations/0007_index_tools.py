"""Conversations with tool messages are indexed again from the first of them on."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.db import migrations

from apps.common.migration_batches import in_batches

_CHANGE = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [
        ("conversations", "0006_others_could_write"),
        ("jobs", "0002_priorities"),
        ("memory", "0006_search_words"),
    ]
    operations: ClassVar = [in_batches("conversations_conversation", _CHANGE, size=50)]
