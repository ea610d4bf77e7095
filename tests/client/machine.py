"""A person's machine: a home with settings, and the command that runs in processes of its own."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.client.fake_server import KEY, SERVER_ID

LIBC = ctypes.CDLL(None)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
SOURCE = Path(__file__).resolve().parents[2] / "client" / "src"


@dataclass
class Machine:
    """Alice's machine."""

    folder: Path
    time_zone: str = "UTC"

    @property
    def home(self) -> Path:
        return self.folder / ".continuity"

    @property
    def spooled(self) -> list[Path]:
        return sorted((self.home / "spool").glob("[0-9]*")) if (self.home / "spool").exists() else []

    @property
    def log(self) -> str:
        file = self.home / "client.log"
        return file.read_text() if file.exists() else ""

    @property
    def environment(self) -> dict[str, str]:
        names = ("PATH", "SYSTEMROOT", "LANG")
        inherited = {name: os.environ[name] for name in names if name in os.environ}
        inherited["PATH"] = f"{self.folder / 'bin'}{os.pathsep}{inherited['PATH']}"
        own = {"HOME": str(self.folder), "CONTINUITY_HOME": str(self.home), "TMPDIR": str(self.folder / "tmp")}
        own["TZ"] = self.time_zone
        return {**inherited, **own, "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}

    def pair(self, url: str, **more: Any) -> None:
        self.home.mkdir(mode=0o700, exist_ok=True)
        settings = {"url": url, "server_id": SERVER_ID, "api_key": KEY, **more}
        (self.home / "client.json").write_text(json.dumps(settings))

    def run(self, *arguments: str, given: Any = b"", timeout: float = 30) -> subprocess.CompletedProcess[bytes]:
        sent = given if isinstance(given, bytes) else json.dumps(given).encode()
        command = [sys.executable, "-m", "continuity_client", *arguments]
        return subprocess.run(
            command,
            input=sent,
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            timeout=timeout,
            check=False,
        )

    def hook(self, event: str, payload: Any = None, client: str = "claude-code") -> bytes:
        """Run a hook, which always ends with 0, and return what it printed."""
        done = self.run("hook", event, "--client", client, given=payload if payload is not None else {})
        assert done.returncode == 0, done.stderr
        assert done.stderr == b""
        return done.stdout

    def said(self, *arguments: str) -> Any:
        """Run a command with `--json` and return what it printed."""
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)


def obey_modes() -> None:
    """Let a process of root obey the modes of files, like everybody else's."""
    if os.getuid() == 0:
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            LIBC.prctl(PR_CAPBSET_DROP, capability)


def eventually(condition: Callable[[], Any], seconds: float = 15) -> bool:
    """Whether a condition becomes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())
