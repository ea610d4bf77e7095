"""What the system says about processes: whether one still lives, whose child it is, and how much memory it takes.

Processes rename themselves, so a family is followed by parent ids, and one process is told by its id and start time.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class ProcessId:
    """A process told apart from a later one that got the same number."""

    pid: int
    started: int


def _stat(pid: int) -> list[str]:
    """The fields of /proc/pid/stat after the name; nothing for a process that is gone."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def identify(pid: int) -> ProcessId | None:
    """The identity of a living process; a zombie lives no more."""
    fields = _stat(pid)
    if not fields or fields[0] in "ZX":
        return None
    return ProcessId(pid, int(fields[19]))


def is_alive(process: ProcessId) -> bool:
    """Whether this very process still runs."""
    return identify(process.pid) == process


def all_pids() -> list[int]:
    """Every process we can see."""
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def descendants(root: int) -> list[int]:
    """All processes below `root`, found by their parents."""
    parents = {pid: int(fields[1]) for pid in all_pids() if (fields := _stat(pid))}
    found: list[int] = []
    level = {root}
    while level:
        level = {pid for pid, parent in parents.items() if parent in level}
        found += sorted(level)
    return found


def naming(text: str) -> list[int]:
    """Processes, other than we and our ancestors, that carry `text` in their command or environment."""
    needle = text.encode()
    ours = {os.getpid(), os.getppid()}
    return [pid for pid in all_pids() if pid not in ours and (_carries(pid, needle)) and identify(pid)]


def _carries(pid: int, needle: bytes) -> bool:
    for source in ("cmdline", "environ"):
        try:
            if needle in (PROC / str(pid) / source).read_bytes():
                return True
        except OSError:
            continue
    return False


def memory_mb(pids: list[int]) -> float:
    """The memory of these processes together, shared pages counted once (PSS)."""
    return round(sum(_pss_kb(pid) for pid in pids) / 1024, 1)


def _pss_kb(pid: int) -> int:
    try:
        rollup = (PROC / str(pid) / "smaps_rollup").read_text()
    except OSError:
        return 0
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(found.group(1)) if found else 0
