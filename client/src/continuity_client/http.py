"""HTTP to one server, with the standard library: no redirects, no connections that stay open."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from continuity_client import __version__

SECONDS = 30.0
LONGEST_ANSWER = 50_000_000
PIECE = 1 << 16
_LOCAL = ("localhost", "127.0.0.1", "::1")

Query = Mapping[str, Any]


class ServerError(Exception):
    """A request that failed; its text is a sentence for people, and `code` the machine-readable reason."""

    def __init__(self, message: str, status: int = 0, code: str = "", problem: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.problem = status, code, problem or {}

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status == 0 or self.status in (408, 425, 429) or self.status >= 500


class WrongServer(ServerError):
    """Another server answers at the paired address."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key goes to the paired server alone."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Connection:
    """A server's address, the key for it, and for an application the id of the user for whom it asks."""

    def __init__(self, url: str, api_key: str = "", timeout: float = SECONDS, user: str = "") -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ServerError(f"{url!r} is not a web address. Give one like http://127.0.0.1:37777.")
        self.url, self.api_key, self.timeout, self.user = url.rstrip("/"), api_key, timeout, user
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
        if parts.hostname in _LOCAL:
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def get(self, path: str, query: Query | None = None) -> Any:
        """GET a resource."""
        return self.request("GET", path, query=query)

    def post(self, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Any:
        """POST to a resource."""
        return self.request("POST", path, body={} if body is None else body, headers=headers)

    def request(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Send a request and return the JSON of the response; raise `ServerError` for any status but success."""
        request = urllib.request.Request(  # noqa: S310  # the scheme was checked
            self.url + _with_query(path, query), method=method, headers={**self._headers(), **(headers or {})}
        )
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        with self._response(request) as response:
            return _json(response.read(LONGEST_ANSWER))

    def pieces(self, path: str) -> Iterator[bytes]:
        """GET a long resource in pieces; raise `ServerError` also if it ends too early."""
        request = urllib.request.Request(self.url + path, headers=self._headers())  # noqa: S310  # the scheme was checked
        with self._response(request) as response:
            while piece := response.read(PIECE):
                yield piece

    @contextmanager
    def _response(self, request: urllib.request.Request) -> Iterator[Any]:
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                yield response
        except urllib.error.HTTPError as error:
            raise self._refusal(error) from None
        except http.client.HTTPException as error:
            raise ServerError(f"{self.url} ended its answer too early ({error}).") from None
        except (OSError, ValueError) as error:
            raise ServerError(self._no_answer(error)) from None

    def _headers(self) -> dict[str, str]:
        headers = {"Accept": "application/json", "X-Continuity-Client-Version": __version__}
        headers["User-Agent"] = f"continuity-client/{__version__}"
        if self.user:
            # The library writes headers in Latin-1; the server reads UTF-8.
            headers["Continuity-User"] = self.user.encode().decode("latin-1")
        return {**headers, "Authorization": f"Bearer {self.api_key}"} if self.api_key else headers

    def _refusal(self, error: urllib.error.HTTPError) -> ServerError:
        try:
            problem = json.loads(error.read(LONGEST_ANSWER))
        except (OSError, ValueError):
            problem = {}
        problem = problem if isinstance(problem, dict) else {}
        detail = str(problem.get("detail") or problem.get("title") or error.reason or "")
        text = detail or f"The server answered with status {error.code}."
        if error.code >= 500:
            text = f"The server failed with status {error.code}: {detail or 'no details'}"
        return ServerError(f"{text}{_next_step(error.code)}", error.code, str(problem.get("code", "")), problem)

    def _no_answer(self, error: Exception) -> str:
        reason = getattr(error, "reason", error)
        text = "no answer in time" if isinstance(reason, TimeoutError) or "timed out" in str(reason) else str(reason)
        return f"{self.url} does not answer ({text}). Is the server running? `make up` starts it on this machine."


def is_same_address(first: str, second: str) -> bool:
    """Whether two addresses are those of the same server.

    >>> is_same_address("HTTP://Localhost:80/", "http://localhost"), is_same_address("http://a:1", "http://a:2")
    (True, False)
    """
    return _address(first) == _address(second)


def _address(url: str) -> tuple[str, str, int | None, str]:
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError:
        raise ServerError(f"{url!r} is not a web address. Give one like http://127.0.0.1:37777.") from None
    return (
        parts.scheme,
        parts.hostname or "",
        port or {"http": 80, "https": 443}.get(parts.scheme),
        parts.path.rstrip("/"),
    )


def check_identity(connection: Connection, settings: Mapping[str, Any]) -> None:
    """Raise `WrongServer` unless the server is the paired one. The request has no key."""
    expected, actual = settings.get("server_id"), server_id_of(connection)
    if not actual:
        raise ServerError(
            f"{connection.url} does not report its identity, so nothing is sent to it. It may not be ready.", 503
        )
    if actual != expected:
        raise WrongServer(
            f"Another server answers at {connection.url}: its id is {actual}, the paired one's is {expected}. "
            "Nothing was sent. If that is right, pair again with `continuity login`."
        )


def server_id_of(connection: Connection) -> str:
    """The id of the installation that answers, which may not be ready; empty if it reports none."""
    bare = Connection(connection.url, timeout=connection.timeout)
    try:
        health = bare.get("/api/health")
    except ServerError as error:
        if not error.problem:
            raise
        health = error.problem
    return str(health.get("server_id") or "") if isinstance(health, dict) else ""


def _with_query(path: str, query: Query | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value not in (None, "")}
    return f"{path}?{urllib.parse.urlencode(given)}" if given else path


def _json(body: bytes) -> Any:
    return json.loads(body) if body.strip() else {}


def _next_step(status: int) -> str:
    steps = {
        401: " Pair again with `continuity login`.",
        403: " Your key may not do this.",
        429: " Try again in a moment.",
    }
    return steps.get(status, "")
