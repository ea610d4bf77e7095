"""Child processes that never outlive their parent, and what to do with them: launch, wait, stop, show the log."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from config.stack.child_user import OURSELVES, Identity, die_with
from config.stack.errors import StackError, StopRequested

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
LOG_LIMIT = 5_000_000


@dataclass(frozen=True)
class Program:
    """One program as the stack runs it."""

    name: str
    argv: list[str]
    log: Path
    environment: dict[str, str]
    folder: Path = ROOT
    identity: Identity = OURSELVES
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGTERM


def clean_environment() -> dict[str, str]:
    """Everything we were given except settings that would lead a child to another server or settings module."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PG") and name not in {"DJANGO_SETTINGS_MODULE", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    }


def launch(program: Program, output: Path | None = None) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, tied to us. Only from the main thread: the tie is to the thread."""
    parent = os.getpid()

    def prepare() -> None:
        program.identity.assume()
        die_with(parent, program.death_signal)

    with program.log.open("ab") as log, (output or program.log).open("ab") as out:
        return subprocess.Popen(
            program.argv,
            env=program.environment,
            cwd=program.folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=log,
            start_new_session=True,
            preexec_fn=prepare,  # noqa: PLW1509 - identity and tie can only be taken in the child
        )


class StopFlag:
    """Set by a signal; every wait of the start heeds it, so that a start can be given up at any point."""

    def __init__(self) -> None:
        self.requested = False

    def request(self, *_: object) -> None:
        """Note the wish to stop; usable as a signal handler."""
        self.requested = True

    def heed(self) -> None:
        """Give up the start if somebody asked for it."""
        if self.requested:
            raise StopRequested


STOP = StopFlag()


def poll(true: Callable[[], bool], seconds: float, interval: float = 0.05) -> bool:
    """Ask again and again whether something holds, until it does or the time is over."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(interval)
    return True


def wait_until(true: Callable[[], bool], seconds: float, interval: float = 0.05) -> bool:
    """The same while starting: a request to stop ends the wait."""

    def heedful() -> bool:
        STOP.heed()
        return true()

    return poll(heedful, seconds, interval)


def stop_all(children: Iterable[tuple[subprocess.Popen[bytes], signal.Signals]], seconds: float) -> None:
    """Ask every child to stop, give them some seconds together, then end what is left of their sessions."""
    waiting = list(children)
    for child, how in waiting:
        if child.poll() is None:
            child.send_signal(how)
    poll(lambda: all(child.poll() is not None for child, _ in waiting), seconds)
    for child, _ in waiting:
        end_session(child)


def end_session(child: subprocess.Popen[bytes]) -> None:
    """Kill whatever remains of a child and of the processes it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def run_once(program: Program, output: Path | None = None, seconds: float = 300) -> None:
    """Run a program to its end, its standard output to `output` if given; a failure shows the end of its log."""
    child = launch(program, output)
    try:
        wait_until(lambda: child.poll() is not None, seconds)
        code = child.returncode
    finally:
        end_session(child)
    if code is None:
        raise StackError(f"{program.name} did not end within {seconds:.0f} s; the end of its log:\n{log_end(program)}")
    if code != 0:
        raise StackError(f"{program.name} failed with exit code {code}; the end of its log:\n{log_end(program)}")


def log_end(program: Program, lines: int = 20) -> str:
    """The last lines of a program's log, each marked with the program's name."""
    try:
        text = program.log.read_text(errors="replace")
    except OSError:
        return ""
    return "\n".join(f"{program.name} | {line}" for line in text.splitlines()[-lines:])


def rotate(log: Path) -> None:
    """Keep one older log when the present one has grown large."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".log.1"))
