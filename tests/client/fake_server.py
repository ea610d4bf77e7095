"""A server that plays the contract of the client's endpoints: up, hanging, failing, or another installation."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

SERVER_ID = "0199aaaa-0000-7000-8000-000000000001"
OTHER_ID = "0199bbbb-0000-7000-8000-000000000002"
KEY = "ctk_test_0123456789abcdefghij"

Answer = tuple[int, Any]
Route = Callable[[dict[str, Any], dict[str, str]], Answer]


class FakeServer:
    """`mode` is up, error (500), hanging, unready (503) or refusing (422); `requests` has all that arrived."""

    def __init__(self) -> None:
        self.mode = "up"
        self.server_id: str | None = SERVER_ID
        self.context = "Alice prefers short answers."
        self.refused_words: tuple[str, ...] = ()
        self.redirect = ""
        self.routes: dict[str, Route] = {}
        self.requests: list[tuple[str, str, dict[str, str], Any]] = []
        self.events: list[dict[str, Any]] = []
        self.released = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._http.daemon_threads = True
        self.port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def payloads(self) -> list[Any]:
        return [event["payload"] for event in self.events]

    def paths(self, method: str = "POST") -> list[str]:
        return [path for name, path, _, _ in self.requests if name == method]

    def stop(self) -> None:
        self.released.set()
        self._http.shutdown()
        self._http.server_close()

    def answer(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answer:
        if self.mode == "hanging":
            self.released.wait(30)
        if self.mode in ("hanging", "error"):
            return 500, {"detail": "Something broke.", "code": "error"}
        if path == "/api/health":
            return 503 if self.mode == "unready" else 200, {"checks": {}, "server_id": self.server_id}
        if route := self.routes.get(f"{method} {path}"):
            return route(body, headers)
        if headers.get("authorization") != f"Bearer {KEY}":
            return 401, {"detail": "The API key is not valid.", "code": "not_authenticated"}
        if path.startswith("/api/hooks/"):
            return self._hook(path, headers, body)
        return 404, {"detail": "There is nothing here.", "code": "not_found"}

    def _hook(self, path: str, headers: dict[str, str], body: Any) -> Answer:
        if self.mode == "refusing":
            return 422, {"detail": "The event is not valid.", "code": "invalid"}
        if not path.endswith("/batch"):
            self.events.append({"id": headers["x-continuity-event-id"], "payload": body})
            text = self.context
            return 200, {
                "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}
            } if text else {}
        if any(word in json.dumps(body) for word in self.refused_words) and len(body["events"]) > 1:
            return 422, {"detail": "One of the events is not valid.", "code": "invalid"}
        return 200, {"results": [self._settled(event) for event in body["events"]]}

    def _settled(self, event: dict[str, Any]) -> dict[str, Any]:
        if any(word in json.dumps(event) for word in self.refused_words):
            return {"id": event["id"], "status": "refused", "problem": {"detail": "The event is not valid."}}
        if any(known["id"] == event["id"] for known in self.events):
            return {"id": event["id"], "status": "repeated", "problem": None}
        self.events.append(event)
        return {"id": event["id"], "status": "stored", "problem": None}


def _handler_of(server: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({key: value[0] for key, value in parse_qs(urlsplit(self.path).query).items()})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}"))

        def _answer(self, body: Any) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            server.requests.append((self.command, self.path, headers, body))
            status, document = server.answer(self.command, urlsplit(self.path).path, headers, body)
            content = json.dumps(document).encode()
            try:
                self.send_response(302 if server.redirect else status)
                if server.redirect:
                    self.send_header("Location", server.redirect)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                return

        def log_message(self, *arguments: Any) -> None:
            return

    return Handler
