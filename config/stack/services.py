"""Parts of the stack: the embedded servers, our programs, and the environment they get."""

import hashlib
import os
import signal
import socket
import sys
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from config.stack.data_dir import Home, chosen_port
from config.stack.errors import StackError
from config.stack.postgres import APPLICATION, OWNER, Postgres
from config.stack.process import PYTHON, ROOT, Program, clean_environment
from config.stack.redis import Redis

ADDRESS = "127.0.0.1"


@dataclass(frozen=True)
class Services:
    """The parts of one stack. A server is None if the environment names an external one."""

    home: Home
    port: int
    postgres: Postgres | None
    redis: Redis | None

    @classmethod
    def from_environment(cls) -> "Services":
        """Use DATABASE_URL and REDIS_URL, if set, instead of the embedded servers."""
        home = Home.from_environment()
        postgres = None if os.environ.get("DATABASE_URL") else Postgres(home.path, home.run)
        redis = None if os.environ.get("REDIS_URL") else Redis(home.path, home.run)
        return cls(home, chosen_port(), postgres, redis)

    @property
    def url(self) -> str:
        """The web server's base URL."""
        return f"http://{ADDRESS}:{self.port}"

    @cached_property
    def environment(self) -> dict[str, str]:
        """The environment of our programs."""
        variables = {"CONTINUITY_HOME": str(self.home.path), "CONTINUITY_PORT": str(self.port), "PYTHONUNBUFFERED": "1"}
        # glibc would keep memory of its own for each of many threads.
        variables["MALLOC_ARENA_MAX"] = "2"
        # Else it raises the threshold while a model is loaded, and keeps what loading it freed: 10 to 30 MB a process.
        variables["MALLOC_TRIM_THRESHOLD_"] = "131072"
        if self.postgres:
            variables["DATABASE_URL"] = self.postgres.url(OWNER)
            variables["DATABASE_APP_URL"] = self.postgres.url(APPLICATION)
        if self.redis:
            variables["REDIS_URL"] = self.redis.url
        if not os.environ.get("SECRET_KEY"):
            variables["SECRET_KEY"] = self.home.secret_key()
        return {**clean_environment(), **variables}

    @property
    def with_models(self) -> dict[str, str]:
        """The environment of the programs that run beside the process of our own models."""
        return {**self.environment, "CONTINUITY_OWN_MODELS_SOCKET": str(self.home.run / "models.sock")}

    def database_fingerprint(self) -> str:
        """Return a digest that identifies the database without revealing its password."""
        return hashlib.sha256(self.environment["DATABASE_URL"].encode()).hexdigest()

    def python(self, name: str, *arguments: str) -> Program:
        """Return one of our Python programs."""
        log = self.home.logs / f"{name}.log"
        return Program(name, [PYTHON, *arguments], log, self.with_models)

    def one_shot(self, command: str, *arguments: str) -> Program:
        """Return a management command that runs once during start-up."""
        return replace(self.python(command, "manage.py", command, *arguments), environment=self.environment)

    def migrate(self, *arguments: str) -> Program:
        """Return the command that brings the schema up to date, as the owner of the tables."""
        return self.one_shot("migrate", "--settings=config.settings.owner", *arguments)

    def collect_static(self) -> Program:
        """Return the command that collects the static files."""
        return self.one_shot("collectstatic", "--skip-checks", "--noinput", "--clear", "-v0")

    def seed(self) -> Program:
        """Return the command that creates the demo workspace."""
        settings = "--settings=config.settings.worker"
        return self.one_shot("seed_demo", "--skip-checks", settings, "--new-credentials", "--operator")

    def models(self) -> Program:
        """Return the process that runs our own models for the other programs."""
        return self.python("models", "-m", "config.own_models")

    def web(self) -> Program:
        """Return the web server."""
        return self.python("web", "-m", "config.web_server", "--host", ADDRESS, "--port", str(self.port))

    def worker(self) -> Program:
        """Return the worker. Celery would wait for its task on SIGTERM, so that signal is remapped to a soft shutdown.

        Django's checks are skipped because they would load every URL.
        """
        environment = {**self.with_models, "REMAP_SIGTERM": "SIGQUIT", "CELERY_SKIP_CHECKS": "1"}
        argv = [PYTHON, "-m", "celery", "-A", "config.celery", "worker", "-P", "prefork", "-l", "INFO"]
        argv += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        return Program("worker", argv, self.home.logs / "worker.log", environment, death_signal=signal.SIGKILL)

    def dispatcher(self) -> Program:
        """Return the process that sends due jobs to the workers."""
        return self.python("dispatcher", "manage.py", "dispatch", "--settings=config.settings.worker")

    def servers(self) -> list[Postgres | Redis]:
        """The embedded servers."""
        return [server for server in (self.postgres, self.redis) if server]

    def programs(self) -> list[Program]:
        """Return our long-running programs, each after those that it uses."""
        return [self.models(), self.web(), self.worker(), self.dispatcher()]

    def check_port(self) -> None:
        """Raise `StackError` if another program uses our port."""
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((ADDRESS, self.port))
            except OSError as error:
                raise StackError(
                    f"Port {self.port} cannot be used: {error.strerror}.\n"
                    f"Stop the program that uses it, or choose another: CONTINUITY_PORT={self.port + 1} make up"
                ) from None


def static_fingerprint() -> str:
    """Return a digest of the sources of the collected static files."""
    return source_fingerprint("apps/*/static/**/*")


def schema_fingerprint() -> str:
    """Return a digest of all migrations, those of packages included, and of what `migrate` does besides."""
    return source_fingerprint("apps/*/migrations/*.py", "apps/common/**/*.py", "config/database.py")


def source_fingerprint(*patterns: str) -> str:
    """Return a digest of these files, and of the packages."""
    digest = hashlib.sha256(f"{sys.version}".encode())
    digest.update((ROOT / "uv.lock").read_bytes())
    for file in sorted({file for pattern in patterns for file in ROOT.glob(pattern)}):
        if file.is_file():
            digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()


def free_port() -> int:
    """Return a free port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((ADDRESS, 0))
        return int(probe.getsockname()[1])


def has_fingerprint(file: Path, fingerprint: str) -> bool:
    """Return whether the file contains exactly this fingerprint."""
    return file.exists() and file.read_text() == fingerprint
