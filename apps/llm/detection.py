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
    """The models that an Ollama has, by its address; what was found is believed for a while.

    Who asks waits half a second at most, in a unit of work too; an answer that comes later is there the next time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[str, _Known] = {}
        self._lock = threading.Lock()

    def at(self, address: str) -> tuple[str, ...] | None:
        """None where nothing answers there as Ollama does."""
        if (known := self._fresh(address)) is not None:
            return known.models
        with self._lock:
            if (known := self._fresh(address)) is not None:
                return known.models
            looking = threading.Thread(target=self._look, args=(address,), daemon=True)
            looking.start()
            looking.join(PATIENCE_S)
            if self._fresh(address) is None:
                self._note(address, None)
        return self._known[address].models

    def forget(self) -> None:
        """Look anew the next time."""
        self._known.clear()

    def _fresh(self, address: str) -> _Known | None:
        known = self._known.get(address)
        return known if known is not None and known.until > self._clock() else None

    def _look(self, address: str) -> None:
        self._note(address, _models_at(address))

    def _note(self, address: str, models: tuple[str, ...] | None) -> None:
        seconds = _BAD_FOR_S if models is None else _GOOD_FOR_S
        self._known[address] = _Known(models, self._clock() + seconds)


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
