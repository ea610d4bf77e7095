"""Start the detached process that sends the spool. At most one runs per home: it has a lock."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from continuity_client.home import WINDOWS

LOCK, RETRY_AT = "sender.lock", "retry-at"
LONGEST_PAUSE = 3_600
_STARTED: list[Any] = []
_SENDER = "import sys; sys.path.append(sys.argv[1]); from continuity_client.sender import main; main(sys.argv[2:])"


def start_sender(root: str, now: bool = False, may_fork: bool = True) -> None:
    """Start a sender unless one runs or, without `now`, the last one failed a short while ago.

    To fork is fast; a process with threads starts another one instead.
    """
    if not sys.executable or (not now and pauses(root)):
        return
    if WINDOWS or not may_fork:
        _start_process(root)
        return
    lock = take_lock(root)
    if lock is not None:
        _fork(root, lock)


def pauses(root: str) -> bool:
    """Whether senders pause after a failure: a file's time, in the future, is the end of the pause."""
    try:
        left = os.stat(os.path.join(root, RETRY_AT)).st_mtime - time.time()
    except OSError:
        return False
    return 0 < left <= LONGEST_PAUSE


def take_lock(root: str) -> int | None:
    """Take the sender's lock, which the kernel releases with the process; None if another process has it."""
    descriptor = os.open(os.path.join(root, LOCK), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if WINDOWS:
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # on Windows alone
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def release_lock(descriptor: int) -> None:
    """Release the lock at once: on Windows a closed file's locks may last a little longer."""
    if WINDOWS:
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # on Windows alone
    os.close(descriptor)


def _command(root: str, *more: str) -> list[str]:
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return [sys.executable, "-I", "-S", "-c", _SENDER, package, root, *more]


def _fork(root: str, lock: int) -> None:
    """Run the sender in a new session, without the agent's files: the agent waits until they are closed."""
    if os.fork():
        return
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        os.closerange(3, lock)
        os.closerange(lock + 1, 256)
        os.set_inheritable(lock, True)
        os.execv(sys.executable, _command(root, str(lock)))  # noqa: S606  # our own interpreter, without a shell
    finally:
        os._exit(0)


def _start_process(root: str) -> None:
    """Start a sender that takes the lock itself, and ends if another one has it."""
    import subprocess

    # An application must collect its children when they have ended.
    _STARTED[:] = [process for process in _STARTED if process.poll() is None]
    # On Windows: no console, and no part of the agent's process group, which it may end.
    flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    null = subprocess.DEVNULL
    process = subprocess.Popen(  # noqa: S603  # our own interpreter, without a shell
        _command(root),
        stdin=null,
        stdout=null,
        stderr=null,
        close_fds=True,
        creationflags=flags,
        start_new_session=not WINDOWS,
    )
    _STARTED.append(process)
