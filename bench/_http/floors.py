"""Baselines: two bare applications, ASGI and WSGI, that answer with one SQL read and no framework.

Started by `bench._http.servers`, which passes the database in the environment.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

import psycopg
from psycopg_pool import AsyncConnectionPool

DATABASE = "BENCH_DATABASE"
_READ = "SELECT id, name FROM accounts_apikey WHERE prefix = %s"
_TEXT = b"text/plain; charset=utf-8"

_local = threading.local()
_pool: AsyncConnectionPool | None = None


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    async with (await _opened_pool()).connection() as connection:
        cursor = await connection.execute(_READ, ["00000000"], prepare=True)
        body = str(await cursor.fetchone()).encode()
    headers = [(b"content-type", _TEXT), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def wsgi(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    body = str(_connection().execute(_READ, ["00000000"], prepare=True).fetchone()).encode()
    start_response("200 OK", [("Content-Type", _TEXT.decode()), ("Content-Length", str(len(body)))])
    return [body]


async def _opened_pool() -> AsyncConnectionPool:
    global _pool  # noqa: PLW0603  # one for the process, opened in its event loop
    if _pool is None:
        _pool = AsyncConnectionPool(os.environ[DATABASE], kwargs={"autocommit": True}, min_size=4, open=False)
        await _pool.open()
    return _pool


def _connection() -> psycopg.Connection[Any]:
    """Return the connection of this thread."""
    if not hasattr(_local, "connection"):
        _local.connection = psycopg.connect(os.environ[DATABASE], autocommit=True)
    connection: psycopg.Connection[Any] = _local.connection
    return connection
