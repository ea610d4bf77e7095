"""Data directory of one stack: database, sockets, logs, keys, lock and status file."""

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
    """The data directory (CONTINUITY_HOME)."""

    path: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Home":
        """Use CONTINUITY_HOME, else `.continuity` in the project."""
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
        """State and processes of the running stack."""
        return self.path / "status.json"

    @property
    def run(self) -> Path:
        """The folder of the sockets; in /tmp if the path would be too long for a socket."""
        inside = self.path / "run"
        if len(str(inside)) <= SOCKET_PATH_LIMIT:
            return inside
        digest = hashlib.sha256(str(self.path).encode()).hexdigest()[:12]
        return TEMPORARY / f"continuity-{os.geteuid()}-{digest}"

    def prepare(self) -> None:
        """Create the folders. If root runs PostgreSQL as `nobody`, that user must be able to traverse them."""
        passable = 0o711 if os.geteuid() == 0 else 0o700
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(passable)
            self.logs.mkdir(mode=0o700, exist_ok=True)
            self.run.mkdir(mode=passable, exist_ok=True)
        except OSError as error:
            raise StackError(
                f"The data folder {self.path} cannot be written: {error.strerror} ({error.filename}).\n"
                "Set CONTINUITY_HOME to a folder that you can write to."
            ) from None
        self._check_run_folder(passable)

    def _check_run_folder(self, mode: int) -> None:
        """Check that we own the folder of the sockets, which may be in a world-writable directory."""
        status = self.run.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            raise StackError(f"{self.run} belongs to another user. Remove it, or set CONTINUITY_HOME to a short path.")
        self.run.chmod(mode)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the directory: only one stack may run in it."""
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
        """Return whether a stack runs in this directory."""
        try:
            with (self.path / "lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def secret_key(self) -> str:
        """Return Django's SECRET_KEY; generate it the first time."""
        file = self.path / "secret-key"
        if not file.exists():
            write_private(file, secrets.token_urlsafe(48))
        return file.read_text().strip()

    def read_status(self) -> dict[str, Any]:
        """Return the status that the running or last stack wrote."""
        return read_json(self.status_file)

    def write_status(self, status: dict[str, Any]) -> None:
        """Write the status file."""
        write_private(self.status_file, json.dumps(status, indent=2))


def read_json(file: Path) -> dict[str, Any]:
    """Read a JSON object; return an empty one for a missing or broken file."""
    try:
        content = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def write_private(file: Path, text: str) -> None:
    """Write a file atomically, readable by the owner only."""
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
