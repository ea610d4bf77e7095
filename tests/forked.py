"""Programs that start quickly: forked by servers that have imported what the programs need (`tests/fork_server.py`)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from config.stack.child_user import LIBC
from config.stack.process import PYTHON, Program, launch, poll

PR_SET_CHILD_SUBREAPER = 36
START_S = 60
_SERVER = "tests.fork_server"


@dataclass
class Forked:
    """A running program, a child of this process and the first of a session."""

    pid: int
    returncode: int | None = field(default=None, init=False)

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, seconds: float = 60) -> int | None:
        """Wait for the end; return the exit code."""
        assert poll(lambda: self.poll() is not None, seconds, interval=0.01), f"process {self.pid} does not end"
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class ForkServers:
    """The fork servers of this process, each started when it is first needed; they end with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.first: subprocess.Popen[bytes] | None = None

    def start(self, program: Program, modules: Sequence[str] = ()) -> Forked:
        """Start a program from a server that has these modules, and has read its settings from the same environment."""
        return fork(self.base() if not modules else self.prepared(program, modules), program)

    def base(self) -> Path:
        """The socket of the server that has imported packages alone."""
        path = self.folder / "fork"
        if not path.exists():
            # Orphans become children of this process, instead of the first process of the machine.
            LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            argv = [PYTHON, "-m", _SERVER, str(path)]
            self.first = launch(Program("fork", argv, self.log(path), dict(os.environ)))
            self.wait_for(path)
        return path

    def prepared(self, program: Program, modules: Sequence[str]) -> Path:
        """The socket of a server that has also imported these modules, in the program's environment."""
        told = sha256(json.dumps(program.environment, sort_keys=True).encode()).hexdigest()[:8]
        path = self.folder / f"fork-{program.name}-{told}"
        if not path.exists():
            argv = [PYTHON, "-m", _SERVER, str(path), *modules]
            fork(self.base(), Program(path.name, argv, self.log(path), program.environment))
            self.wait_for(path)
        return path

    def log(self, path: Path) -> Path:
        return self.folder / "logs" / f"{path.name}.log"

    def wait_for(self, path: Path) -> None:
        assert poll(path.exists, START_S), self.log(path).read_text()


def fork(server: Path, program: Program) -> Forked:
    """Ask the server at a socket for a program."""
    request = {
        "argv": program.argv[1:],
        "environment": program.environment,
        "log": str(program.log),
        "parent": os.getpid(),
        "death_signal": program.death_signal,
    }
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server))
        connection.sendall(json.dumps(request).encode() + b"\n")
        answer = connection.makefile().readline()
    assert answer, f"{program.name} was not started"
    return Forked(int(answer))
