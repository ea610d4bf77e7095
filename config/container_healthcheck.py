"""Container health check: request a path of the web server, or count processes.

It runs every few seconds, so it uses the standard library alone. Counting processes is enough for worker and
dispatcher: the web server's `/readyz` checks that jobs make the round trip.
"""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ADDRESS = "http://127.0.0.1:37777"
"""The port inside a container is fixed."""
SECONDS = 4
ENDED = {"Z", "X"}


def main(arguments: list[str]) -> int:
    """`/path` requests that path; `word [n]` requires at least n Python processes with that argument."""
    target, *minimum = arguments
    if target.startswith("/"):
        return 0 if answers(ADDRESS + target) else 1
    return 0 if running(target) >= int((minimum or ["1"])[0]) else 1


def answers(address: str) -> bool:
    """Return whether the URL answers with success."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=SECONDS):
            return True
    except (urllib.error.HTTPError, OSError):
        return False


def running(word: str, processes: Path = Path("/proc")) -> int:
    """Return the number of live Python processes, except this one, that have the word among their arguments."""
    return sum(1 for argv in commands(processes) if is_python(argv) and word in map(last_part, argv[1:]))


def commands(processes: Path) -> Iterator[list[str]]:
    """Yield the arguments of every live process except this one; skip processes that end during the scan."""
    for folder in processes.glob("[0-9]*"):
        try:
            argv = (folder / "cmdline").read_text(errors="replace").split("\0")
            state = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in ENDED and "config.container_healthcheck" not in argv:
            yield argv


def is_python(argv: list[str]) -> bool:
    """Return whether it is Python, not the container's init, which has the same arguments."""
    return last_part(argv[0]).startswith("python")


def last_part(argument: str) -> str:
    """Return `celery` for `/opt/venv/bin/celery`."""
    return argument.rpartition("/")[2]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
