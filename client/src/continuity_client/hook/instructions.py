"""Add the text of a file of instructions to the event that an agent has read it, so that no context repeats it."""

from __future__ import annotations

import os
import stat
from typing import Any

LONGEST_FILE = 200_000


def with_file(payload: dict[str, Any]) -> dict[str, Any]:
    """The event with the text of the Markdown file that it names, if that is a small file that can be read."""
    path = payload.get("file_path")
    if not isinstance(path, str) or not path.endswith(".md"):
        return payload
    try:
        # Opening a pipe could wait for ever.
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LONGEST_FILE:
            return payload
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return {**payload, "file_text": file.read(LONGEST_FILE)}
    except (OSError, ValueError):
        return payload
