"""Looking for what runs on the server itself: the Claude CLI and Ollama. Nothing else is ever looked for."""

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
_GOOD_FOR_S, _BAD_FOR_S = 60.0, 15.0
_LARGEST_ANSWER = 1024 * 1024
_MOST_MODELS = 200
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class _Known:
    models: tuple[str, ...] | None
    until: float


class LocalModels:
    """The models that an Ollama has, by its address.

    Who asks gets what is known, for they may hold a row that others wait for. After a while somebody looks anew, behind
    their back. Only who is the first to ask in a process waits, half a second at most.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[str, _Known] = {}
        self._looking: dict[str, threading.Thread] = {}
        self._lock = threading.Lock()

    def at(self, address: str) -> tuple[str, ...] | None:
        """None where nothing answers there as Ollama does."""
        known = self._known.get(address)
        if known is None:
            return self.look(address)
        if known.until <= self._clock():
            self._begun(address)
        return known.models

    def look(self, address: str) -> tuple[str, ...] | None:
        """What is there now: for who may wait."""
        self._begun(address).join(PATIENCE_S)
        # Nor does the next one wait for who does not answer in time.
        return self._known.setdefault(address, self._fresh(None)).models

    def forget(self) -> None:
        """As at the beginning."""
        self._known.clear()

    def _begun(self, address: str) -> threading.Thread:
        """The thread that looks there, one at a time."""
        with self._lock:
            looking = self._looking.get(address)
            if looking is None or not looking.is_alive():
                looking = threading.Thread(target=self._look, args=(address,), daemon=True)
                self._looking[address] = looking
                looking.start()
            return looking

    def _look(self, address: str) -> None:
        self._known[address] = self._fresh(_models_at(address))

    def _fresh(self, models: tuple[str, ...] | None) -> _Known:
        return _Known(models, self._clock() + (_BAD_FOR_S if models is None else _GOOD_FOR_S))


LOCAL_MODELS = LocalModels()


def program_of(command: str) -> str | None:
    """Where the command is, if it is."""
    return shutil.which(command) if command else None


def _models_at(address: str) -> tuple[str, ...] | None:
    try:
        answer = json.loads(_get(f"{address}/api/tags"))
        names = [model["name"] for model in answer["models"]]
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return None
    fit = (name for name in names if isinstance(name, str) and len(name) <= _LONGEST_NAME and name.isprintable())
    return tuple(fit)[:_MOST_MODELS]


def _get(url: str) -> bytes:
    """Straight there: past proxies, and past a redirect."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    with closing(kind(parts.hostname or "", parts.port, timeout=2 * PATIENCE_S)) as connection:
        connection.request("GET", parts.path, headers={"Accept": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            raise ValueError(response.status)
        return response.read(_LARGEST_ANSWER)
