"""Calls of the server's own models: by the process that runs them for all others, if there is one, else in this one."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Client
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple, Unpack

from django.conf import settings

from apps.common.tenancy import give_back_connection
from apps.llm.errors import ModelError
from apps.llm.own_models.failure import Failed, raise_failure

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")

_PAUSE_S = 0.1
_CALLS = 3
"""So often a call is sent, if each time the process ends."""


def run_model(function: Callable[[Unpack[_Arguments]], _Result], *arguments: *_Arguments) -> _Result:
    """Return what a function of a model returns; a function of a module, whose arguments can be pickled.

    Raises what the function does (a `ModelError`, or else `OwnModelError`), and `ModelError` if the process of the
    models does not answer.
    """
    address = settings.OWN_MODELS_SOCKET
    if not address:
        return function(*arguments)
    give_back_connection()
    result: _Result = _answer_of(address, (function, arguments))
    return result


def _answer_of(address: str, call: object, calls: int = _CALLS) -> Any:
    """Call again if the process ended meanwhile, a few times: the call may be what ends it."""
    try:
        result = _exchanged(address, call)
    except (EOFError, OSError) as error:
        if calls == 1:
            raise ModelError("unavailable", "The process of Continuity's own models ended.") from error
        _disconnect()
        # Meanwhile a process that ends may still accept a connection.
        time.sleep(_PAUSE_S)
        return _answer_of(address, call, calls - 1)
    if isinstance(result, Failed):
        raise_failure(result)
    return result


def _exchanged(address: str, call: object) -> Any:
    """Send a call and return the answer; raise `OSError` or `EOFError` if there is none."""
    with _connected(address) as connection:
        connection.send(call)
        if not connection.poll(settings.OWN_MODELS_TIMEOUT_S):
            raise ModelError("timeout", "Continuity's own models did not answer in time.")
        return connection.recv()


_idle: defaultdict[str, list[Connection]] = defaultdict(list)
"""Connections that no thread uses, by their address."""


@contextmanager
def _connected(address: str) -> Iterator[Connection]:
    """A connection that is used again, unless its answer did not arrive: it would be taken for the next one's."""
    try:
        connection = _idle[address].pop()
    except IndexError:
        connection = _connect(address)
    try:
        yield connection
    except BaseException:
        connection.close()
        raise
    _idle[address].append(connection)


def _connect(address: str) -> Connection:
    deadline = time.monotonic() + settings.OWN_MODELS_RESTART_S
    while True:
        try:
            return Client(address, "AF_UNIX")
        except OSError as error:
            if time.monotonic() > deadline:
                detail = "The process of Continuity's own models does not answer."
                raise ModelError("unavailable", detail) from error
        time.sleep(_PAUSE_S)


def _disconnect() -> None:
    """Give up the connections to a process that ended; a process that was forked must not use those of its parent."""
    _idle.clear()


os.register_at_fork(after_in_child=_disconnect)
