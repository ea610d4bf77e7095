"""The lanes of `make test`: what can run at the same time. The longest come first."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

PYTHON = sys.executable
PLAIN = ("tests/engine", "apps/engine", "docs", "client/src", "tests/client")
"""The tests without servers; in a process of their own, so that no other one imports them."""
IN_BROWSER = "tests/browser"
SHARED = ("-p", "tests.sharing", "--numprocesses=3", "--dist=loadfile", "--no-loadscope-reorder")


@dataclass(frozen=True)
class Lane:
    """Commands that run one after the other."""

    name: str
    commands: tuple[tuple[str, ...], ...]


def lanes(report: Path) -> list[Lane]:
    """All lanes; each run of pytest writes a report into the folder."""

    def tests(name: str, *arguments: str) -> tuple[str, ...]:
        return (PYTHON, "-m", "pytest", *arguments, f"--report={report / name}.json")

    own = [path for path in (*PLAIN, IN_BROWSER) if path.startswith("tests/")]
    page = (PYTHON, "-m", "config.stack.frontend")
    return [
        Lane("servers", (tests("servers", "tests", *(f"--ignore={path}" for path in own), *SHARED),)),
        Lane("browser", ((*page, "build"), tests("browser", IN_BROWSER))),
        Lane("rules", (("make", "--no-print-directory", "server-rules"),)),
        Lane("page", tuple((*page, step) for step in ("lint", "check", "test"))),
        Lane("plain", (tests("plain", *PLAIN),)),
    ]
