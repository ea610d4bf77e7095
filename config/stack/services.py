"""What the stack consists of: which servers are its own, which programs run beside them, and what they are told."""

import hashlib
import os
import signal
import socket
import sys
from dataclasses import dataclass
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
    """The parts of one stack. A server is None where the environment names another one to use."""

    home: Home
    port: int
    postgres: Postgres | None
    redis: Redis | None

    @classmethod
    def from_environment(cls) -> "Services":
        """DATABASE_URL and REDIS_URL, when set, replace the embedded servers."""
        home = Home.from_environment()
        postgres = None if os.environ.get("DATABASE_URL") else Postgres(home.path, home.run)
        redis = None if os.environ.get("REDIS_URL") else Redis(home.path, home.run)
        return cls(home, chosen_port(), postgres, redis)

    @property
    def url(self) -> str:
        """Where the web server answers."""
        return f"http://{ADDRESS}:{self.port}"

    @cached_property
    def environment(self) -> dict[str, str]:
        """What every program of ours reads."""
        told = {"CONTINUITY_HOME": str(self.home.path), "CONTINUITY_PORT": str(self.port), "PYTHONUNBUFFERED": "1"}
        if self.postgres:
            told["DATABASE_URL"] = self.postgres.url(OWNER)
            told["DATABASE_APP_URL"] = self.postgres.url(APPLICATION)
        if self.redis:
            told["REDIS_URL"] = self.redis.url
        if not os.environ.get("SECRET_KEY"):
            told["SECRET_KEY"] = self.home.secret_key()
        return {**clean_environment(), **told}

    def database_mark(self) -> str:
        """A name for the database in use that does not give its password away."""
        return hashlib.sha256(self.environment["DATABASE_URL"].encode()).hexdigest()

    def python(self, name: str, *arguments: str, **options: signal.Signals) -> Program:
        """A Python program of ours."""
        log = self.home.logs / f"{name}.log"
        return Program(name, [PYTHON, *arguments], log, self.environment, ROOT, **options)  # type: ignore[arg-type]

    def one_shot(self, command: str, *arguments: str) -> Program:
        """A management command that runs once before the rest starts."""
        return self.python(command, "manage.py", command, *arguments)

    def web(self) -> Program:
        """The web server; a browser's open stream holds it for three seconds at most."""
        bind = ["--host", ADDRESS, "--port", str(self.port), "--timeout-graceful-shutdown", "3", "--no-access-log"]
        bind += ["--ws-max-size", "65536", "--ws-max-queue", "8", "--ws-per-message-deflate", "false"]
        return self.python("web", "-m", "uvicorn", "config.asgi:application", *bind)

    def worker(self) -> Program:
        """The worker. On SIGTERM it would wait for its task, so the signal is made to mean a soft stop.

        Its checks of Django would load every URL for nothing.
        """
        told = {**self.environment, "REMAP_SIGTERM": "SIGQUIT", "CELERY_SKIP_CHECKS": "1"}
        argv = [PYTHON, "-m", "celery", "-A", "config.celery", "worker", "-P", "prefork", "-c", "2", "-l", "INFO"]
        argv += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        return Program("worker", argv, self.home.logs / "worker.log", told, death_signal=signal.SIGKILL)

    def dispatcher(self) -> Program:
        """The process that hands due jobs to the workers."""
        return self.python("dispatcher", "manage.py", "dispatch")

    def servers(self) -> list[Postgres | Redis]:
        """The embedded servers."""
        return [server for server in (self.postgres, self.redis) if server]

    def programs(self) -> list[Program]:
        """Everything of ours that keeps running beside the servers."""
        return [self.web(), self.worker(), self.dispatcher()]

    def check_port(self) -> None:
        """Say it clearly when somebody else has our port."""
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((ADDRESS, self.port))
            except OSError as error:
                raise StackError(
                    f"Port {self.port} cannot be used: {error.strerror}.\n"
                    f"Stop the program that uses it, or choose another: CONTINUITY_PORT={self.port + 1} make up"
                ) from None


def static_mark() -> str:
    """A digest of everything the collected static files come from."""
    digest = hashlib.sha256(f"{sys.version}".encode())
    for name in ("requirements.txt", "requirements-base.txt"):
        digest.update((ROOT / name).read_bytes())
    for file in sorted((ROOT / "apps").glob("*/static/**/*")):
        if file.is_file():
            digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()


def free_port() -> int:
    """A port nobody uses at the moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((ADDRESS, 0))
        return int(probe.getsockname()[1])


def is_marked(file: Path, mark: str) -> bool:
    """Whether a file holds exactly this mark."""
    return file.exists() and file.read_text() == mark
