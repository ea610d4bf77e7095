"""Time and memory of the reader, in a process of its own with nothing else in it, on one processor core.

Messages of people at work are read one after the other, and in batches as imports are. The floor is what the
multiplications of one message take in floats, by numpy: the ratio holds on any machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import Any

from config.stack.process import PYTHON, ROOT

PROGRAM = "bench._reading"


def measure() -> dict[str, Any]:
    print("Converting the reader into an empty folder, then measuring it.", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="continuity-") as folder:
        first, later = _line(folder), _line(folder)
    return later | {"convert_and_load_ms": first["load_ms"]}


def _line(folder: str) -> dict[str, Any]:
    """Measure in a process of its own; the first one converts the reader."""
    command = [PYTHON, "-m", PROGRAM, folder]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)  # noqa: S603  # our own program
    line: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return line
