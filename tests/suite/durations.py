"""How long each test file takes, recorded by `make durations`; a run begins with the longest."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("durations.json")
LEAST_S = 1.0
"""What is shorter is not recorded; a file that is not known may be as long."""


def record(reports: list[dict[str, Any]]) -> None:
    """Write the durations of a run."""
    files = {file: round(seconds) for report in reports for file, seconds in report["files"].items()}
    longest = {file: seconds for file, seconds in sorted(files.items()) if seconds > LEAST_S}
    FILE.write_text(json.dumps(longest, indent=1) + "\n")


def duration(file: str) -> float:
    """The seconds that a test file took, or a guess."""
    return recorded().get(file, LEAST_S)


@cache
def recorded() -> dict[str, float]:
    durations: dict[str, float] = json.loads(FILE.read_text())
    return durations
