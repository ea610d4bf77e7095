"""Runs a command as a container of a service would: read-only root, own user, no capabilities, its secrets alone.

What an engine would add and this does not: memory limits, seccomp, an init process, and networks of their own; all
services share one private network that has a loopback and nothing else.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from config.stack.process import poll
from tests.config.image.compose import Service, environment_of
from tests.config.image.dockerfile import Stage

PRIVILEGES = ["--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]


@dataclass(frozen=True)
class Image:
    """A built root folder, and its Dockerfile's instructions for running it."""

    root: Path
    stage: Stage

    @property
    def folder(self) -> str:
        return self.stage.last("WORKDIR").value

    def as_user(self) -> list[str]:
        uid, gid = self.stage.last("USER").value.split(":")
        return ["setpriv", f"--reuid={uid}", f"--regid={gid}", *PRIVILEGES]


@dataclass
class Container:
    """One service of the Compose file, running or to be run."""

    name: str
    service: Service
    image: Image
    work: Path
    process: subprocess.Popen[bytes] = field(init=False)

    @property
    def log(self) -> Path:
        return self.work / f"{self.name}.log"

    def environment(self) -> dict[str, str]:
        return {**self.image.stage.environment(), **environment_of(self.service), "HOME": "/var/lib/continuity"}

    def start(self) -> None:
        argv: list[str] = self.service.get("command") or self.image.stage.last("CMD").argv()
        enter = ["chroot", str(self.image.root), *self.image.as_user(), "/bin/sh", "-c", 'cd "$0" && exec "$@"']
        script = "\n".join(["set -e", *self.mounts(), shlex.join(["exec", *enter, self.image.folder, *argv])])
        spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(spaces, env=self.environment(), stdout=log, stderr=log)

    def mounts(self) -> list[str]:
        """Shell lines that put the container's file systems together."""
        root = self.image.root
        lines = [f"mount --bind {root} {root}", f"mount -o remount,bind,ro {root}"]
        lines += [f"mount -t proc proc {root}/proc", f"mount --bind /dev {root}/dev"]
        lines.append(f"mount -t tmpfs -o mode=1777,size=64m tmpfs {root}/dev/shm")  # noqa: S108 - where engines mount it
        lines += [f"mount -t tmpfs -o mode=1777 tmpfs {root}{path.partition(':')[0]}" for path in self.service["tmpfs"]]
        lines += [f"mount -t tmpfs tmpfs {root}/run", f"mkdir {root}/run/secrets"]
        for secret in self.service["secrets"]:
            place = f"{root}/run/secrets/{secret}"
            lines += [f"touch {place}", f"mount --bind {self.work}/compose/secrets/{secret} {place}"]
        for volume in self.service.get("volumes", []):
            name, _, path = volume.partition(":")
            lines.append(f"mount --bind {self.work}/volumes/{name} {root}{path}")
        return lines

    def first_process(self) -> int:
        """The container's process 1, as we number it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        assert poll(lambda: bool(children.read_text().split()), 10)
        return int(children.read_text().split()[0])

    def inside(self, *argv: str, user: bool = True) -> subprocess.CompletedProcess[bytes]:
        """Run something more in the running container, as `docker compose exec` does."""
        spaces = ["nsenter", f"--target={self.first_process()}", "--mount", "--pid", "--root", "--wd"]
        return subprocess.run(
            [*spaces, *(self.image.as_user() if user else []), *argv],
            env=self.environment(),
            capture_output=True,
            check=False,
        )

    def is_well(self) -> bool:
        """The service's own health check."""
        test: list[str] = self.service["healthcheck"]["test"]
        return self.process.poll() is None and self.inside(*test[1:]).returncode == 0

    def await_well(self, seconds: float) -> float:
        began = time.monotonic()
        if not poll(self.is_well, seconds, interval=0.5):
            raise SystemExit(f"{self.name} did not become healthy:\n{self.tail()}")
        return round(time.monotonic() - began, 1)

    def finish(self, seconds: float) -> int:
        """Wait for a one-shot service's end."""
        return self.process.wait(seconds)

    def stop(self) -> dict[str, Any]:
        """As the engine stops it: a signal, and the grace period that the service names."""
        grace = float(self.service["stop_grace_period"].removesuffix("s"))
        os.kill(self.first_process(), signal.SIGTERM)
        began = time.monotonic()
        code = self.process.wait(grace)
        return {"code": code, "seconds": round(time.monotonic() - began, 1)}

    def tail(self) -> str:
        return self.log.read_text(errors="replace")[-4000:]
