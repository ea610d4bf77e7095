"""Child processes that never outlive their parent: launch, wait, stop, show the log."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

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
    """Return our environment without variables that would select another server or settings module."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PG") and name not in {"DJANGO_SETTINGS_MODULE", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    }


def launch(program: Program, output: Path | None = None) -> subprocess.Popen[bytes]:
    """Start a program in its own session; it ends when this thread does, so call this from the main thread."""
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
            preexec_fn=prepare,  # noqa: PLW1509 - both can only be set in the child
        )


class StopFlag:
    """Set by a signal and checked by every wait during start-up, so that a start can be interrupted."""

    def __init__(self) -> None:
        self.requested = False

    def request(self, *_: object) -> None:
        """Request a stop; usable as a signal handler."""
        self.requested = True

    def check(self) -> None:
        """Raise `StopRequested` if a stop was requested."""
        if self.requested:
            raise StopRequested


STOP = StopFlag()


def poll(true: Callable[[], bool], seconds: float, interval: float = 0.05) -> bool:
    """Poll a condition until it is true; return False after the timeout."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(interval)
    return True


def wait_until(true: Callable[[], bool], seconds: float, interval: float = 0.05) -> bool:
    """Poll like `poll`, but raise `StopRequested` when a stop is requested."""

    def checked() -> bool:
        STOP.check()
        return true()

    return poll(checked, seconds, interval)


def stop_all(children: Iterable[tuple[subprocess.Popen[bytes], signal.Signals]], seconds: float) -> None:
    """Signal every child to stop, wait for all of them, then kill what is left of their sessions."""
    waiting = list(children)
    for child, how in waiting:
        if child.poll() is None:
            child.send_signal(how)
    poll(lambda: all(child.poll() is not None for child, _ in waiting), seconds)
    for child, _ in waiting:
        end_session(child)


class Child(Protocol):
    """A started process, the first of a session."""

    @property
    def pid(self) -> int: ...

    def wait(self) -> int | None: ...


def end_session(child: Child) -> None:
    """Kill a child and the processes it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def run_once(program: Program, output: Path | None = None, seconds: float = 300) -> None:
    """Run a program to its end, with stdout to `output` if given; an error includes the end of its log."""
    with run_during(program, output, seconds):
        pass


@contextlib.contextmanager
def run_during(program: Program, output: Path | None = None, seconds: float = 300) -> Iterator[None]:
    """Run a program during the block, then wait for its end; an error includes the end of its log."""
    child = launch(program, output)
    try:
        yield
        wait_until(lambda: child.poll() is not None, seconds)
        code = child.returncode
    finally:
        end_session(child)
    if code is None:
        raise StackError(f"{program.name} did not end within {seconds:.0f} s; the end of its log:\n{log_end(program)}")
    if code != 0:
        raise StackError(f"{program.name} failed with exit code {code}; the end of its log:\n{log_end(program)}")


def log_end(program: Program, lines: int = 20) -> str:
    """Return the last lines of a program's log, each prefixed with its name."""
    try:
        text = program.log.read_text(errors="replace")
    except OSError:
        return ""
    return "\n".join(f"{program.name} | {line}" for line in text.splitlines()[-lines:])


def rotate(log: Path) -> None:
    """Rotate a large log; one older log remains."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".log.1"))
