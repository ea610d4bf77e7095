"""Servers of the baselines: bare ASGI on uvicorn, bare WSGI on granian."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bench._http.floors import DATABASE
from config.stack.client import Client
from config.stack.errors import StackError
from config.stack.postgres import APPLICATION, Postgres
from config.stack.process import PYTHON, ROOT, Program, launch, log_end, stop_all, wait_until
from config.stack.services import ADDRESS, free_port
from config.stack.throwaway_stack import TemporaryStack

START_SECONDS = 15
STOP_SECONDS = 10
ASGI, WSGI = "floor_asgi", "floor_wsgi"


@contextmanager
def floors(stack: TemporaryStack) -> Iterator[dict[str, str]]:
    """Start the bare applications; yield their base URLs by name."""
    ports = {ASGI: free_port(), WSGI: free_port()}
    programs = [_program(stack, ASGI, _uvicorn(ports[ASGI])), _program(stack, WSGI, _granian(ports[WSGI]))]
    children = [(launch(program), signal.SIGTERM) for program in programs]
    bases = {name: f"http://{ADDRESS}:{port}" for name, port in ports.items()}
    try:
        if not wait_until(lambda: all(Client(base).status("/") == 200 for base in bases.values()), START_SECONDS):
            raise StackError("\n".join(log_end(program) for program in programs))
        yield bases
    finally:
        with suppress(ProcessLookupError):
            stop_all(children, STOP_SECONDS)


def _uvicorn(port: int) -> list[str]:
    return ["uvicorn", "bench._http.floors:asgi", "--host", ADDRESS, "--port", str(port), "--no-access-log"]


def _granian(port: int) -> list[str]:
    bind = ["--host", ADDRESS, "--port", str(port), "--no-ws"]
    return ["granian", "bench._http.floors:wsgi", "--interface", "wsgi", "--blocking-threads", "1", *bind]


def _program(stack: TemporaryStack, name: str, arguments: list[str]) -> Program:
    postgres = Postgres(stack.home.path, stack.home.run)
    environment = {**os.environ, DATABASE: postgres.url(APPLICATION)}
    return Program(name, [PYTHON, "-m", *arguments], stack.home.path / f"{name}.log", environment, ROOT)
