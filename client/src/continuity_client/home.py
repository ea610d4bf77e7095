"""The client's files, in `$CONTINUITY_HOME` or `~/.continuity`. Imported by hooks, so it imports little."""

from __future__ import annotations

import json
import os
import stat
import time
from typing import Any

WINDOWS = os.name == "nt"
# On Windows a descriptor translates line ends unless it is opened as binary.
BINARY = getattr(os, "O_BINARY", 0)
SETTINGS_FILE, LOG_FILE = "client.json", "client.log"
LONGEST_LOG = 256_000


def home() -> str:
    """The directory of settings, spool and log."""
    return os.environ.get("CONTINUITY_HOME") or os.path.join(os.path.expanduser("~"), ".continuity")


def fallback_home() -> str:
    """A directory for the spool while the home is read-only or full."""
    user = getattr(os, "getuid", lambda: os.environ.get("USERNAME", "user"))()
    return os.path.join(os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp", f"continuity-{user}")  # noqa: S108  # checked by `is_private`


def is_private(directory: str) -> bool:
    """Whether a directory belongs to this user and nobody else can enter it."""
    try:
        status = os.lstat(directory)
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(status.st_mode)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


def make_private(directory: str) -> None:
    """Create a directory that only this user can enter."""
    os.makedirs(directory, mode=0o700, exist_ok=True)


def read_settings() -> dict[str, Any] | None:
    """The settings of the paired server, or None if no server is paired."""
    try:
        with open(os.path.join(home(), SETTINGS_FILE), encoding="utf-8") as file:
            settings = json.load(file)
    except (OSError, ValueError):
        return None
    if not isinstance(settings, dict) or not settings.get("url") or not settings.get("api_key"):
        return None
    return settings


def write_settings(settings: dict[str, Any]) -> str:
    """Store the settings so that only this user can read them; return the file's path."""
    make_private(home())
    path = os.path.join(home(), SETTINGS_FILE)
    temporary = f"{path}.{os.getpid()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(settings, file, indent=2)
        file.write("\n")
    os.replace(temporary, path)
    return path


def write_log(root: str, text: str) -> None:
    """Append a line to the log of a home, and start a new file when it is long. Never raises `OSError`."""
    path = os.path.join(root, LOG_FILE)
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {' '.join(text.split())}\n"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
        try:
            os.write(descriptor, line.encode("utf-8", "replace"))
            is_long = os.fstat(descriptor).st_size > LONGEST_LOG
        finally:
            os.close(descriptor)
        if is_long:
            os.replace(path, f"{path}.1")
    except OSError:
        return
