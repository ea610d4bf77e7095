"""Real workers and dispatchers for tests, as processes that can be stopped or killed and never outlive the run."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from config.stack.process import PYTHON, Program, clean_environment, end_session, poll
from config.stack.services import free_port
from tests.forked import Forked, ForkServers
from tests.stack import SERVERS

_WORKER = [PYTHON, "-m", "celery", "-A", "config.celery", "worker", "-P", "prefork", "-l", "INFO"]
_QUIET = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
_WEB = [PYTHON, "-m", "config.web_server"]
_DISPATCHER = [PYTHON, "manage.py", "dispatch"]
_SETTINGS = {
    "REMAP_SIGTERM": "SIGQUIT",
    "CELERY_SKIP_CHECKS": "1",
    "C_FORCE_ROOT": "1",
    "CONTINUITY_WORKERS": "1",
}
_PREPARED = {
    "worker": ("config.celery", "apps.jobs.tasks"),
    "web": ("config.asgi", "config.urls"),
    "dispatcher": ("config.celery", "apps.jobs.management.commands.dispatch"),
}
"""What a program imports after it has read its settings."""
_numbers = itertools.count(1)
fork_servers = ForkServers(SERVERS.home)


@dataclass
class Running:
    """A process with all its children; its log is in the run's folder."""

    program: Program
    process: Forked | subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self.process.pid

    def log(self) -> str:
        return self.program.log.read_text(errors="replace")

    def children(self) -> list[int]:
        """The processes it has started, as the kernel knows them."""
        text = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return [int(pid) for pid in text.split()]

    def wait_for_log(self, words: str, seconds: float = 20) -> None:
        assert poll(lambda: words in self.log(), seconds), f"no {words!r} in:\n{self.log()[-3000:]}"

    def kill9(self) -> None:
        """As the kernel does when memory runs out: no warning, no clean-up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, seconds: float = 15) -> None:
        """Terminate it, and make sure that no child is left."""
        self.process.terminate()
        poll(lambda: self.process.poll() is not None, seconds)
        end_session(self.process)


@dataclass
class Web(Running):
    """A web server and its address."""

    url: str = ""


def start_worker(**environment: str) -> Running:
    """A Celery worker with one child, ready to work."""
    worker = Running(*_start("worker", [*_WORKER, *_QUIET], "tests.worker_settings", environment))
    worker.wait_for_log(" ready.")
    return worker


def start_dispatcher(**environment: str) -> Running:
    """A dispatcher that has begun its rounds."""
    dispatcher = Running(*_start("dispatcher", _DISPATCHER, "tests.worker_settings", environment))
    dispatcher.wait_for_log("dispatcher.started")
    return dispatcher


def start_web(**environment: str) -> Web:
    """A web server of its own, on a free port."""
    port = free_port()
    started = _start("web", [*_WEB, "--port", str(port)], "tests.web_settings", environment)
    web = Web(*started, f"http://127.0.0.1:{port}")
    web.wait_for_log("Application startup complete")
    return web


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that only waits for its parent to notice has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def eventually(true: Callable[[], bool], seconds: float = 20) -> bool:
    """Return whether a condition becomes true within some seconds."""
    return poll(true, seconds, interval=0.02)


def _start(name: str, argv: list[str], settings: str, environment: dict[str, str]) -> tuple[Program, Forked]:
    """Start a program, forked with everything imported: only the first one of an environment has to import it."""
    log = SERVERS.home / "logs" / f"{name}-{os.getpid()}-{next(_numbers)}.log"
    told = {**clean_environment(), **_SETTINGS, "DJANGO_SETTINGS_MODULE": settings, **environment}
    program = Program(name, argv, log, told)
    return program, fork_servers.start(program, _PREPARED[name])
