"""Discovery of local models on the server: the Claude CLI and Ollama, nothing else."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

PATIENCE_S = 0.5
_TTL_S, _FAILED_TTL_S = 60.0, 15.0
_LARGEST_ANSWER = 1024 * 1024
_MODEL_LIMIT = 200
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class _CachedModels:
    models: tuple[str, ...] | None
    expires_at: float


class LocalModels:
    """A cache of the models of Ollama servers, by address.

    Reads return the cached value and refresh an expired one in the background, because the caller may hold a row lock.
    Only the first read in a process waits, half a second at most.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._cache: dict[str, _CachedModels] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._lock = threading.Lock()

    def at(self, address: str) -> tuple[str, ...] | None:
        """The models at an address, possibly outdated; None if no Ollama answers there."""
        cached = self._cache.get(address)
        if cached is None:
            return self.look(address)
        if cached.expires_at <= self._clock():
            self._start_refresh(address)
        return cached.models

    def look(self, address: str) -> tuple[str, ...] | None:
        """Refresh and return the models; may wait `PATIENCE_S`."""
        self._start_refresh(address).join(PATIENCE_S)
        # After a timeout, cache the failure, so that the next read does not wait either.
        return self._cache.setdefault(address, self._entry(None)).models

    def forget(self) -> None:
        """Clear the cache."""
        self._cache.clear()

    def _start_refresh(self, address: str) -> threading.Thread:
        """Start the thread that refreshes an address, or return the running one."""
        with self._lock:
            thread = self._threads.get(address)
            if thread is None or not thread.is_alive():
                thread = threading.Thread(target=self._refresh, args=(address,), daemon=True)
                self._threads[address] = thread
                thread.start()
            return thread

    def _refresh(self, address: str) -> None:
        self._cache[address] = self._entry(_models_at(address))

    def _entry(self, models: tuple[str, ...] | None) -> _CachedModels:
        return _CachedModels(models, self._clock() + (_FAILED_TTL_S if models is None else _TTL_S))


LOCAL_MODELS = LocalModels()


def program_of(command: str) -> str | None:
    """The path of a command; None if it is not installed."""
    return shutil.which(command) if command else None


def _models_at(address: str) -> tuple[str, ...] | None:
    try:
        answer = json.loads(_get(f"{address}/api/tags"))
        names = [model["name"] for model in answer["models"]]
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return None
    valid = (name for name in names if isinstance(name, str) and len(name) <= _LONGEST_NAME and name.isprintable())
    return tuple(valid)[:_MODEL_LIMIT]


def _get(url: str) -> bytes:
    """Request a URL without proxies and redirects."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    with closing(kind(parts.hostname or "", parts.port, timeout=2 * PATIENCE_S)) as connection:
        connection.request("GET", parts.path, headers={"Accept": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            raise ValueError(response.status)
        return response.read(_LARGEST_ANSWER)
