"""Temporary stack for a test or a demo, with its own home and port; stopped and removed afterwards."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from config.stack.client import Client
from config.stack.data_dir import Home, read_json
from config.stack.errors import StackError
from config.stack.process import PYTHON, Program, launch, stop_all, wait_until
from config.stack.services import ADDRESS, free_port

START_SECONDS = 180
STOP_SECONDS = 45


@dataclass
class TemporaryStack:
    """A stack started by `up` in its own process."""

    home: Home
    settings: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def program(self) -> Program:
        """`up` with the temporary home and port."""
        variables = {"CONTINUITY_HOME": str(self.home.path), "CONTINUITY_PORT": str(self.port), **self.settings}
        log = self.home.path / "up.log"
        return Program("up", [PYTHON, "-m", "config.stack", "up"], log, {**os.environ, **variables})

    @property
    def client(self) -> Client:
        """A client with the demo workspace's key."""
        return Client(f"http://{ADDRESS}:{self.port}", read_json(self.home.credentials_file)["api_key"])

    def start(self) -> float:
        """Start it and wait until it is ready; return the seconds taken."""
        began = time.monotonic()
        self.process = process = launch(self.program)
        wait_until(lambda: self._is_ready() or process.poll() is not None, START_SECONDS)
        if not self._is_ready():
            output = self.program.log.read_text(errors="replace")
            self.stop()
            raise StackError(f"The stack did not start:\n{output}")
        return round(time.monotonic() - began, 2)

    def _is_ready(self) -> bool:
        status = self.home.read_status()
        return self.process is not None and status.get("pid") == self.process.pid and status["state"] == "ready"

    def stop(self) -> None:
        """Stop it as Ctrl-C does, and wait for its end."""
        if self.process:
            stop_all([(self.process, signal.SIGTERM)], STOP_SECONDS)


@contextmanager
def temporary_stack(settings: dict[str, str] | None = None) -> Iterator[TemporaryStack]:
    """Yield a stack that is not started yet; stop it and remove its folder afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="continuity-"))
    stack = TemporaryStack(Home(folder), settings or {})
    try:
        yield stack
    finally:
        stack.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_stack(settings: dict[str, str] | None = None) -> Iterator[Client]:
    """Yield a client of the running stack, else of a temporary one with these settings."""
    home = Home.from_environment()
    status, known = home.read_status(), read_json(home.credentials_file)
    if home.is_locked() and status.get("state") == "ready" and "api_key" in known:
        yield Client(status["url"], known["api_key"])
        return
    print("No stack is running here; starting one for this run.", file=sys.stderr)
    with temporary_stack(settings) as stack:
        stack.start()
        yield stack.client
