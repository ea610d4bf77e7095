"""The process that runs the server's own models for all others: their weights are in memory once.

Calls and results are pickled, so whoever may connect may run anything: the socket is open to our own user alone.
"""

from __future__ import annotations

import os
from contextlib import suppress
from multiprocessing.connection import Listener
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import structlog

from apps.common.error_frames import frames_of
from apps.llm.errors import ModelError
from apps.llm.own_models.failure import Failed, failure_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_BACKLOG = 64
_ONLY_OURSELVES = 0o077
_log = structlog.get_logger("continuity.llm")


def serve(address: str) -> None:
    """Answer calls on a Unix socket until the process ends."""
    with _listener(address) as listener:
        while True:
            Thread(target=_answer_calls, args=(listener.accept(),), daemon=True).start()


def _listener(address: str) -> Listener:
    Path(address).unlink(missing_ok=True)
    before = os.umask(_ONLY_OURSELVES)
    try:
        return Listener(address, "AF_UNIX", backlog=_BACKLOG)
    finally:
        os.umask(before)


def _answer_calls(connection: Connection) -> None:
    """Answer one caller, until it closes the connection."""
    with connection, suppress(EOFError, OSError):
        while True:
            _send(connection, _answer(connection))


def _answer(connection: Connection) -> Any:
    """Receive a call and return its result or failure; raise `EOFError` or `OSError` if there is no caller any more."""
    try:
        function, arguments = connection.recv()
    except (EOFError, OSError):
        raise
    except Exception as error:
        return _failed(error)
    try:
        return function(*arguments)
    except Exception as error:
        return _failed(error)


def _send(connection: Connection, answer: Any) -> None:
    try:
        connection.send(answer)
    except OSError:
        raise
    except Exception as error:
        connection.send(_failed(error))


def _failed(error: Exception) -> Failed:
    if not isinstance(error, ModelError):
        _log.error("own_model.failed", error=type(error).__name__, at=frames_of(error))
    return failure_of(error)
