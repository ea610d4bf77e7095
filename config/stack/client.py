"""Minimal client of the REST API on the standard library, for the smoke test, the demo and benchmarks."""

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any

from config.stack.errors import StackError

Json = dict[str, Any]


@dataclass
class Client:
    """A caller with an API key, also for an end user of an application, or signed in with cookies like a browser."""

    base: str
    api_key: str = ""
    timeout: float = 30
    end_user: str = ""
    cookies: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        """Create an opener without a proxy: the server is on this machine."""
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def get(self, path: str) -> Json:
        """GET a resource."""
        return self.request("GET", path)

    def post(self, path: str, body: Json | None = None) -> Json:
        """POST to a resource."""
        return self.request("POST", path, body if body is not None else {})

    def patch(self, path: str, body: Json) -> Json:
        """PATCH a resource."""
        return self.request("PATCH", path, body)

    def request(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send a request; raise `StackError` with the response for any status but success."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, self.headers(), method=method)  # noqa: S310 - our own address
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")[:2000]
            raise StackError(f"{method} {path} returned {error.code}: {text}") from None
        except OSError as error:
            raise StackError(f"{method} {path} got no response: {error}") from None
        return json.loads(text) if text else {}

    def stream(self, path: str, body: Json) -> list[tuple[str, Json]]:
        """POST and return the server-sent events of the response: name and data of each."""
        data, headers = json.dumps(body).encode(), self.headers()
        request = urllib.request.Request(self.base + path, data, headers, method="POST")  # noqa: S310 - our own address
        events: list[tuple[str, Json]] = []
        name = ""
        with self._opener.open(request, timeout=self.timeout) as response:
            for line in response.read().decode().splitlines():
                key, _, value = line.partition(": ")
                name = value if key == "event" else name
                if key == "data":
                    events.append((name, json.loads(value)))
        return events

    def headers(self) -> dict[str, str]:
        """Those of every request."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        if self.end_user:
            headers["Continuity-User"] = self.end_user
        for cookie in self.cookies:
            if cookie.name == "csrftoken" and cookie.value:
                headers["X-CSRFToken"] = cookie.value
        return headers

    def status(self, path: str) -> int:
        """Return the status of a GET, 0 without a response."""
        try:
            with self._opener.open(self.base + path, timeout=5) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def await_operation(self, operation: Json, seconds: float = 60) -> Json:
        """Poll an operation until it ends; raise `StackError` if it failed."""
        deadline = time.monotonic() + seconds
        while operation["state"] not in {"succeeded", "failed"}:
            if time.monotonic() > deadline:
                raise StackError(f"The operation {operation['id']} did not end within {seconds:.0f} s: {operation}")
            time.sleep(0.1)
            operation = self.get(f"/api/operations/{operation['id']}")
        if operation["state"] == "failed":
            raise StackError(f"The operation {operation['id']} failed: {operation}")
        return operation
