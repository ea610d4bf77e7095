"""The folder that holds everything one stack keeps: data, sockets, logs, keys, and who is running it now."""

import fcntl
import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.stack.errors import StackError
from config.stack.process import ROOT

DEFAULT_PORT = 37777
SOCKET_PATH_LIMIT = 80
TEMPORARY = Path("/tmp")  # noqa: S108 - sockets need a short path; the folder is checked to be ours


@dataclass(frozen=True)
class Home:
    """One stack's folder."""

    path: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Home":
        """CONTINUITY_HOME, or `.continuity` in the project."""
        return cls(Path(environment.get("CONTINUITY_HOME") or ROOT / ".continuity").expanduser().absolute())

    @property
    def logs(self) -> Path:
        """One log for each program."""
        return self.path / "logs"

    @property
    def credentials_file(self) -> Path:
        """The demo login and key."""
        return self.path / "credentials.json"

    @property
    def status_file(self) -> Path:
        """What runs now."""
        return self.path / "status.json"

    @property
    def run(self) -> Path:
        """The folder of the sockets; a socket's path may not be long."""
        inside = self.path / "run"
        if len(str(inside)) <= SOCKET_PATH_LIMIT:
            return inside
        digest = hashlib.sha256(str(self.path).encode()).hexdigest()[:12]
        return TEMPORARY / f"continuity-{os.geteuid()}-{digest}"

    def prepare(self) -> None:
        """Make the folders. Where root hands PostgreSQL to `nobody`, that user must be able to pass through."""
        passable = 0o711 if os.geteuid() == 0 else 0o700
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(passable)
            self.logs.mkdir(mode=0o700, exist_ok=True)
            self.run.mkdir(mode=passable, exist_ok=True)
        except OSError as error:
            raise StackError(
                f"The data folder {self.path} cannot be written: {error.strerror} ({error.filename}).\n"
                "Set CONTINUITY_HOME to a folder of your own."
            ) from None
        self._check_run_folder(passable)

    def _check_run_folder(self, mode: int) -> None:
        """The folder of the sockets may lie in a place that others can write: it must be ours."""
        found = self.run.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise StackError(f"{self.run} belongs to somebody else; remove it, or set CONTINUITY_HOME to a short path.")
        self.run.chmod(mode)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder: only one stack runs in it."""
        with (self.path / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                status = self.read_status()
                where = f" at {status['url']} (process {status['pid']})" if "url" in status else ""
                raise StackError(
                    f"Continuity is already running in {self.path}{where}. `make down` stops it."
                ) from None
            yield

    def is_locked(self) -> bool:
        """Whether a stack runs in this folder now."""
        try:
            with (self.path / "lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def secret_key(self) -> str:
        """Django's key, made once."""
        file = self.path / "secret-key"
        if not file.exists():
            write_private(file, secrets.token_urlsafe(48))
        return file.read_text().strip()

    def read_status(self) -> dict[str, Any]:
        """What the running stack, or the last one, wrote about itself."""
        return read_json(self.status_file)

    def write_status(self, status: dict[str, Any]) -> None:
        """Say what runs now."""
        write_private(self.status_file, json.dumps(status, indent=2))


def read_json(file: Path) -> dict[str, Any]:
    """A JSON object from a file; an absent or broken file is an empty one."""
    try:
        content = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def write_private(file: Path, text: str) -> None:
    """Write a file at once and for our eyes only."""
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as target:
        target.write(text + "\n")
    part.replace(file)


def chosen_port(environment: Mapping[str, str] = os.environ) -> int:
    """CONTINUITY_PORT, or the default."""
    text = environment.get("CONTINUITY_PORT") or str(DEFAULT_PORT)
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise StackError(f"CONTINUITY_PORT must be a number from 1 to 65535, not {text!r}.")
    return int(text)
