"""The functions that find a text's words in its language."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.db import migrations

_FORWARD = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
_BACKWARD = """
DROP FUNCTION search_words(text);
DROP FUNCTION character_pairs(text);
DROP FUNCTION text_language(text);
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0005_tool_texts")]
    operations: ClassVar = [migrations.RunSQL(_FORWARD, _BACKWARD)]
