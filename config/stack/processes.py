"""Read /proc: whether a process is alive, its descendants, and its memory.

Processes rename themselves, so descendants are found by parent ids, and a process is identified by id and start time.
"""

import ctypes
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class ProcessId:
    """A process, distinct from a later one with the same pid."""

    pid: int
    started: int


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/pid/stat after the name; none for a process that ended."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def identify(pid: int) -> ProcessId | None:
    """Return the identity of a live process; None for a zombie."""
    fields = _stat(pid)
    if not fields or fields[0] in "ZX":
        return None
    return ProcessId(pid, int(fields[19]))


def is_alive(process: ProcessId) -> bool:
    """Return whether this process still runs."""
    return identify(process.pid) == process


def all_pids() -> list[int]:
    """Return all visible processes."""
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def descendants(root: int) -> list[int]:
    """Return all descendants of `root`."""
    parents = {pid: int(fields[1]) for pid in all_pids() if (fields := _stat(pid))}
    found: list[int] = []
    level = {root}
    while level:
        level = {pid for pid, parent in parents.items() if parent in level}
        found += sorted(level)
    return found


def cpu_s(pid: int) -> float:
    """Return the seconds of processor time of a process and its threads; raise `ProcessLookupError` if it ended.

    By its clock, which counts nanoseconds; /proc/pid/stat counts hundredths of a second.
    """
    clock = ctypes.c_int()
    if error := ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise OSError(error, os.strerror(error))
    return time.clock_gettime(clock.value)


def naming(text: str) -> list[int]:
    """Return other processes with `text` in their command line or environment."""
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
    """Return the total memory of the processes in MB, with shared pages counted once (PSS)."""
    return round(sum(_pss_kb(pid) for pid in pids) / 1024, 1)


def _pss_kb(pid: int) -> int:
    try:
        rollup = (PROC / str(pid) / "smaps_rollup").read_text()
    except OSError:
        return 0
    match = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(match.group(1)) if match else 0
