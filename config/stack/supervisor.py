"""Supervisor: start the stack in order, restart what crashes, and stop it in order."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from config.stack import schema
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
    run_during,
    run_once,
    stop_all,
    wait_until,
)
from config.stack.processes import ProcessId, identify, is_alive
from config.stack.redis import Redis
from config.stack.services import Services, has_fingerprint, schema_fingerprint, static_fingerprint

SERVER_SECONDS = 30
READY_SECONDS = 90
STOP_SECONDS = 8
ORPHAN_SECONDS = 10
HEALTHY_SECONDS = 60
LONGEST_PAUSE = 30
CRASHES_WHILE_STARTING = 3
NO_MODEL = {"CONTINUITY_MODEL_PROVIDER": "offline"}


def print_progress(text: str) -> None:
    """Print to stderr, which may have been closed."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


@dataclass
class Child:
    """A supervised program."""

    program: Program
    process: subprocess.Popen[bytes]
    since: float = field(default_factory=time.monotonic)
    failures: int = 0
    restart_at: float | None = None

    def has_died(self) -> bool:
        """Return whether it ended and no restart is scheduled yet."""
        return self.restart_at is None and self.process.poll() is not None

    def schedule_restart(self) -> None:
        """Schedule its restart with exponential back-off."""
        now = time.monotonic()
        self.failures = 1 if now - self.since > HEALTHY_SECONDS else self.failures + 1
        self.restart_at = now + min(LONGEST_PAUSE, 0.5 * 2 ** (self.failures - 1))
        end_session(self.process)

    def restart_when_due(self) -> bool:
        """Restart it if its back-off is over; return whether it was restarted."""
        if self.restart_at is None or time.monotonic() < self.restart_at:
            return False
        self.process, self.since, self.restart_at = launch(self.program), time.monotonic(), None
        return True


class Supervisor:
    """One running stack."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.home = services.home
        self.children: list[Child] = []
        self.servers = 0

    def run(self) -> None:
        """Start the stack, supervise it until a stop is requested, and stop it."""
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
        """Start servers, schema, programs and demo data, each when what it needs is ready."""
        open_files_raise()
        self.await_orphans()
        self.services.check_port()
        with self.static_files():
            for server in self.services.servers():
                self.start_server(server)
            self.migrate()
        models, web, *others = self.services.programs()
        self.supervise(models)
        # What the others use stops after them.
        self.servers = len(self.children)
        self.supervise(web)
        # While the web server loads; no job runs before the demo is complete.
        self.seed()
        for program in others:
            self.supervise(program)
        self.await_ready()

    def start_server(self, server: Postgres | Redis) -> None:
        """Start one embedded server; retry while it sees its predecessor's lock."""
        if isinstance(server, Postgres):
            self.prepare_postgres(server)
        self.supervise(server.program())

        def ready() -> bool:
            self.check_start()
            return server.ready()

        if not wait_until(ready, SERVER_SECONDS):
            raise StackError(f"{server.program().name} did not become ready:\n{log_end(server.program())}")

    def prepare_postgres(self, server: Postgres) -> None:
        """Create or check the data folder. A new one has no schema."""
        if server.data.exists():
            print_progress("Starting PostgreSQL …")
        else:
            print_progress("Creating the database …")
        server.prepare()

    def supervise(self, program: Program) -> None:
        """Start a program and supervise it from now on."""
        rotate(program.log)
        self.children.append(Child(program, launch(program)))
        self.write_status("starting")

    @contextmanager
    def static_files(self) -> Iterator[None]:
        """Collect the static files during the block if their sources have changed; they need no server."""
        file, fingerprint = self.home.path / "static.mark", static_fingerprint()
        if has_fingerprint(file, fingerprint):
            yield
            return
        with run_during(self.services.collect_static()):
            yield
        file.write_text(fingerprint)

    def migrate(self) -> None:
        """Bring the schema up to date, unless the embedded database has been since the last change of a migration.

        The mark is kept in the data folder, so that it is restored with the data of a backup.
        """
        postgres, fingerprint = self.services.postgres, schema_fingerprint()
        if postgres is None:
            run_once(self.services.migrate())
        elif not has_fingerprint(file := postgres.data / "schema.mark", fingerprint):
            postgres.bootstrap()
            run_once(self.services.migrate("--schema", str(schema.FILE)))
            file.write_text(fingerprint)

    def seed(self) -> None:
        """Create the demo workspace once per database, and store its login and key."""
        fingerprint = self.services.database_fingerprint()
        if read_json(self.home.credentials_file).get("database") == fingerprint:
            return
        print_progress("Creating the demo workspace …")
        output = self.home.path / "seed.json"
        output.unlink(missing_ok=True)
        write_private(output, "")
        run_once(without_model(self.services.seed()), output)
        credentials = {**last_json_line(output), "database": fingerprint}
        write_private(self.home.credentials_file, json.dumps(credentials, indent=2))
        output.unlink()

    def await_ready(self) -> None:
        """Wait until `/readyz` reports that a job made the round trip."""
        client = Client(self.services.url)

        def ready() -> bool:
            self.check_start()
            return client.status("/readyz") == 200

        if not wait_until(ready, READY_SECONDS, 0.1):
            logs = "\n".join(log_end(child.program) for child in self.children)
            raise StackError(f"The stack did not become ready within {READY_SECONDS} s.\n{logs}")

    def check_start(self) -> None:
        """Restart crashed children during start-up, a limited number of times."""
        self.restart_ended()
        for child in self.children:
            if child.failures >= CRASHES_WHILE_STARTING:
                raise StackError(f"{child.program.name} keeps exiting:\n{log_end(child.program)}")

    def watch(self) -> None:
        """Supervise all children until a stop is requested."""
        while not STOP.requested:
            if self.restart_ended():
                self.write_status("ready")
            time.sleep(0.2)

    def restart_ended(self) -> bool:
        """Restart ended children with back-off; return whether any was restarted."""
        changed = False
        for child in self.children:
            if child.has_died():
                child.schedule_restart()
                print_progress(f"{child.program.name} ended with code {child.process.returncode}; it is started again.")
                print_progress(log_end(child.program, 5))
            changed |= child.restart_when_due()
        return changed

    def stop(self) -> None:
        """Stop programs first, then the servers they use."""
        if not self.children:
            return
        print_progress("Stopping …")
        for group in (self.children[self.servers :], self.children[: self.servers]):
            stop_all([(child.process, child.program.stop_signal) for child in group], STOP_SECONDS)
        self.children.clear()
        self.write_status("stopped")

    def announce(self) -> None:
        """Print the URL and the demo login."""
        self.write_status("ready")
        known = read_json(self.home.credentials_file)
        lines = [f"Continuity is ready at {self.services.url}", ""]
        lines += [f"  Sign in   {known.get('email')}  {known.get('password')}", f"  API key   {known.get('api_key')}"]
        lines += [f"  API docs  {self.services.url}/api/docs", f"  Console   {self.services.url}/admin/"]
        lines += [f"  Agents    pip install ./client && continuity login {self.services.url} && continuity install"]
        lines += [f"  Data      {self.home.path}", "", "Press Ctrl-C to stop."]
        with suppress(OSError):
            print("\n".join(lines), flush=True)

    def write_status(self, state: str) -> None:
        """Write the status file for `status`, `down` and the next start."""
        status: dict[str, Any] = {"state": state, "pid": os.getpid(), "home": str(self.home.path)}
        status |= {"url": self.services.url, "port": self.services.port}
        found = {child.program.name: identify(child.process.pid) for child in self.children}
        status["services"] = {name: [it.pid, it.started] for name, it in found.items() if it}
        self.home.write_status(status)

    def await_orphans(self) -> None:
        """Wait for children of a killed supervisor to end; kill them after a timeout."""
        left = [ProcessId(*entry) for entry in self.home.read_status().get("services", {}).values()]
        if not poll(lambda: not any(is_alive(orphan) for orphan in left), ORPHAN_SECONDS):
            for orphan in filter(is_alive, left):
                os.kill(orphan.pid, signal.SIGKILL)


def without_model(program: Program) -> Program:
    """Use no model, so that the demo data costs nothing and is the same everywhere."""
    return replace(program, environment={**program.environment, **NO_MODEL})


def open_files_raise() -> None:
    """Raise the limit of open files to the maximum: every WebSocket is an open file."""
    _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))


def listen_for_stop() -> None:
    """Stop in order on Ctrl-C, SIGTERM, a closed terminal, or the end of `make`."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, STOP.request)
    if os.environ.get("MAKELEVEL"):
        die_with(os.getppid(), signal.SIGTERM)


def last_json_line(file: Path) -> dict[str, Any]:
    """Return the JSON object on the last line of a file."""
    lines = file.read_text().strip().splitlines()
    try:
        found = json.loads(lines[-1])
    except (IndexError, ValueError):
        raise StackError(f"The demo data gave no login: {lines[-1:]}") from None
    if not isinstance(found, dict):
        raise StackError(f"The demo data gave no login: {found}")
    return found
