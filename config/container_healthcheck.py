"""What a container asks itself to know whether it is well: a page of its own, or its processes.

It runs every few seconds, so it keeps to the standard library. A process-level look is enough for worker and
dispatcher: that jobs really go round is what the web server's `/readyz` says.
"""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ADDRESS = "http://127.0.0.1:37777"
"""Inside a container the port is always this one."""
SECONDS = 4
ENDED = {"Z", "X"}


def main(arguments: list[str]) -> int:
    """`/path` asks that page; `word [n]` looks for at least n Python processes with that word in their command."""
    what, *least = arguments
    well = answers(ADDRESS + what) if what.startswith("/") else running(what) >= int((least or ["1"])[0])
    return 0 if well else 1


def answers(address: str) -> bool:
    """Whether a page answers with success."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=SECONDS):
            return True
    except (urllib.error.HTTPError, OSError):
        return False


def running(word: str, processes: Path = Path("/proc")) -> int:
    """How many Python processes that have not ended, besides this one, have the word among their arguments."""
    return sum(1 for argv in commands(processes) if is_python(argv) and word in map(last_part, argv[1:]))


def commands(processes: Path) -> Iterator[list[str]]:
    """The arguments of every living process, our own and those that end meanwhile left out."""
    for folder in processes.glob("[0-9]*"):
        try:
            argv = (folder / "cmdline").read_text(errors="replace").split("\0")
            state = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in ENDED and "config.container_healthcheck" not in argv:
            yield argv


def is_python(argv: list[str]) -> bool:
    """Not the container's init, which carries the same words."""
    return last_part(argv[0]).startswith("python")


def last_part(argument: str) -> str:
    """`celery` of `/opt/venv/bin/celery`."""
    return argument.rpartition("/")[2]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
