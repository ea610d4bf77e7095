"""The spool: events on disk, one file each, until a sender delivered them.

Files are named `<time>-<size>-<id>.json`, so names alone state their order and what they need. A full spool refuses new
events, which are counted: the oldest ones are the beginning of a story.
"""

from __future__ import annotations

import os
import time
from typing import NamedTuple

from continuity_client.home import BINARY, fallback_home, home, is_private, make_private

SPOOL, REFUSED, FULL_COUNT, LOST_COUNT = "spool", "refused", "spool-full", "lost"
MOST_EVENTS, MOST_BYTES = 5_000, 100_000_000
LONGEST_EVENT = 1_000_000
READY, WAITING = ".json", ".wait"
# The key of the reason in the file of a refused event.
REASON = "refused_because"


class SpoolFull(Exception):
    """The spool has no room for another event."""


class Stored(NamedTuple):
    """An event in the spool: the home it is in, and its file."""

    root: str
    path: str


def new_id() -> str:
    """A random UUID, without the import of a module for it."""
    raw = bytearray(os.urandom(16))
    raw[6], raw[8] = raw[6] & 0x0F | 0x40, raw[8] & 0x3F | 0x80
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def store(body: bytes, event_id: str, waiting: bool = False) -> Stored:
    """Store an event in the home's spool, or in the fallback's if the home cannot be written.

    A waiting event is being sent right now; a sender adopts it if it still waits after half a minute.
    """
    try:
        return _store_in(home(), body, event_id, waiting)
    except OSError:
        root = fallback_home()
        make_private(root)
        if not is_private(root):
            raise
        return _store_in(root, body, event_id, waiting)


def release(stored: Stored) -> None:
    """Leave a waiting event to the sender."""
    os.rename(stored.path, stored.path[: -len(WAITING)] + READY)


def files_in(root: str) -> list[str]:
    """Names of the spooled files in the order of time, without those that are being written."""
    try:
        names = os.listdir(os.path.join(root, SPOOL))
    except OSError:
        return []
    return sorted(name for name in names if name.endswith((READY, WAITING)) and not name.startswith("."))


def size_of(name: str) -> int:
    """The size that a file's name states; 0 if it states none."""
    parts = name.split("-", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else 0


def time_of(name: str) -> float:
    """The time at which a file's event was recorded, in seconds."""
    stamp = name.split("-", 1)[0]
    return int(stamp) / 1e9 if stamp.isdigit() else 0.0


def _store_in(root: str, body: bytes, event_id: str, waiting: bool) -> Stored:
    folder = os.path.join(root, SPOOL)
    if not os.path.isdir(folder):
        make_private(folder)
    _check_room(root, len(body))
    name = f"{time.time_ns():020d}-{len(body)}-{event_id}"
    temporary = os.path.join(folder, f".{name}")
    write_private(temporary, body)
    path = os.path.join(folder, name + (WAITING if waiting else READY))
    os.rename(temporary, path)
    return Stored(root, path)


def _check_room(root: str, size: int) -> None:
    names = files_in(root)
    if len(names) >= MOST_EVENTS or sum(map(size_of, names)) + size > MOST_BYTES:
        _count(os.path.join(root, FULL_COUNT))
        raise SpoolFull(f"The spool is full with {len(names)} events.")


def count_lost() -> None:
    """Count an event that an error or a deadline kept out of the spool, where that is possible."""
    for root in (home(), fallback_home()):
        if root == fallback_home() and not is_private(root):
            return
        try:
            _count(os.path.join(root, LOST_COUNT))
            return
        except OSError:
            continue


def _count(path: str) -> None:
    """Add one byte to a file whose size is the count."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(descriptor, b".")
    os.close(descriptor)


def write_private(path: str, body: bytes) -> None:
    """Write a new file that only this user can read, or none."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
    try:
        written = 0
        while written < len(body):
            written += os.write(descriptor, body[written:])
    except OSError:
        os.unlink(path)
        raise
    finally:
        os.close(descriptor)
