"""Starts the stack in order, keeps it running, and stops it in order: nothing it started outlives it."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from config.stack.child_user import die_with
from config.stack.client import Client
from config.stack.data_dir import read_json, write_private
from config.stack.errors import StackError, StopRequested
from config.stack.postgres import Postgres
from config.stack.process import (
    STOP,
    Program,
    end_session,
    launch,
    log_end,
    poll,
    rotate,
    run_once,
    stop_all,
    wait_until,
)
from config.stack.processes import ProcessId, identify, is_alive
from config.stack.redis import Redis
from config.stack.services import Services, is_marked, static_mark

SERVER_SECONDS = 30
READY_SECONDS = 90
STOP_SECONDS = 8
ORPHAN_SECONDS = 10
HEALTHY_SECONDS = 60
LONGEST_PAUSE = 30
CRASHES_WHILE_STARTING = 3
NO_MODEL = {"CONTINUITY_MODEL_PROVIDER": "offline"}


def say(text: str) -> None:
    """Tell the person at the terminal, who may have gone."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


@dataclass
class Child:
    """A program that is kept running."""

    program: Program
    process: subprocess.Popen[bytes]
    since: float = field(default_factory=time.monotonic)
    failures: int = 0
    again_at: float | None = None

    def has_died(self) -> bool:
        """Whether it ended and nobody has dealt with it yet."""
        return self.again_at is None and self.process.poll() is not None

    def note_death(self) -> None:
        """Plan its restart: at once-ish the first time, ever later when it keeps failing."""
        now = time.monotonic()
        self.failures = 1 if now - self.since > HEALTHY_SECONDS else self.failures + 1
        self.again_at = now + min(LONGEST_PAUSE, 0.5 * 2 ** (self.failures - 1))
        end_session(self.process)

    def restart_when_due(self) -> bool:
        """Start it again if its pause is over."""
        if self.again_at is None or time.monotonic() < self.again_at:
            return False
        self.process, self.since, self.again_at = launch(self.program), time.monotonic(), None
        return True


class Supervisor:
    """One running stack."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.home = services.home
        self.children: list[Child] = []
        self.servers = 0

    def run(self) -> None:
        """Start, keep running until asked to stop, stop."""
        self.home.prepare()
        with self.home.locked():
            listen_for_stop()
            try:
                self.start()
                self.announce()
                self.watch()
            except StopRequested:
                pass
            finally:
                self.stop()

    def start(self) -> None:
        """Servers, schema, demo data, programs; each only when the one before is ready."""
        open_files_raise()
        self.await_orphans()
        self.services.check_port()
        for server in self.services.servers():
            self.start_server(server)
        self.servers = len(self.children)
        if self.services.postgres:
            self.services.postgres.bootstrap()
        run_once(self.services.one_shot("migrate", "--settings=config.settings.owner"))
        self.collect_static()
        self.seed()
        for program in self.services.programs():
            self.keep(program)
        self.await_ready()

    def start_server(self, server: Postgres | Redis) -> None:
        """Start one embedded server; one that still sees its predecessor's lock is tried again."""
        if isinstance(server, Postgres):
            say("Starting PostgreSQL …" if server.data.exists() else "Creating the database …")
            server.prepare()
        self.keep(server.program())

        def ready() -> bool:
            self.mend()
            return server.ready()

        if not wait_until(ready, SERVER_SECONDS):
            raise StackError(f"{server.program().name} did not become ready:\n{log_end(server.program())}")

    def keep(self, program: Program) -> None:
        """Start a program and keep it running from now on."""
        rotate(program.log)
        self.children.append(Child(program, launch(program)))
        self.write_status("starting")

    def collect_static(self) -> None:
        """Gather the static files when anything they come from has changed."""
        marker, mark = self.home.path / "static.mark", static_mark()
        if not is_marked(marker, mark):
            run_once(self.services.one_shot("collectstatic", "--noinput", "--clear", "-v0"))
            marker.write_text(mark)

    def seed(self) -> None:
        """Make the demo workspace once for each database, and keep its login and key."""
        mark = self.services.database_mark()
        if read_json(self.home.credentials_file).get("database") == mark:
            return
        say("Making the demo workspace …")
        output = self.home.path / "seed.json"
        output.unlink(missing_ok=True)
        write_private(output, "")
        run_once(without_model(self.services.one_shot("seed_demo", "--new-credentials", "--operator")), output)
        credentials = {**last_json_line(output), "database": mark}
        write_private(self.home.credentials_file, json.dumps(credentials, indent=2))
        output.unlink()

    def await_ready(self) -> None:
        """Ready means that a job made the round trip, not that a page answers."""
        client = Client(self.services.url)

        def ready() -> bool:
            self.mend()
            return client.status("/readyz") == 200

        if not wait_until(ready, READY_SECONDS, 0.1):
            logs = "\n".join(log_end(child.program) for child in self.children[self.servers :])
            raise StackError(f"The stack did not become ready within {READY_SECONDS} s.\n{logs}")

    def mend(self) -> None:
        """One look at all children while starting: a crash is tried again, but not for ever."""
        self.look_after()
        for child in self.children:
            if child.failures >= CRASHES_WHILE_STARTING:
                raise StackError(f"{child.program.name} keeps ending:\n{log_end(child.program)}")

    def watch(self) -> None:
        """Keep everything running until somebody asks to stop."""
        while not STOP.requested:
            if self.look_after():
                self.write_status("ready")
            time.sleep(0.2)

    def look_after(self) -> bool:
        """Restart, with growing pauses, what has ended; says whether anything changed."""
        changed = False
        for child in self.children:
            if child.has_died():
                child.note_death()
                say(f"{child.program.name} ended with code {child.process.returncode}; it is started again.")
                say(log_end(child.program, 5))
            changed |= child.restart_when_due()
        return changed

    def stop(self) -> None:
        """Programs first, then the servers they use."""
        if not self.children:
            return
        say("Stopping …")
        for group in (self.children[self.servers :], self.children[: self.servers]):
            stop_all([(child.process, child.program.stop_signal) for child in group], STOP_SECONDS)
        self.children.clear()
        self.write_status("stopped")

    def announce(self) -> None:
        """Tell where it is and how to come in."""
        self.write_status("ready")
        known = read_json(self.home.credentials_file)
        lines = [f"Continuity is ready at {self.services.url}", ""]
        lines += [f"  Sign in   {known.get('email')}  {known.get('password')}", f"  API key   {known.get('api_key')}"]
        lines += [f"  API docs  {self.services.url}/api/docs/", f"  Console   {self.services.url}/admin/"]
        lines += [f"  Data      {self.home.path}", "", "Ctrl-C stops it."]
        with suppress(OSError):
            print("\n".join(lines), flush=True)

    def write_status(self, state: str) -> None:
        """Leave word of what runs, for `status`, `down` and the next start."""
        status: dict[str, Any] = {"state": state, "pid": os.getpid(), "home": str(self.home.path)}
        status |= {"url": self.services.url, "port": self.services.port}
        found = {child.program.name: identify(child.process.pid) for child in self.children}
        status["services"] = {name: [it.pid, it.started] for name, it in found.items() if it}
        self.home.write_status(status)

    def await_orphans(self) -> None:
        """After a `kill -9` of the last supervisor its children may still be on their way out."""
        left = [ProcessId(*entry) for entry in self.home.read_status().get("services", {}).values()]
        if not poll(lambda: not any(is_alive(orphan) for orphan in left), ORPHAN_SECONDS):
            for orphan in filter(is_alive, left):
                os.kill(orphan.pid, signal.SIGKILL)


def without_model(program: Program) -> Program:
    """Nobody's key is spent on a sample, and it comes out the same everywhere."""
    return replace(program, environment={**program.environment, **NO_MODEL})


def open_files_raise() -> None:
    """Allow ourselves and our children what the system allows: every socket of a browser is an open file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def listen_for_stop() -> None:
    """Ctrl-C, a request, a closed terminal and the death of `make` all mean the same: stop in order."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, STOP.request)
    if os.environ.get("MAKELEVEL"):
        die_with(os.getppid(), signal.SIGTERM)


def last_json_line(file: Path) -> dict[str, Any]:
    """The JSON object a program printed last."""
    lines = file.read_text().strip().splitlines()
    try:
        found = json.loads(lines[-1])
    except (IndexError, ValueError):
        raise StackError(f"The demo data gave no login: {lines[-1:]}") from None
    if not isinstance(found, dict):
        raise StackError(f"The demo data gave no login: {found}")
    return found
