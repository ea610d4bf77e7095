"""The OpenAPI description as committed; `test_schema.py` proves that it is the server's."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

COMMITTED = Path(__file__).parents[2] / "frontend" / "openapi.json"


@cache
def committed_description() -> dict[str, Any]:
    """Read it; generating it takes seconds."""
    document: dict[str, Any] = json.loads(COMMITTED.read_text(encoding="utf-8"))
    return document
