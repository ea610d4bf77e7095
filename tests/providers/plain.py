"""A small HTTP server with scripted answers by path, which records requests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Plain:
    """One answer; it begins after `after_s` seconds."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0


@dataclass
class PlainServer:
    """A server with `answers` by path; other paths are not found. `asked` has the paths and lower-case headers."""

    url: str
    answers: dict[str, Plain]
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


@contextmanager
def plain_server(**answers: Plain) -> Iterator[PlainServer]:
    """Run the server on its own thread; names of answers are paths with underscores for slashes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            answer = state.answers.get(self.path, Plain({"error": "SECRET-WORDS"}, 404))
            time.sleep(answer.after_s)
            with suppress(OSError):
                self._say(answer)

        do_POST = do_GET

        def _say(self, answer: Plain) -> None:
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Do not log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = PlainServer(
        f"http://127.0.0.1:{server.server_port}",
        {f"/{name.replace('_', '/')}": answer for name, answer in answers.items()},
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
