"""The attacked stack: its clients, and the memory of its processes."""

from __future__ import annotations

import http.client
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from config.stack import processes
from config.stack.client import Client
from config.stack.services import ADDRESS
from config.stack.throwaway_stack import TemporaryStack

Json = dict[str, Any]
T = TypeVar("T")


def strings_in(value: object) -> list[str]:
    """Every text of a JSON value, its names included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in strings_in(one)]
    return [text for one in value for text in strings_in(one)] if isinstance(value, list) else []


def parts_of(items: Sequence[T], length: int) -> Iterator[Sequence[T]]:
    """The items in parts of so many."""
    yield from (items[start : start + length] for start in range(0, len(items), length))


@dataclass(frozen=True)
class Target:
    """A running stack. `client` acts for the owner of a workspace."""

    client: Client
    web_pids: Callable[[], list[int]]
    worker_pids: Callable[[], list[int]]
    """The worker and its children."""

    @classmethod
    def of(cls, stack: TemporaryStack) -> Target:
        """A temporary stack; the client acts for the demo account."""

        def running(name: str) -> list[int]:
            assert stack.process is not None
            return [pid for pid in processes.descendants(stack.process.pid) if name in _command(pid)]

        return cls(stack.client, lambda: running("config.web_server"), lambda: running("celery"))

    @property
    def port(self) -> int:
        return urlsplit(self.client.base).port or 80

    def send(self, method: str, path: str, body: bytes | None = None, headers: Json | None = None) -> tuple[int, bytes]:
        """Send a request with these headers alone; return status and body."""
        connection = http.client.HTTPConnection(ADDRESS, self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def send_file(self, client: Client, name: str, content: bytes) -> Json:
        """Import a file and return the operation."""
        headers = {"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {client.api_key}"}
        status, body = self.send("POST", f"/api/imports?name={name}", content, headers)
        assert status == 202, body
        operation: Json = json.loads(body)
        return operation

    def export(self, client: Client) -> list[Json]:
        """Return everything that an account has, a record each."""
        _, body = self.send("GET", "/api/export", headers=client.headers())
        return [json.loads(line) for line in body.decode().splitlines() if line.strip()]

    def stranger(self) -> Client:
        """A client of another account with a workspace and a key of its own."""
        return self._with_key(self._signed_up("Charlie"))

    def member_of(self, owner: Client) -> Client:
        """A client of another account with a key for the owner's workspace, of which it is a member."""
        browser = self._signed_up("Bob")
        made = owner.post("/api/invitations", {"email": browser.get("/api/me")["user"]["email"]})
        browser.post("/api/invitations/accept", {"secret": made["secret"]})
        browser.patch("/api/me", {"workspace_id": owner.get("/api/me")["workspace"]["id"]})
        return self._with_key(browser)

    def application_of(self, owner: Client) -> Client:
        """A client with a key of the owner that acts for the users of an application."""
        scopes = ["read", "write", "act_for_users"]
        made = owner.post("/api/api-keys", {"name": "application", "scopes": scopes})
        return Client(self.client.base, made["secret"])

    def _signed_up(self, name: str) -> Client:
        browser = Client(self.client.base)
        email = f"{secrets.token_hex(8)}@example.org"
        browser.post("/api/sign-up", {"email": email, "password": secrets.token_hex(16), "name": name})
        return browser

    def _with_key(self, browser: Client) -> Client:
        is_owner = browser.get("/api/me")["role"] == "owner"
        scopes = ["read", "write", *(["admin"] if is_owner else [])]
        made = browser.post("/api/api-keys", {"name": "attack", "scopes": scopes})
        return Client(self.client.base, made["secret"])

    @contextmanager
    def watched_workers(self) -> Iterator[PeakMemory]:
        """Measure the memory of the worker's processes during the block."""
        peak = PeakMemory(self.worker_pids())
        thread = threading.Thread(target=peak.watch, daemon=True)
        thread.start()
        try:
            yield peak
        finally:
            peak.stopped.set()
            thread.join()

    def web_cpu_s(self) -> float:
        """Processor time of the web process, its threads included."""
        return sum(map(processes.cpu_s, self.web_pids()))

    def worker_children(self) -> list[int]:
        """The processes that run jobs, the oldest first."""
        pids = self.worker_pids()
        return [pid for pid in pids if _parent(pid) in pids]


@dataclass
class PeakMemory:
    """The largest resident size of one of the processes, in MB."""

    pids: list[int]
    megabytes: float = 0.0
    stopped: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        while not self.stopped.is_set():
            self.megabytes = max([self.megabytes, *map(_resident_mb, self.pids)])
            time.sleep(0.02)


def _command(pid: int) -> str:
    try:
        return (processes.PROC / str(pid) / "cmdline").read_text(errors="replace")
    except OSError:
        return ""


def _parent(pid: int) -> int:
    try:
        return int((processes.PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def _resident_mb(pid: int) -> float:
    try:
        pages = int((processes.PROC / str(pid) / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return round(pages * 4096 / 1024 / 1024, 1)
